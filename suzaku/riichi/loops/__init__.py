"""The loops that the rooms below run over tables of Riichi: matches, replays, counts."""
