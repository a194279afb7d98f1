"""The games and rules that a page may ask for."""

from dataclasses import fields, replace
from typing import Any

from suzaku.apps.web.protocol import NewTable
from suzaku.game import Game, game_named
from suzaku.rules_text import read_rules

OLD_NAMES = {"no red fives": "no-red"}  # of tables that were kept before presets had their names


def switches_of(game: Game) -> list[str]:
    """The switches a page may turn."""
    return [field.name for field in fields(game.rules) if field.type in (bool, "bool")]


def offered(game: Game) -> dict[str, dict[str, bool]]:
    """The presets a page offers, each with its switches; those that differ in length alone are one."""
    found: dict[str, dict[str, bool]] = {}
    seen: list[Any] = []
    for name in game.presets:
        rules = read_rules(game, name, list(game.lengths)[-1])
        if rules not in seen:
            seen.append(rules)
            found[name] = {switch: getattr(rules, switch) for switch in switches_of(game)}
    return found


def usual_lengths(game: Game) -> dict[str, str]:
    """The length of a game by preset, of those that are offered."""
    return {name: read_rules(game, name).length for name in offered(game)}


def new_table(table_request: NewTable, seed: int) -> Any:
    """The table a page asks for. ValueError if there is none such."""
    return game_named(table_request.game).table(asked_rules(table_request), seed)


def asked_rules(table_request: NewTable) -> Any:
    """The rules a page asks for. ValueError if there are none such."""
    game = game_named(table_request.game)
    unknown = set(table_request.switches) - set(switches_of(game))
    if unknown:
        raise ValueError(f"the rules have no switch {sorted(unknown)[0]!r}")
    preset = OLD_NAMES.get(table_request.rules, table_request.rules)
    return replace(read_rules(game, preset, table_request.length), **table_request.switches)
