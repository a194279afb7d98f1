"""Chinese Standard Mahjong (MCR, 国标麻将): rules, tables and scoring."""

from suzaku.mcr.actions import ACTION_NAMES, ACTIONS, action_number
from suzaku.mcr.evaluate import CountedFan, Shanten, Win, evaluate, evaluate_many, shanten, waits
from suzaku.mcr.rules import Rules
from suzaku.mcr.state import STATE
from suzaku.mcr.table import Table, Tables, random_rollouts, resample_hidden
from suzaku.table.table import TableView as View

__all__ = [
    "ACTIONS",
    "ACTION_NAMES",
    "STATE",
    "CountedFan",
    "Rules",
    "Shanten",
    "Table",
    "Tables",
    "View",
    "Win",
    "action_number",
    "evaluate",
    "evaluate_many",
    "random_rollouts",
    "resample_hidden",
    "shanten",
    "waits",
]
