"""Who may claim a discard or rob a kong, in which order they are asked, and furiten.

- Furiten: who may not win on a discard, and how a winning tile that passes makes a seat so.
- Kernels that say who may claim a discard or rob a kong, and ask them one by one.
"""

from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi.deal import add_tile, bit, has, remove_tile
from suzaku.riichi.score import (
    AFTER_KONG,
    DOUBLE_RIICHI,
    DRAW,
    FIRST_TURN,
    IPPATSU,
    LAST_TILE,
    RIICHI,
    ROBBING_KONG,
    win_value,
)  # fmt: skip
from suzaku.riichi.state import CLAIM, CLOSED_KONG, OPEN_KONG, ROB
from suzaku.riichi.yaku import KOKUSHI, KOKUSHI_13
from suzaku.table.kernels import ask_queued
from suzaku.tiles import KIND_OF

# A seat is furiten while it waits for a kind of its own river, and after it let a winning tile pass: until its next
# discard, or to the end of the round once it is in riichi.


@kernel
def is_furiten(s, p):
    """Whether seat p may not win on a discard."""
    return s.missed[p] != 0 or s.waits[p] & s.discarded[p] != 0


@kernel
def note_missed(s, p):
    """Seat p let a winning tile pass."""
    s.missed[p] = 2 if s.riichi[p] else 1


@kernel
def end_turn(s, p):
    """Seat p has discarded: what it let pass before is forgotten, unless it is in riichi."""
    if s.missed[p] == 1:
        s.missed[p] = 0


@kernel
def note_passed(s):
    """Nobody won on the offered tile: who waited for it let it pass."""
    kind = KIND_OF[s.offer]
    if s.phase == ROB and s.kong_type == CLOSED_KONG:
        for p in range(4):
            if (s.can_win >> p) & 1:
                note_missed(s, p)
        return
    for p in range(4):
        if p != s.turn and has(s.waits[p], kind):
            note_missed(s, p)


# Seats are asked by priority: first all that may win, in turn order, then the one that may pong or kong, then the one
# that may chow. A seat whose answer could no longer matter is not asked, so every recorded answer is a real decision.


@kernel
def win_flags(s, p, drawn, robbing):
    """The circumstances of a win by seat p, as flags of `score.py`."""
    flags = 0
    if drawn:
        flags |= DRAW
        if s.after_kong:
            flags |= AFTER_KONG
        if s.unbroken and s.river_size[p] == 0:
            flags |= FIRST_TURN
    if s.riichi[p] == 1:
        flags |= RIICHI
    elif s.riichi[p] == 2:
        flags |= DOUBLE_RIICHI
    if s.ippatsu[p]:
        flags |= IPPATSU
    if robbing:
        flags |= ROBBING_KONG
    elif s.left == 0 and not (drawn and s.after_kong):
        flags |= LAST_TILE
    return flags


