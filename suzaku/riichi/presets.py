"""The rule presets by name: the switches of `Rules` that differ from its defaults, which are Tenhou's."""

from typing import Any

EAST_ONLY, HANCHAN = 4, 8  # rounds of a game by its length
LENGTHS = {"east": EAST_ONLY, "hanchan": HANCHAN}

PRESETS: dict[str, dict[str, Any]] = {
    "tenhou": {},  # Tenhou's hanchan with red fives and open tanyao
    "tenhou-east": {"rounds": EAST_ONLY},
    "no-red": {"red_fives": False},
}
