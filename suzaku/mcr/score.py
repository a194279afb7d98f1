"""The fans of a win: every reading of a complete hand, the best one counts."""

import numpy as np

from suzaku.hand.suit_patterns import PAIR_SHIFT, POW5, RUN_SHIFT
from suzaku.hand.tables import LAST_READING, popcount
from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.mcr.fans import apply_exclusions, total
from suzaku.mcr.set_fans import (
    KNITTED,
    KNITTED_KEYS,
    chow_fans,
    concealed_fans,
    pung_fans,
    seven_pairs,
    single_tiles,
    tile_fans,
)
from suzaku.mcr.shanten import honours_state, waits_elsewhere, waits_for_pair
from suzaku.mcr.state import (
    AFTER_KONG,
    CHOW,
    CLOSED_KONG,
    FOURTH_TILE,
    LAST_TILE,
    NO_MIXED_KONGS,
    PONG,
    ROBBING_KONG,
    SELF_DRAWN,
)
from suzaku.tiles import ORPHANS

RUN_BITS = 21  # bits of a suit's chows: 3 say how often one starts at each of 7 places
ONE_SUIT = (1 << RUN_BITS) - 1
PLACES = sum(1 << 3 * i for i in range(21))
OUTER_RUNS = sum(1 << RUN_BITS * suit + 3 * place for suit in range(3) for place in (0, 6))
FIVE_RUNS = sum(1 << RUN_BITS * suit + 3 * place for suit in range(3) for place in (2, 3, 4))
FIVES = sum(1 << 9 * suit + 4 for suit in range(3))
EVENS = sum(1 << 9 * suit + n for suit in range(3) for n in (1, 3, 5, 7))
DRAGON_CHOWS = 1 | 1 << 18  # 123 and 789 of the first suit
ODDS, FOURS = 0x111111111, 0x444444444  # bits that odd counts and counts of four set, in nibbles
NINE_GATES = int(POW5 @ np.array([3, 1, 1, 1, 1, 1, 1, 1, 3]))
# With these a self-drawn hand is Self-Drawn, not Fully Concealed.
ALWAYS_CONCEALED = (
    fans.NINE_GATES | fans.SEVEN_SHIFTED_PAIRS | fans.THIRTEEN_ORPHANS | fans.FOUR_CONCEALED_PUNGS | fans.SEVEN_PAIRS
    | fans.GREATER_HONORS_AND_KNITTED_TILES | fans.LESSER_HONORS_AND_KNITTED_TILES
)  # fmt: skip


@kernel
def _event_fans(held, shown, kongs, flags):
    """The fans of how the hand was won: `held` and `shown` are its other tiles of the kind, concealed and in melds."""
    big = small = 0
    if flags & SELF_DRAWN:
        small |= fans.SELF_DRAWN
        if flags & LAST_TILE:
            big |= fans.LAST_TILE_DRAW
        if flags & AFTER_KONG and kongs > 0:
            big |= fans.OUT_WITH_REPLACEMENT_TILE
    else:
        if flags & LAST_TILE:
            big |= fans.LAST_TILE_CLAIM
        if flags & ROBBING_KONG and held == 0 and shown == 0:
            big |= fans.ROBBING_THE_KONG
    if held == 0 and (flags & FOURTH_TILE or shown == 3):
        small |= fans.LAST_TILE
    return big, small


@kernel
def _finish(big, small, more, closed):
    """The fans that are left and their total; a hand without any is a Chicken Hand."""
    if closed:
        if small & fans.SELF_DRAWN == 0:
            small |= fans.CONCEALED_HAND
        elif big & ALWAYS_CONCEALED == 0:
            small |= fans.FULLY_CONCEALED_HAND
    big, small = apply_exclusions(big, small)
    if big | small == 0:
        return 8, fans.CHICKEN_HAND, 0
    return total(big, small, more), big, small


