"""The player that a run begins with, by its name or folder: what it is, before torch is loaded."""

from pathlib import Path

from suzaku.networks.bundled import BASES, bundled
from suzaku.networks.info import checkpoint_of, files, read_info
from suzaku.networks.names import parse
from suzaku.words import did_you_mean

PLAYERS = {"suphx": "riichi", "weak": "riichi", **dict.fromkeys(BASES, "riichi"), "mcr": "mcr"}  # bundled ones
AGENTS = {"riichi": "suphx", "mcr": "mcr"}  # that play with a folder of models


def start_folder(start: str) -> Path:
    """The models of the player to start from."""
    if start in PLAYERS:
        return bundled(start)
    if Path(start).exists() or files(start)[1].exists():
        return Path(start)
    agent, colon, folder = start.partition(":")
    if agent == "oracle":
        raise ValueError(
            f"start: {start} sees hidden tiles and cannot be the start; --oracle {folder or 'FOLDER'} begins with it"
        )
    hint = f"name the folder alone, {folder}" if colon else did_you_mean(start, PLAYERS)
    raise ValueError(f"start: {start} is neither a bundled player nor a folder; {hint}")


def agent_of(start: str) -> str:
    """The player to start from as the arena seats it."""
    return start if start in PLAYERS else f"{AGENTS[game_of(start)]}:{start}"


def game_of(start: str) -> str:
    """The game of the player to start from: a bundled one, or the one of some checkpoint in a folder."""
    if start in PLAYERS:
        return PLAYERS[start]
    for where in (checkpoint_of(start, "discard"), Path(start) / "best"):
        if files(where)[1].exists():
            return parse(read_info(where)["network"]).family.game
    return "riichi"  # what it lacks is said where the models are looked for
