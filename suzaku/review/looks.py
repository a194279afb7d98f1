"""The games whose hands are looked at for hints, and where: elsewhere there is the agent's opinion alone."""

import importlib
from typing import Any

# Each module has `Looks`, whose `look(record, legal)` says all that the rules and the look-ahead tell of a decision;
# `hint(agent, answers, record, legal, looked)`, that and an agent's opinion; and `hand_info(table, seat, legal)`.
MODULES = {"riichi": "suzaku.review.hints", "mcr": "suzaku.review.mcr.hints"}


def looks_at(game: str) -> Any | None:
    """The module that looks at hands of a game."""
    return importlib.import_module(MODULES[game]) if game in MODULES else None
