"""Rules as text: the setting of a command, such as `tenhou,open_tanyao=false`, and what a store keeps."""

import json
from dataclasses import fields
from typing import Any

from suzaku.game import Game
from suzaku.words import did_you_mean, no_rules

YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def read_rules(game: Game, setting: str, length: str = "") -> Any:
    """The rules that a setting names: PRESET, or PRESET,switch=value,...; the usual preset if there is none.

    `length` is one of the game's, or that of the rules if not given.
    """
    if length and length not in game.lengths:
        raise ValueError(f"length {length!r} is unknown: choose one of {', '.join(game.lengths)}")
    first, *rest = setting.split(",")
    if "=" in first:
        first, rest = "", [first, *rest]
    preset = first.strip() or next(iter(game.presets))
    if preset not in game.presets:
        raise ValueError(no_rules(preset, game.presets))
    values = dict(game.presets[preset])
    usual = game.rules()
    switches = [field.name for field in fields(usual)]
    for part in rest:
        name, equals, value = (word.strip() for word in part.partition("="))
        name = name.replace("-", "_")
        if name not in switches:
            raise ValueError(f"the rules have no switch {name!r}; {did_you_mean(name, switches)}")
        if not equals:
            raise ValueError(f"the switch {name} has no value: write {name}={_write(getattr(usual, name))}")
        values[name] = _read(name, value, getattr(usual, name))
    rules = game.rules(**values)
    return rules.with_length(length) if length else rules


def name_rules(game: Game, rules: Any) -> str:
    """The shortest setting that gives these rules; their length is told apart from it."""
    found: list[str] = []
    for preset, switches in game.presets.items():
        base = game.rules(**switches).with_length(rules.length)
        words = [preset, *(f"{name}={_write(value)}" for name, value in _changes(rules, base).items())]
        if not found or len(words) < len(found):
            found = words
    return ",".join(found)


def rules_text(rules: Any) -> str:
    """The switches that differ from the defaults, as JSON."""
    return json.dumps(_changes(rules, type(rules)()), sort_keys=True)


def rules_from_text(game: Game, text: str) -> Any:
    """The rules that `rules_text` wrote."""
    changed = json.loads(text)
    return game.rules(**{name: tuple(v) if isinstance(v, list) else v for name, v in changed.items()})


def _changes(rules: Any, base: Any) -> dict[str, Any]:
    names = [field.name for field in fields(rules)]
    return {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(base, name)}


def _read(name: str, text: str, usual: Any) -> Any:
    """A value of the same type as the usual one."""
    try:
        if isinstance(usual, bool):
            if text.lower() not in YES + NO:
                raise ValueError
            return text.lower() in YES
        return tuple(map(int, text.split("/"))) if isinstance(usual, tuple) else type(usual)(text)
    except ValueError:
        raise ValueError(f"the switch {name} takes a value such as {_write(usual)}, not {text!r}") from None


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)
