"""Riichi mahjong: rules, tables and scoring."""

from suzaku.riichi.actions import ACTION_NAMES, ACTIONS, action_number
from suzaku.riichi.evaluate import Win, evaluate, shanten, waits
from suzaku.riichi.evaluate_many import evaluate_many
from suzaku.riichi.hidden import resample_hidden
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import STATE
from suzaku.riichi.table import Table, View
from suzaku.riichi.tables import Tables, random_rollouts
from suzaku.riichi.uma import final_points

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
