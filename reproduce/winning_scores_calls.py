"""Does the paper's one-player hand call? The baselines of its Table 5, played at the engine's table.

    python reproduce/winning_scores_calls.py [HANDS]

The player goes for any win, nearest first, then most accepted tiles. `closed`: it never calls, as the one-player hand
of `suzaku/winning_scores`. `calls`: it also calls whatever brings it nearer to a win with a yaku (a triplet of a value
tile, simples, half flush). It does not know of an aim: the columns are how often it wins with so many han at least. Of
han, `plain` leaves out ippatsu, hidden doras and the last tile, `all` counts them. Prints Markdown.
"""

import sys

import numpy as np

from suzaku.hand.shanten import shanten_parts
from suzaku.hand.suit_patterns import POW5
from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi import yaku
from suzaku.riichi.redraw import fill_unseen
from suzaku.riichi.state import CHOW
from suzaku.riichi.table import Table
from suzaku.tiles import KIND_OF
from suzaku.winning_scores.distance import ANY, distance, shapes

FAR = 40
SEED = 31
LUCK = (yaku.IPPATSU, yaku.HAITEI, yaku.HOUTEI, yaku.RINSHAN, yaku.CHANKAN)


@kernel
def tiles_short(tables, shapes, s, p, key, counts, melds, open_hand, called):
    """Tiles short of a win with a yaku; a closed hand has riichi. `called` is the lowest kind of one more chow (as
    itself) or pong (+ 100), or -1."""
    need = 4 - melds
    best = FAR
    if not open_hand:
        best = distance(shapes, ANY, key[0], key[1], key[2], key[3], need)
        _, seven, thirteen = shanten_parts(tables, key[0], key[1], key[2], key[3], melds)
        return min(best, seven + 1, thirteen + 1)
    simple, valued = True, False
    suits = 0
    round_wind, seat_wind = 27 + ((s.round_no // 4) & 3), 27 + ((p - s.dealer) & 3)
    for i in range(s.melds[p] + (1 if called >= 0 else 0)):
        if i < s.melds[p]:
            kind, chow = np.int64(s.meld_tile[p, i]), s.meld_type[p, i] == CHOW
        else:
            kind, chow = called % 100, called < 100
        last = kind + 2 if chow else kind
        if kind >= 27 or kind % 9 == 0 or last % 9 == 8:
            simple = False
        if kind < 27:
            suits |= 1 << kind // 9
        elif kind >= 31 or kind in (round_wind, seat_wind):
            valued = True
    if valued:
        best = distance(shapes, ANY, key[0], key[1], key[2], key[3], need)
    elif need > 0:
        for kind in range(27, 34):
            if counts[kind] >= 2 and (kind >= 31 or kind in (round_wind, seat_wind)):
                held = min(3, np.int64(counts[kind]))
                rest = key[3] - held * POW5[kind - 27]
                best = min(best, 3 - held + distance(shapes, ANY, key[0], key[1], key[2], rest, need - 1))
    if simple:
        k0 = key[0] - counts[0] - np.int64(counts[8]) * POW5[8]
        k1 = key[1] - counts[9] - np.int64(counts[17]) * POW5[8]
        k2 = key[2] - counts[18] - np.int64(counts[26]) * POW5[8]
        best = min(best, distance(shapes, ANY, k0, k1, k2, 0, need))
    for suit in range(3):
        if suits & ~(1 << suit) == 0:
            k0, k1, k2 = key[0] if suit == 0 else 0, key[1] if suit == 1 else 0, key[2] if suit == 2 else 0
            best = min(best, distance(shapes, ANY, k0, k1, k2, key[3], need))
    return best


@kernel
def move(key, counts, kind, n):
    """Add n tiles of a kind."""
    counts[kind] += n
    key[kind // 9] += n * POW5[kind % 9]


@kernel
def after_call(tables, shapes, s, p, a, b, called):
    """Tiles short after a call with two tiles of the hand, and the best discard."""
    key, counts = s.key[p].astype(np.int64), s.hand[p].astype(np.int64)
    move(key, counts, a, -1)
    move(key, counts, b, -1)
    best = FAR
    for kind in range(34):
        if counts[kind] > 0:
            move(key, counts, kind, -1)
            best = min(best, tiles_short(tables, shapes, s, p, key, counts, s.melds[p] + 1, True, called))
            move(key, counts, kind, 1)
    return best


@kernel
def claim(tables, shapes, s, legal):
    """Call what brings the hand nearer, or pass."""
    p = s.seat
    kind = np.int64(KIND_OF[s.offer])
    key, counts = s.key[p].astype(np.int64), s.hand[p].astype(np.int64)
    best, least = act.PASS, tiles_short(tables, shapes, s, p, key, counts, s.melds[p], s.open_melds[p] > 0, -1)
    for action in (act.PONG_RED, act.PONG):
        if legal[action]:
            short = after_call(tables, shapes, s, p, kind, kind, 100 + kind)
            if short < least:
                best, least = action, short
    for i in range(5, -1, -1):
        if legal[act.CHOW_LOW + i]:
            low = kind - i % 3
            a, b = low + (1 if i % 3 == 0 else 0), low + (1 if i % 3 == 2 else 2)
            short = after_call(tables, shapes, s, p, a, b, low)
            if short < least:
                best, least = act.CHOW_LOW + i, short
    return best


@kernel
def choose(tables, shapes, s, legal, calls):
    """The action of the asked seat."""
    for action in (act.WIN_DRAW, act.WIN_DISCARD, act.RIICHI):
        if legal[action]:
            return action
    if legal[act.PASS]:
        return claim(tables, shapes, s, legal) if calls else act.PASS
    p = s.seat
    key, counts = s.key[p].astype(np.int64), s.hand[p].astype(np.int64)
    unseen = np.zeros(34, np.int64)
    fill_unseen(s, p, unseen)
    open_hand = s.open_melds[p] > 0
    best, least, most = -1, FAR + 1, -1
    for action in range(act.DISCARD_DRAWN, -1, -1):
        if not legal[action]:
            continue
        out = np.int64(KIND_OF[s.drawn if action == act.DISCARD_DRAWN else action])
        move(key, counts, out, -1)
        short = tiles_short(tables, shapes, s, p, key, counts, s.melds[p], open_hand, -1)
        accepts = 0
        if short <= least:
            for kind in range(34):
                if unseen[kind] > 0 and counts[kind] < 4:
                    move(key, counts, kind, 1)
                    if tiles_short(tables, shapes, s, p, key, counts, s.melds[p], open_hand, -1) < short:
                        accepts += unseen[kind]
                    move(key, counts, kind, -1)
        if short < least or (short == least and accepts > most):
            best, least, most = action, short, accepts
        move(key, counts, out, 1)
    return best


def won_han(record: np.record, seat: int) -> tuple[int, int]:
    """The han that a seat won with, plain and all; 0 if it did not."""
    for i, winner in enumerate(record.win_seat):
        if winner == seat and (record.win_han[i] or record.win_yakuman[i]):
            if record.win_yakuman[i]:
                return 13, 13
            mask, every = int(record.win_yaku[i]), int(record.win_han[i])
            lucky = sum(mask >> bit & 1 for bit in LUCK) + (mask >> yaku.DOUBLE_RIICHI & 1)
            return every - lucky - int(record.win_dora[i][1]), every
    return 0, 0


def play(hands: int, calls: bool, drawing: bool) -> tuple[np.ndarray, np.ndarray]:
    """The han of each hand, plain and all, of the seat hand % 4."""
    found = np.zeros((hands, 2), np.int64)
    for hand in range(hands):
        table = Table(seed=SEED * 1_000_000 + hand)
        seat = hand % 4
        while not (table.round_over or table.game_over):
            legal = table.legal_mask()
            if table.seat == seat or not drawing:
                table.act(int(choose(tables(), shapes(), table.record, legal, calls)))
            else:
                table.act(act.PASS if legal[act.PASS] else act.DISCARD_DRAWN)
        found[hand] = won_han(table.record, seat)
    return found[:, 0], found[:, 1]


def main(hands: int) -> None:
    """Play and print."""
    print("| opponents | player | han | >= 1 han | >= 2 | >= 3 | >= 4 |\n|---|---|---|---|---|---|---|")
    for opponents in ("drawing", "like it"):
        for player in ("closed", "calls"):
            for name, han in zip(("plain", "all"), play(hands, player == "calls", opponents == "drawing"), strict=True):
                rates = [(han >= aim).mean() for aim in range(1, 5)]
                cells = (f"{rate:.3f} ± {1.96 * np.sqrt(rate * (1 - rate) / hands):.3f}" for rate in rates)
                print(f"| {opponents} | {player} | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4_000)
