"""What a win is worth: kernels that read a complete hand in the way that pays most.

Of one reading, the winning tile takes the place that pays most, and no trial is needed to find it: a two-sided wait if
that makes pinfu, else a place that gives fu (the pair, a middle or edge wait), else a two-sided wait, else a triplet,
which a discard would open.
"""

import numpy as np

from suzaku.hand.suit_patterns import PAIR_SHIFT, POW5, RUN_SHIFT
from suzaku.hand.tables import KINDS, ORPHAN_KINDS, PAIRS, popcount
from suzaku.kernel import kernel
from suzaku.riichi import yaku
from suzaku.riichi.state import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG
from suzaku.riichi.yaku import DRAGONS, ONE_SUIT, ORPHANS, PLACES, RUN_BITS, WINDS, shape_yaku, shape_yakuman

# flags: how the hand was won
DRAW = 1  # by self-draw
RIICHI = 2
DOUBLE_RIICHI = 4
IPPATSU = 8
LAST_TILE = 16  # the last draw, or the last discard
AFTER_KONG = 32  # on a replacement tile
ROBBING_KONG = 64
FIRST_TURN = 128  # with DRAW: the seat's first draw, and no call so far

NINE_GATES = int(POW5 @ np.array([3, 1, 1, 1, 1, 1, 1, 1, 3]))  # key of the suit without the winning tile's extra one


@kernel
def base_points(rules, han, fu, yakuman):
    """The basic points of a win: 2000 for mangan, 8000 for each yakuman. A discarder pays 4x (6x to the dealer)."""
    if yakuman > 0:
        return 8000 * yakuman
    if han >= 13:
        return 8000 if rules.counted_yakuman else 6000
    if han >= 11:
        return 6000
    if han >= 8:
        return 4000
    if han >= 6:
        return 3000
    if han >= 5:
        return 2000
    points = fu << 2 + han
    if points >= 2000 or (points == 1920 and rules.round_up_mangan):
        return 2000
    return points


@kernel
def round_up(points):
    """Points rounded up to hundreds, as every payment is."""
    return (points + 99) // 100 * 100


@kernel
def _count_han(found, closed):
    """The han of a mask of ordinary yaku."""
    if closed:
        return (
            popcount(found & yaku.CLOSED_HAN_1)
            + 2 * popcount(found & yaku.CLOSED_HAN_2)
            + 4 * popcount(found & yaku.CLOSED_HAN_4)
        )
    return (
        popcount(found & yaku.OPEN_HAN_1)
        + 2 * popcount(found & yaku.OPEN_HAN_2)
        + 4 * popcount(found & yaku.OPEN_HAN_4)
    )


@kernel
def _count_yakuman(rules, found):
    """How many times yakuman a mask of yakuman counts."""
    n = popcount(found)
    if rules.double_yakuman:
        n += popcount(found & yaku.DOUBLE_MASK)
    return n


@kernel
def _luck_yaku(rules, flags, closed):
    """The ordinary yaku of how the hand was won."""
    found = 0
    if flags & DRAW and closed:
        found |= 1 << yaku.MENZEN_TSUMO
    if flags & DOUBLE_RIICHI:
        found |= 1 << yaku.DOUBLE_RIICHI
    elif flags & RIICHI:
        found |= 1 << yaku.RIICHI
    if flags & IPPATSU and rules.ippatsu:
        found |= 1 << yaku.IPPATSU
    # A replacement tile is not the last tile of the wall, nor is a robbed kong a discard: one of these at most.
    if flags & AFTER_KONG:
        found |= 1 << yaku.RINSHAN
    elif flags & ROBBING_KONG:
        found |= 1 << yaku.CHANKAN
    elif flags & LAST_TILE:
        found |= 1 << (yaku.HAITEI if flags & DRAW else yaku.HOUTEI)
    return found


