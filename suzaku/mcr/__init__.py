"""Chinese Standard Mahjong (MCR, 国标麻将): rules, tables and scoring."""

from suzaku.mcr.actions import ACTION_NAMES, ACTIONS, action_number
from suzaku.mcr.hidden import resample_hidden
from suzaku.mcr.rules import Rules
from suzaku.mcr.state import STATE
from suzaku.mcr.table import Table, View
from suzaku.mcr.tables import Tables, random_rollouts

__all__ = [
    "ACTIONS",
    "ACTION_NAMES",
    "STATE",
    "Rules",
    "Table",
    "Tables",
    "View",
    "action_number",
    "random_rollouts",
    "resample_hidden",
]