@kernel
def _wait_fan(runs, pair, win):
    """The fan of the wait in one reading of the concealed tiles, if the hand waits for nothing else."""
    if win < 27:
        place = win % 9
        at = RUN_BITS * (win // 9) + 3 * place
        if (place == 2 and runs >> at - 6 & 7 != 0) or (place == 6 and runs >> at & 7 != 0):
            return fans.EDGE_WAIT
        if 0 < place < 8 and runs >> at - 3 & 7 != 0:
            return fans.CLOSED_WAIT
    return fans.SINGLE_WAIT if pair == win else 0


@kernel
def _in_run(runs, win):
    """Whether a kind lies in one of the chows."""
    if win >= 27:
        return False
    place = win % 9
    for first in range(max(0, place - 2), min(place, 6) + 1):
        if runs >> RUN_BITS * (win // 9) + 3 * first & 7 != 0:
            return True
    return False


@kernel
def shape_fans(pungs, runs, chows, pair):
    """The fans of a whole reading that its chows and pungs do not make by themselves."""
    big = small = 0
    if chows == 0:
        small |= fans.ALL_PUNGS
        if (pungs | 1 << pair) & ~EVENS == 0:
            big |= fans.ALL_EVEN_PUNGS
    elif chows == 4 and pair < 27:
        small |= fans.ALL_CHOWS
        if pair % 9 == 4:
            own = runs >> RUN_BITS * (pair // 9) & ONE_SUIT
            if own == 2 * DRAGON_CHOWS:
                big |= fans.PURE_TERMINAL_CHOWS
            elif own == 0:
                first = runs & ONE_SUIT if pair >= 9 else runs >> RUN_BITS & ONE_SUIT
                last = runs >> 2 * RUN_BITS & ONE_SUIT if pair < 18 else runs >> RUN_BITS & ONE_SUIT
                if first == DRAGON_CHOWS and last == DRAGON_CHOWS:
                    big |= fans.THREE_SUITED_TERMINAL_CHOWS
    starts = (runs | runs >> 1 | runs >> 2) & PLACES
    sets = pungs | 1 << pair
    if sets & ~ORPHANS == 0 and starts & ~OUTER_RUNS == 0:
        small |= fans.OUTSIDE_HAND
    if sets & ~FIVES == 0 and starts & ~FIVE_RUNS == 0:
        big |= fans.ALL_FIVE
    return big, small


@kernel
def _pack(counts):
    """The tiles of each suit as keys and as nibbles."""
    key0 = key1 = key2 = key3 = 0
    n0 = n1 = n2 = n3 = 0
    for i in range(8, -1, -1):
        a, b, c = np.int64(counts[i]), np.int64(counts[9 + i]), np.int64(counts[18 + i])
        key0, key1, key2 = key0 * 5 + a, key1 * 5 + b, key2 * 5 + c
        n0, n1, n2 = n0 << 4 | a, n1 << 4 | b, n2 << 4 | c
    for i in range(6, -1, -1):
        d = np.int64(counts[27 + i])
        key3 = key3 * 5 + d
        n3 = n3 << 4 | d
    return (key0, key1, key2, key3), (n0, n1, n2, n3)


@kernel
def _add_melds(meld_types, meld_kinds, melds, tiles):
    """Chows, pungs, concealed and melded kongs of the melds, and the nibbles of all tiles but those of kongs."""
    runs = pungs = closed_kongs = open_kongs = 0
    n0, n1, n2, n3 = tiles
    for i in range(melds):
        kind, what = np.int64(meld_kinds[i]), np.int64(meld_types[i])
        suit, place = kind // 9, kind % 9
        added = 0
        if what == CHOW:
            runs += 1 << RUN_BITS * suit + 3 * place
            added = 0x111 << 4 * place
        else:
            pungs |= 1 << kind
            if what == PONG:
                added = 3 << 4 * place
            elif what == CLOSED_KONG:
                closed_kongs += 1
            else:
                open_kongs += 1
        if suit == 0:
            n0 += added
        elif suit == 1:
            n1 += added
        elif suit == 2:
            n2 += added
        else:
            n3 += added
    return runs, pungs, closed_kongs, open_kongs, (n0, n1, n2, n3)


@kernel
def _kinds(nibbles):
    """The mask of kinds that nibbles hold."""
    found = 0
    for suit in range(4):
        bits = nibbles[suit]
        bits = (bits | bits >> 1 | bits >> 2) & 0x111111111
        # nine bits, four apart, put side by side
        bits = (bits | bits >> 3) & 0x303030303
        bits = (bits | bits >> 6) & 0xF000F000F
        bits = (bits | bits >> 12 | bits >> 24) & 511
        found |= bits << 9 * suit
    return found


@kernel
def _reading_fans(pungs, runs, pair, knitted, nine_gates, base, melded, how):
    """The fans of one reading of the concealed tiles: `pungs`, `runs` and the pair, beside those that all have."""
    base_big, base_small, base_more = base
    open_runs, open_pungs, closed_kongs, open_kongs = melded
    win, flags, seat_wind, round_wind = how
    hidden = popcount(pungs) + closed_kongs
    if flags & SELF_DRAWN == 0 and pungs >> win & 1 != 0 and not _in_run(runs, win):
        hidden -= 1  # the claimed tile opens its pung
    runs += open_runs
    pungs |= open_pungs
    big, small, more = pung_fans(pungs, pair, seat_wind, round_wind)
    if nine_gates:
        big |= fans.NINE_GATES
        if more >> fans.MORE_TERMINAL_PUNGS != 0:
            more -= 1 << fans.MORE_TERMINAL_PUNGS
        else:
            small &= ~fans.PUNG_OF_TERMINALS_OR_HONORS
    if knitted:
        big |= fans.KNITTED_STRAIGHT
        if pungs == 0 and pair < 27:
            small |= fans.ALL_CHOWS
    else:
        chow_big, chow_small, chow_more = chow_fans(runs)
        shape_big, shape_small = shape_fans(pungs, runs, 4 - popcount(pungs), pair)
        big |= chow_big | shape_big
        small |= chow_small | shape_small
        more += chow_more
    kong_big, kong_small = concealed_fans(hidden, closed_kongs, open_kongs, flags & NO_MIXED_KONGS == 0)
    return big | kong_big | base_big, small | kong_small | base_small, more + base_more


@kernel
def _best_reading(tables, key, sizes, knitted, only_wait, nine_gates, base, melded, how, closed):
    """The best of all readings of tiles as melds and a pair, beside the fans that all have; -1 if there is none.

    `knitted`: these are the tiles beside a knitted straight. `only_wait`: no other shape waits for another tile.
    """
    win = how[0]
    best, best_big, best_small, best_more = -1, 0, 0, 0
    first0, first1, first2 = tables.reading_of[key[0]], tables.reading_of[key[1]], tables.reading_of[key[2]]
    pairs = honours_state(key[3])
    for suit in range(3):
        pairs += sizes[suit] % 3 == 2
    if pairs != 1 or first0 == 0 or first1 == 0 or first2 == 0 or honours_state(key[3]) < 0:
        return best, best_big, best_small, best_more
    honour_pungs, honour_pair = 0, -1
    rest = key[3]
    for kind in range(27, 34):
        n = rest % 5
        rest //= 5
        if n == 3:
            honour_pungs |= 1 << kind
        elif n == 2:
            honour_pair = kind
    seen = False  # whether the other waits were looked for
    i0 = np.int64(first0) - 1
    while True:
        r0 = tables.reading[i0]
        i1 = np.int64(first1) - 1
        while True:
            r1 = tables.reading[i1]
            i2 = np.int64(first2) - 1
            while True:
                r2 = tables.reading[i2]
                a, b, c = np.int64(r0 & ~LAST_READING), np.int64(r1 & ~LAST_READING), np.int64(r2 & ~LAST_READING)
                pungs = a & 511 | (b & 511) << 9 | (c & 511) << 18 | honour_pungs
                runs = (
                    a >> RUN_SHIFT & ONE_SUIT
                    | (b >> RUN_SHIFT & ONE_SUIT) << RUN_BITS
                    | (c >> RUN_SHIFT & ONE_SUIT) << 2 * RUN_BITS
                )
                a, b, c = a >> PAIR_SHIFT, b >> PAIR_SHIFT, c >> PAIR_SHIFT
                pair = a - 1 if a > 0 else b + 8 if b > 0 else c + 17 if c > 0 else honour_pair
                big, small, more = _reading_fans(pungs, runs, pair, knitted, nine_gates, base, melded, how)
                if only_wait:
                    wait = _wait_fan(runs, pair, win)
                    if wait != 0:
                        if not seen:
                            only_wait = not waits_elsewhere(tables, key, sizes, win)
                            seen = True
                        if only_wait:
                            small |= wait
                points, big, small = _finish(big, small, more, closed)
                if points > best:
                    best, best_big, best_small, best_more = points, big, small, more
                if r2 & LAST_READING != 0:
                    break
                i2 += 1
            if r1 & LAST_READING != 0:
                break
            i1 += 1
        if r0 & LAST_READING != 0:
            break
        i0 += 1
    return best, best_big, best_small, best_more


@kernel
def win_fans(tables, counts, meld_types, meld_kinds, melds, win, flags, seat_wind, round_wind):
    """The best total without flowers (-1: no hand), and its fans: bits of big, of small, and how often more.

    `counts` are the concealed tiles with the winning one; `meld_kinds` the lowest kinds of the melds. The bits are
    those of `fans.py`.
    """
    win = np.int64(win)
    how = (win, np.int64(flags), np.int64(seat_wind), np.int64(round_wind))
    key, concealed = _pack(counts)
    runs, pungs, closed_kongs, open_kongs, tiles = _add_melds(meld_types, meld_kinds, melds, concealed)
    n0, n1, n2, n3 = concealed
    sizes = (n0 % 15, n1 % 15, n2 % 15, n3 % 15)
    kinds = _kinds(concealed)
    held = np.int64(counts[win])
    shown = (tiles[win // 9] >> 4 * (win % 9) & 15) - held
    closed = melds == closed_kongs
    big, small = tile_fans(_kinds(tiles) | pungs)
    event_big, event_small = _event_fans(held - 1, shown, closed_kongs + open_kongs, flags)
    big |= event_big
    small |= event_small
    if melds == 4 and closed_kongs == 0 and flags & SELF_DRAWN == 0:
        small |= fans.MELDED_HAND
    n0, n1, n2, n3 = tiles
    hogs = popcount(n0 & FOURS) + popcount(n1 & FOURS) + popcount(n2 & FOURS) + popcount(n3 & FOURS)
    more = 0
    if hogs > 0:
        small |= fans.TILE_HOG
        more = hogs - 1 << fans.MORE_HOGS
    base = (big, small, more)

    best, best_big, best_small, best_more = -1, 0, 0, 0
    only_wait = True
    nine_gates = False
    if melds == 0:
        n0, n1, n2, n3 = concealed
        odd = _kinds((n0 & ODDS, n1 & ODDS, n2 & ODDS, n3 & ODDS))
        n = popcount(kinds)
        special = 0
        if odd == 0:
            special = seven_pairs(kinds)
        elif n >= 13:
            special = single_tiles(kinds, n)
        if special != 0:
            best, best_big, best_small = _finish(big | special, small, more, True)
            best_more = more
            if n >= 13:
                return best, best_big, best_small, best_more
        only_wait = not waits_for_pair(odd ^ 1 << win, win)
        nine_gates = big & fans.FULL_FLUSH != 0 and key[win // 9] - POW5[win % 9] == NINE_GATES
    melded = (runs, pungs, closed_kongs, open_kongs)
    if melds <= 1:
        for i in range(6):
            if kinds & KNITTED[i] == KNITTED[i]:
                rest = (key[0] - KNITTED_KEYS[i, 0], key[1] - KNITTED_KEYS[i, 1], key[2] - KNITTED_KEYS[i, 2], key[3])
                rest_sizes = (sizes[0] - 3, sizes[1] - 3, sizes[2] - 3, sizes[3])
                in_rest = rest[win // 9] // POW5[win % 9] % 5 > 0
                return _best_reading(tables, rest, rest_sizes, True, in_rest, False, base, melded, how, closed)
    points, big, small, more = _best_reading(
        tables, key, sizes, False, only_wait, nine_gates, base, melded, how, closed
    )
    if points > best:
        return points, big, small, more
    return best, best_big, best_small, best_more


@kernel
def win_fan(tables, counts, meld_types, meld_kinds, melds, win, flags, seat_wind, round_wind):
    """The best total without flowers, or -1 if the tiles complete no hand."""
    return win_fans(tables, counts, meld_types, meld_kinds, melds, win, flags, seat_wind, round_wind)[0]
