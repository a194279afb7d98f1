"""The rules that a page may ask for."""

from dataclasses import fields

from suzaku.apps.web.protocol import NewTable
from suzaku.riichi.rules import Rules

PRESETS = {"tenhou": Rules.tenhou, "no red fives": Rules.no_red}
SWITCHES = tuple(field.name for field in fields(Rules) if field.type in (bool, "bool"))


def read_rules(table_request: NewTable) -> Rules:
    """The rules a page asks for. ValueError if there are none such."""
    if table_request.rules not in PRESETS:
        raise ValueError(f"there are no rules {table_request.rules!r}; there are {', '.join(PRESETS)}")
    unknown = set(table_request.switches) - set(SWITCHES)
    if unknown:
        raise ValueError(f"the rules have no switch {sorted(unknown)[0]!r}")
    return PRESETS[table_request.rules](**table_request.switches).with_length(table_request.length)
