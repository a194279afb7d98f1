"""The rules that a page may ask for."""

from dataclasses import fields

from suzaku.apps.web.protocol import NewTable
from suzaku.riichi.game import GAME
from suzaku.riichi.presets import PRESETS
from suzaku.riichi.rules import Rules
from suzaku.riichi.table import Table

SWITCHES = tuple(field.name for field in fields(Rules) if field.type in (bool, "bool"))
OLD_NAMES = {"no red fives": "no-red"}  # of tables that were kept before presets had their names


def offered() -> dict[str, dict[str, bool]]:
    """The presets a page offers, each with its switches; those that differ in length alone are one."""
    found: dict[str, dict[str, bool]] = {}
    seen: list[Rules] = []
    for name in PRESETS:
        rules = Rules.preset(name).with_length("hanchan")
        if rules not in seen:
            seen.append(rules)
            found[name] = {switch: getattr(rules, switch) for switch in SWITCHES}
    return found


def new_table(table_request: NewTable, seed: int) -> Table:
    """The table a page asks for. ValueError if there is none such."""
    return GAME.table(read_rules(table_request), seed)


def read_rules(table_request: NewTable) -> Rules:
    """The rules a page asks for. ValueError if there are none such."""
    unknown = set(table_request.switches) - set(SWITCHES)
    if unknown:
        raise ValueError(f"the rules have no switch {sorted(unknown)[0]!r}")
    preset = OLD_NAMES.get(table_request.rules, table_request.rules)
    return Rules.preset(preset, **table_request.switches).with_length(table_request.length)