@kernel
def _luck_yakuman(flags, seat_wind):
    """The yakuman of a win by the first draw."""
    if flags & FIRST_TURN and flags & DRAW:
        return 1 << (yaku.TENHOU if seat_wind == 0 else yaku.CHIIHOU)
    return 0


@kernel
def _count_suits(k0, k1, k2):
    """How many suits are among the concealed tiles."""
    return (1 if k0 != 0 else 0) + (1 if k1 != 0 else 0) + (1 if k2 != 0 else 0)


@kernel
def _nine_gates(k0, k1, k2, k3, win):
    """Nine gates: one suit alone, 1112345678999 and one tile more."""
    if k3 != 0 or _count_suits(k0, k1, k2) != 1 or k0 + k1 + k2 <= NINE_GATES:
        return 0
    extra = k0 + k1 + k2 - NINE_GATES
    for i in range(9):
        if extra == POW5[i]:
            return 1 << (yaku.JUNSEI_CHUUREN if win % 9 == i else yaku.CHUUREN)
    return 0


@kernel
def _concealed_yakuman(hidden, on_pair):
    """Four concealed triplets; `on_pair`: the winning tile completes the pair."""
    if hidden < 4:
        return 0
    return 1 << (yaku.SUUANKOU_TANKI if on_pair else yaku.SUUANKOU)


@kernel
def _pair_fu(rules, pair, round_wind, seat_wind):
    """The fu of the pair."""
    if pair >= DRAGONS:
        return 2
    wind = pair - WINDS
    if wind == round_wind and wind == seat_wind:
        return np.int64(rules.double_wind_fu)
    return 2 if wind in (round_wind, seat_wind) else 0