@kernel
def value_of(tables, s, p, tile, drawn, robbing, extra):
    """What seat p's hand with the winning tile (already in it) is worth: yaku, han, fu, yakuman."""
    return win_value(
        tables,
        s.rules,
        s.hand[p],
        s.key[p],
        s.melds[p],
        s.meld_type[p],
        s.meld_tile[p],
        KIND_OF[tile],
        win_flags(s, p, drawn, robbing),
        (s.round_no // 4) & 3,
        (p - s.dealer) & 3,
        extra,
    )


@kernel
def can_win_on(tables, s, p, tile, robbing):
    """Whether seat p may win on a tile of another seat."""
    if not has(s.waits[p], KIND_OF[tile]) or is_furiten(s, p):
        return False
    closed_kong = robbing and s.kong_type == CLOSED_KONG
    if s.riichi[p] and not closed_kong:
        return True
    add_tile(s, p, tile)
    yaku = value_of(tables, s, p, tile, False, robbing, 0)[0]
    remove_tile(s, p, tile)
    if closed_kong:
        return has(yaku, KOKUSHI) or has(yaku, KOKUSHI_13)
    return yaku != 0


@kernel
def four_kongs(s):
    """Whether the round is aborted after this discard: four kongs, not all by one seat."""
    if s.kongs < 4 or not s.rules.abort_four_kongs:
        return False
    for p in range(4):
        kongs = 0
        for i in range(s.melds[p]):
            if s.meld_type[p, i] >= OPEN_KONG:
                kongs += 1
        if 0 < kongs < 4:
            return True
    return False


@kernel
def _can_call(s, p):
    """Whether seat p may chow, pong or kong at all."""
    return s.riichi[p] == 0 and s.left > 0 and not four_kongs(s)


@kernel
def _can_pong(s, p, tile):
    return s.hand[p, KIND_OF[tile]] >= 2 and _can_call(s, p)


@kernel
def chow_options(s, p, tile):
    """The chows seat p may make with a discard of the seat before it: bit i for action CHOW_LOW + i."""
    kind = KIND_OF[tile]
    if kind >= 27 or (s.turn + 1) & 3 != p or not _can_call(s, p):
        return 0
    options = 0
    for shape in range(3):
        low = kind % 9 - shape  # lowest place of the run
        if low < 0 or low > 6:
            continue
        a = kind - shape + (1 if shape == 0 else 0)
        b = kind - shape + (1 if shape == 2 else 2)
        if s.hand[p, a] == 0 or s.hand[p, b] == 0:
            continue
        if not s.rules.swap_calling:  # a tile must remain that may be discarded
            barred = s.hand[p, kind]
            if shape == 0 and low < 6:
                barred += s.hand[p, kind + 3]
            elif shape == 2 and low > 0:
                barred += s.hand[p, kind - 3]
            if 13 - 3 * s.melds[p] - 2 <= barred:
                continue
        five = a if a % 9 == 4 else b
        red = s.red[p, kind // 9] if five % 9 == 4 else 0
        if s.hand[p, five] > red:
            options |= 1 << shape
        if red > 0:
            options |= 1 << (act.CHOW_RED + shape)
    return options


@kernel
def barred_by_swap(kind, shape):
    """Kinds that swap-calling bars from the discard after calling a tile as the lowest (0) to highest (2) of a run.

    For a pong, `shape` is -1.
    """
    barred = bit(kind)
    if shape == 0 and kind % 9 < 6:
        barred |= bit(kind + 3)
    elif shape == 2 and kind % 9 > 2:
        barred |= bit(kind - 3)
    return barred


@kernel
def fill_claims(s, p, out):
    """Set what seat p may do with the offered discard or kong."""
    out[act.PASS] = True
    if (s.can_win >> p) & 1:
        out[act.WIN_DISCARD] = True
    if s.phase == ROB:
        return
    if _can_pong(s, p, s.offer):
        kind = KIND_OF[s.offer]
        red = s.red[p, kind // 9] if kind < 27 and kind % 9 == 4 else 0
        if s.hand[p, kind] - red >= 2:
            out[act.PONG] = True
        if red > 0:
            out[act.PONG_RED] = True
        if s.hand[p, kind] == 3 and s.kongs < 4:
            out[act.OPEN_KONG] = True
    options = chow_options(s, p, s.offer)
    for i in range(6):
        if (options >> i) & 1:
            out[act.CHOW_LOW + i] = True


@kernel
def open_claims(tables, s, tile, robbing):
    """Offer a tile of seat `turn` to the others and queue up those who can claim it."""
    s.offer = tile
    s.phase = ROB if robbing else CLAIM
    s.claim[:] = act.PASS
    s.queue[:] = -1
    s.can_win = 0
    n = 0
    for i in range(1, 4):
        p = (s.turn + i) & 3
        if s.waits[p] != 0 and can_win_on(tables, s, p, tile, robbing):
            s.can_win |= 1 << p
            s.queue[n] = p
            n += 1
    if robbing:
        return
    for i in range(1, 4):
        p = (s.turn + i) & 3
        if not (s.can_win >> p) & 1 and _can_pong(s, p, tile):
            s.queue[n] = p
            n += 1
    p = (s.turn + 1) & 3
    if not (s.can_win >> p) & 1 and not _can_pong(s, p, tile) and chow_options(s, p, tile) != 0:
        s.queue[n] = p


@kernel
def ask_next(s):
    """Ask the next queued seat whose answer can still matter; whether there is one."""
    taken = False  # a win, kong or pong was claimed: a seat that cannot win has nothing to say any more
    wins = 0
    for p in range(4):
        answer = s.claim[p]
        if answer == act.WIN_DISCARD:
            wins += 1
        if answer == act.WIN_DISCARD or act.PONG <= answer <= act.OPEN_KONG:
            taken = True
    if wins == s.rules.wins_on_discard and not s.rules.too_many_wins_abort:
        return False
    return ask_queued(s, taken)
