"""Chinese Standard Mahjong (MCR, 国标麻将): rules, tables and scoring."""

from suzaku.mcr.actions import ACTION_NAMES, ACTIONS, action_number
from suzaku.mcr.evaluate import CountedFan, Shanten, Win, evaluate, shanten, waits
from suzaku.mcr.evaluate_many import evaluate_many
from suzaku.mcr.hidden import resample_hidden
from suzaku.mcr.rules import Rules
from suzaku.mcr.state import STATE
from suzaku.mcr.table import Table, View
from suzaku.mcr.tables import Tables, random_rollouts

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
