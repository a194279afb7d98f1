"""Riichi mahjong: rules, tables and scoring."""

from suzaku.riichi.actions import ACTION_NAMES, ACTIONS, action_number
from suzaku.riichi.evaluate import Win, evaluate, evaluate_many, shanten, waits
from suzaku.riichi.rules import Rules, final_points
from suzaku.riichi.state import STATE
from suzaku.riichi.table import Table, Tables, random_rollouts, resample_hidden
from suzaku.table.table import TableView as View

__all__ = [
    "ACTIONS",
    "ACTION_NAMES",
    "STATE",
    "Rules",
    "Table",
    "Tables",
    "View",
    "Win",
    "action_number",
    "evaluate",
    "evaluate_many",
    "final_points",
    "random_rollouts",
    "resample_hidden",
    "shanten",
    "waits",
]
