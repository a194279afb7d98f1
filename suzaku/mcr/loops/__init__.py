"""The loops that the rooms below run over tables of MCR: matches and replays."""
