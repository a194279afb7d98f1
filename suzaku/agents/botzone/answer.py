"""Answers of a bot: actions as Botzone's words, and back."""

import numpy as np

from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.botzone import read_tile, write_tile

NO_SENSE, ILLEGAL = "nonsense", "illegal"


class FaultError(Exception):
    """An answer that had to be replaced, with the type of the fault."""

    def __init__(self, type_: str, text: str) -> None:
        super().__init__(text)
        self.type = type_


def answer_words(record: np.record, action: int, discard: int | None = None) -> str:
    """An action of the asked seat as an answer; `discard` follows a chow or pong."""
    if action == act.PASS:
        return "PASS"
    if action == act.WIN:
        return "HU"
    if action < act.CHOW_LOW:
        return f"PLAY {write_tile(action)}"
    if action == act.OPEN_KONG:
        return "GANG"
    if act.CLOSED_KONG <= action < act.ADDED_KONG:
        return f"GANG {write_tile(action - act.CLOSED_KONG)}"
    if act.ADDED_KONG <= action < act.WIN:
        return f"BUGANG {write_tile(action - act.ADDED_KONG)}"
    assert discard is not None
    if action == act.PONG:
        return f"PENG {write_tile(discard)}"
    return f"CHI {write_tile(chow_middle(int(record.offer), action))} {write_tile(discard)}"


def chow_middle(offer: int, action: int) -> int:
    """The middle tile of a chow."""
    return offer + 1 - (action - act.CHOW_LOW)


def read_answer(text: str, record: np.record, legal: np.ndarray) -> tuple[int, int | None]:
    """The legal action that an answer means, and the discard that it names after a chow or pong."""
    words = text.split()
    try:
        action, discard = _read(words, record)
    except (ValueError, IndexError):
        raise FaultError(
            NO_SENSE,
            f"{text[:80]!r} is not a valid answer: expected one such as PLAY W5, PENG W5, CHI W4 W5, HU or PASS",
        ) from None
    if not 0 <= action < act.ACTIONS or not legal[action]:
        raise FaultError(ILLEGAL, f"{text[:80]!r} is not legal")
    return action, discard


def _read(words: list[str], record: np.record) -> tuple[int, int | None]:
    claims = record.phase in (st.CLAIM, st.ROB)
    verb = words[0].upper()
    tiles = [read_tile(word) for word in words[1:]]
    if verb in ("PASS", "HU") and not tiles:
        return (act.PASS if verb == "PASS" else act.WIN), None
    if verb == "GANG" and len(tiles) <= 1:
        return (act.OPEN_KONG if claims else act.CLOSED_KONG + tiles[0]), None
    if verb == "PLAY" and len(tiles) == 1:
        return tiles[0], None
    if verb == "BUGANG" and len(tiles) == 1:
        return act.ADDED_KONG + tiles[0], None
    if verb == "PENG" and len(tiles) == 1:
        return act.PONG, tiles[0]
    if verb == "CHI" and len(tiles) == 2:
        shape = int(record.offer) + 1 - tiles[0]
        return (act.CHOW_LOW + shape if 0 <= shape <= 2 else act.ACTIONS), tiles[1]
    raise ValueError(verb)
