"""Records of MCR: Botzone's matches as JSON and as text, read, written, and replayed through the rules."""

from suzaku.records.mcr.match_json import read_json, write_json
from suzaku.records.mcr.match_text import read_text, write_text
from suzaku.records.mcr.read import read_matches
from suzaku.records.mcr.recorded import Recorded
from suzaku.records.mcr.replay import replay_recorded, tell
from suzaku.records.mcr.show import show_matches

__all__ = [
    "Recorded",
    "read_json",
    "read_matches",
    "read_text",
    "replay_recorded",
    "show_matches",
    "tell",
    "write_json",
    "write_text",
]