@kernel
def _run_waits(runs, win):
    """Whether the winning tile can end a two-sided wait, and whether a middle or edge wait, among concealed runs."""
    if win >= 27:
        return False, False
    place = win % 9
    starts = (runs | runs >> 1 | runs >> 2) & PLACES
    near = (starts >> RUN_BITS * (win // 9) & ONE_SUIT) << 6 >> 3 * place
    lowest, middle, highest = near & 64 != 0, near & 8 != 0, near & 1 != 0
    two_sided = (lowest and place != 6) or (highest and place != 2)
    return two_sided, middle or (lowest and place == 6) or (highest and place == 2)


@kernel
def _unusual(tables, rules, hand, k0, k1, k2, k3, wins, flags, seat_wind, extra):
    """The value of seven pairs or thirteen orphans, as `best_win`."""
    e0, e1, e2, e3 = (
        np.int64(tables.suit[k0]),
        np.int64(tables.suit[k1]),
        np.int64(tables.suit[k2]),
        np.int64(tables.honour[k3]),
    )
    kinds = (e0 >> KINDS & 15) + (e1 >> KINDS & 15) + (e2 >> KINDS & 15) + (e3 >> KINDS & 15)
    orphans = (
        (e0 >> ORPHAN_KINDS & 15) + (e1 >> ORPHAN_KINDS & 15) + (e2 >> ORPHAN_KINDS & 15) + (e3 >> ORPHAN_KINDS & 15)
    )
    best = _luck_yakuman(flags, seat_wind)
    if orphans == 13 and kinds == 13:
        pair = 0
        while hand[pair] != 2:
            pair += 1
        best |= 1 << (yaku.KOKUSHI_13 if wins >> pair & 1 else yaku.KOKUSHI)
        return np.uint64(best), 0, 0, _count_yakuman(rules, best)
    pairs = (e0 >> PAIRS & 15) + (e1 >> PAIRS & 15) + (e2 >> PAIRS & 15) + (e3 >> PAIRS & 15)
    if pairs != 7 or kinds != 7:
        return np.uint64(0), 0, 0, 0
    if k0 + k1 + k2 == 0:
        best |= 1 << yaku.TSUUIISOU
    if best != 0:
        return np.uint64(best), 0, 0, _count_yakuman(rules, best)
    found = _luck_yaku(rules, flags, True) | 1 << yaku.CHIITOITSU
    if orphans == 0:
        found |= 1 << yaku.TANYAO
    elif orphans == 7:
        found |= 1 << yaku.HONROUTOU
    if _count_suits(k0, k1, k2) == 1:
        found |= 1 << (yaku.HONITSU if k3 != 0 else yaku.CHINITSU)
    return np.uint64(found), _count_han(found, True) + extra, 25, 0


@kernel
def _read_melds(melds, meld_type, meld_tile):
    """Triplets, runs, concealed kongs, kongs, fu of the melds, and whether the hand is closed."""
    triplets = runs = hidden = kongs = fu = 0
    closed = True
    for i in range(melds):
        type_, tile = np.int64(meld_type[i]), np.int64(meld_tile[i])
        if type_ != CLOSED_KONG:
            closed = False
        if type_ == CHOW:
            runs += 1 << RUN_BITS * (tile // 9) + 3 * (tile % 9)
            continue
        triplets |= 1 << tile
        pong_fu = 4 if ORPHANS >> tile & 1 else 2
        if type_ == CLOSED_KONG:
            hidden += 1
            kongs += 1
            fu += 8 * pong_fu
        elif type_ in (OPEN_KONG, ADDED_KONG):
            kongs += 1
            fu += 4 * pong_fu
        else:
            fu += pong_fu
    return triplets, runs, hidden, kongs, fu, closed


@kernel
def _read_honours(hand, k3):
    """Triplets and pair + 1 of the concealed honours; a triplet mask of -1 if they are not complete."""
    triplets = 0
    pair = 0
    if k3 == 0:
        return triplets, pair
    for kind in range(27, 34):
        n = hand[kind]
        if n == 3:
            triplets |= 1 << kind
        elif n == 2 and pair == 0:
            pair = kind + 1
        elif n != 0:
            return -1, 0
    return triplets, pair


@kernel
def win_value(tables, rules, hand, key, melds, meld_type, meld_tile, win, flags, round_wind, seat_wind, extra):
    """The value of a win: (mask of yaku, han with `extra`, fu, how many times yakuman). A mask of 0 means no win.

    `hand` and `key` are the concealed tiles with the winning one, `extra` the han of doras.
    """
    wins = 1 << np.int64(win)
    return best_win(tables, rules, hand, key, melds, meld_type, meld_tile, wins, flags, round_wind, seat_wind, extra)


@kernel
def best_win(tables, rules, hand, key, melds, meld_type, meld_tile, wins, flags, round_wind, seat_wind, extra):
    """As `win_value`, with that one of several kinds (a mask) as the winning tile which pays most.

    The hand is read once for all of them.
    """
    wins, flags, melds = np.int64(wins), np.int64(flags), np.int64(melds)
    round_wind, seat_wind, extra = np.int64(round_wind), np.int64(seat_wind), np.int64(extra)
    k0, k1, k2, k3 = np.int64(key[0]), np.int64(key[1]), np.int64(key[2]), np.int64(key[3])
    a0, b0, c0 = np.int64(tables.reading_of[k0]), np.int64(tables.reading_of[k1]), np.int64(tables.reading_of[k2])
    honour_triplets, honour_pair = _read_honours(hand, k3)
    complete = a0 != 0 and b0 != 0 and c0 != 0 and honour_triplets >= 0
    if complete:
        pairs = np.int64(honour_pair != 0)
        for i in (a0, b0, c0):
            pairs += np.int64(np.int64(tables.reading[i - 1]) >> PAIR_SHIFT & 15 != 0)
        complete = pairs == 1
    if not complete:
        if melds > 0:
            return np.uint64(0), 0, 0, 0
        return _unusual(tables, rules, hand, k0, k1, k2, k3, wins, flags, seat_wind, extra)

    meld_triplets, meld_runs, meld_hidden, kongs, meld_fu, closed = _read_melds(melds, meld_type, meld_tile)
    luck = _luck_yaku(rules, flags, closed)
    lucky_yakuman = _luck_yakuman(flags, seat_wind)
    by_draw = flags & DRAW != 0
    base_fu = 20 + meld_fu + (2 if by_draw else 10 if closed else 0)

    best = best_yakuman = best_han = best_fu = 0
    best_points = -1
    a = a0 - 1
    while True:  # over the readings of the three suits
        x = np.int64(tables.reading[a])
        b = b0 - 1
        while True:
            y = np.int64(tables.reading[b])
            c = c0 - 1
            while True:
                z = np.int64(tables.reading[c])
                triplets = x & 511 | (y & 511) << 9 | (z & 511) << 18 | honour_triplets
                runs = (
                    (x >> RUN_SHIFT & ONE_SUIT)
                    | (y >> RUN_SHIFT & ONE_SUIT) << RUN_BITS
                    | (z >> RUN_SHIFT & ONE_SUIT) << 2 * RUN_BITS
                )
                if x >> PAIR_SHIFT & 15 != 0:
                    pair = (x >> PAIR_SHIFT & 15) - 1
                elif y >> PAIR_SHIFT & 15 != 0:
                    pair = (y >> PAIR_SHIFT & 15) + 8
                elif z >> PAIR_SHIFT & 15 != 0:
                    pair = (z >> PAIR_SHIFT & 15) + 17
                else:
                    pair = np.int64(honour_pair - 1)

                all_triplets, all_runs = triplets | meld_triplets, runs + meld_runs
                hidden_all = popcount(triplets)
                fu_all = base_fu + 4 * hidden_all + 4 * popcount(triplets & ORPHANS)
                hidden_all += meld_hidden
                yakuman_all = lucky_yakuman | shape_yakuman(all_triplets, all_runs, pair, kongs)
                pair_fu = _pair_fu(rules, pair, round_wind, seat_wind)
                found_all = luck | shape_yaku(
                    rules.open_tanyao, all_triplets, all_runs, pair, kongs, closed, round_wind, seat_wind
                )
                left = wins
                while left != 0:  # over the winning tiles
                    win = popcount((left & -left) - 1)
                    left &= left - 1
                    two_sided, narrow = _run_waits(runs, win)
                    hidden, fu = hidden_all, fu_all
                    if pair == win or narrow:
                        fu += 2
                    elif not two_sided and not by_draw:  # a discard opens the triplet that it completes
                        hidden -= 1
                        fu -= 4 if ORPHANS >> win & 1 else 2

                    yakuman = yakuman_all | _concealed_yakuman(hidden, pair == win)
                    if melds == 0:
                        yakuman |= _nine_gates(k0, k1, k2, k3, win)
                    if yakuman != 0:
                        if _count_yakuman(rules, yakuman) > _count_yakuman(rules, best_yakuman):
                            best_yakuman = yakuman
                    elif best_yakuman == 0:
                        found = found_all
                        if hidden == 3:
                            found |= 1 << yaku.SANANKOU
                        if two_sided and closed and all_triplets == 0 and pair_fu == 0:
                            found |= 1 << yaku.PINFU
                            fu = 20 if by_draw else 30
                        else:
                            fu = max((fu + pair_fu + 9) // 10 * 10, 30)  # an open hand of no fu has 30 too
                        if found != 0:
                            han = _count_han(found, closed) + extra
                            points = base_points(rules, han, fu, 0)
                            if (points, han, fu) > (best_points, best_han, best_fu):
                                best, best_han, best_fu, best_points = found, han, fu, points
                if z < 0:
                    break
                c += 1
            if y < 0:
                break
            b += 1
        if x < 0:
            break
        a += 1
    if best_yakuman != 0:
        return np.uint64(best_yakuman), 0, 0, _count_yakuman(rules, best_yakuman)
    return np.uint64(best), best_han, best_fu, 0
