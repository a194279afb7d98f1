"""A step of a table as the requests that Botzone sends to a seat."""

import numpy as np

from suzaku.agents.botzone.answer import chow_middle
from suzaku.mcr import actions as act
from suzaku.mcr import melds as md
from suzaku.mcr import state as st
from suzaku.mcr.botzone import write_tile
from suzaku.mcr.table import hand_tiles


def start_requests(record: np.record, seat: int) -> list[str]:
    """The first requests of a hand that has just been dealt: the seat, its tiles, and the dealer's draw."""
    tiles = hand_tiles(record, seat)
    if seat == int(record.turn):
        tiles.remove(int(record.drawn))
    lines = [f"0 {seat} {int(record.wind)}", "1 0 0 0 0 " + " ".join(write_tile(tile) for tile in tiles)]
    return [*lines, _draw(record, seat)]


def step_requests(before: np.record, action: int, after: np.record, seat: int, called: int) -> list[str]:
    """What a seat is sent after an action; `called` is the chow or pong that the acting seat makes a discard with.

    A claim says nothing until it is settled; the call itself is told together with its discard.
    """
    lines = []
    asked = int(before.seat)
    kong = _new_kong(before, after)
    if before.phase in (st.TURN, st.CALLED) and action < act.CHOW_LOW:
        tile = write_tile(action)
        if before.phase == st.TURN:
            lines.append(f"3 {asked} PLAY {tile}")
        elif called == act.PONG:
            lines.append(f"3 {asked} PENG {tile}")
        else:
            lines.append(f"3 {asked} CHI {write_tile(chow_middle(int(before.offer), called))} {tile}")
    elif act.ADDED_KONG <= action < act.WIN:
        lines.append(f"3 {asked} BUGANG {write_tile(action - act.ADDED_KONG)}")
    if kong is not None:
        lines.append(f"3 {kong} GANG")
    if after.phase == st.TURN:
        lines.append(_draw(after, seat))
    return lines


def _new_kong(before: np.record, after: np.record) -> int | None:
    """The seat that has laid down a kong which is not an added one."""
    for seat in range(4):
        n = int(after.melds[seat])
        if n > before.melds[seat] and after.meld_type[seat, n - 1] in (md.OPEN_KONG, md.CLOSED_KONG):
            return seat
    return None


def _draw(record: np.record, seat: int) -> str:
    turn = int(record.turn)
    return f"2 {write_tile(int(record.drawn))}" if turn == seat else f"3 {turn} DRAW"
