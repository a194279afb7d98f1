"""Kernels that play on and check every state, and tables of every phase to look at."""

import numpy as np

from suzaku.hand.shanten import shanten_keys, waits_keys
from suzaku.hand.tables import POW5
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import STATE, Rules
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.deal import deal_round, start_game
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.step import step
from suzaku.seeds import GOLDEN, mix
from suzaku.table.kernels import choose_random
from suzaku.tiles import KIND_OF, RED, full_set

FULL = np.bincount(full_set(True), minlength=37).astype(np.int64)
OK, TILES_LOST, POINTS_LOST, NOTHING_LEGAL, WRONG_KEYS, WRONG_WAITS, RIVER_FULL, WRONG_HAND_SIZE = range(8)
PROBLEMS = ("ok", "tiles lost", "points lost", "nothing legal", "wrong keys", "wrong waits", "river full", "hand size")


@kernel
def count_tiles(s, counts):
    """Count the 37 tiles in hands, melds, rivers (called tiles lie in melds) and the undrawn wall."""
    counts[:] = 0
    for p in range(4):
        for kind in range(34):
            red = s.red[p, kind // 9] if kind < 27 and kind % 9 == 4 else 0
            counts[kind] += s.hand[p, kind] - red
            if red:
                counts[RED + kind // 9] += red
        for i in range(s.melds[p]):
            first = s.meld_tile[p, i]
            if s.meld_type[p, i] == st.CHOW:
                for kind in range(first, first + 3):
                    counts[kind] += 1
            else:
                counts[first] += 3 if s.meld_type[p, i] == st.PONG else 4
            if s.meld_red[p, i]:
                suit = first // 9
                counts[9 * suit + 4] -= s.meld_red[p, i]
                counts[RED + suit] += s.meld_red[p, i]
        for i in range(s.river_size[p]):
            if not s.river_flag[p, i] & st.RIVER_CALLED:
                counts[s.river[p, i]] += 1
    for i in range(14, s.next + 1):
        counts[s.wall[i]] += 1
    for i in range(s.kongs, 4):
        counts[s.wall[st.REPLACEMENTS[i]]] += 1
    for i in range(5):
        counts[s.wall[st.INDICATORS[i]]] += 1
        counts[s.wall[st.URA_INDICATORS[i]]] += 1


@kernel
def check(tables, s, legal, counts):
    """The number of the first thing that is wrong with a table that asks somebody, or OK."""
    count_tiles(s, counts)
    for tile in range(37):
        if counts[tile] != FULL[tile]:
            return TILES_LOST
    if s.scores.sum() + 1000 * s.sticks != 100_000:
        return POINTS_LOST
    for p in range(4):
        size = 0
        for suit in range(4):
            key = 0
            for i in range(9 if suit < 3 else 7):
                size += s.hand[p, 9 * suit + i]
                key += s.hand[p, 9 * suit + i] * POW5[i]
            if key != s.key[p, suit]:
                return WRONG_KEYS
        holds = s.phase <= st.RIICHI_DISCARD and p == s.seat
        if size != 13 - 3 * s.melds[p] + holds:
            return WRONG_HAND_SIZE
        if not holds:
            if s.shanten[p] != shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p]):
                return WRONG_WAITS
            if s.waits[p] != waits_keys(tables, s.hand[p], s.key[p], s.melds[p]):
                return WRONG_WAITS
        if s.river_size[p] > 27:
            return RIVER_FULL
    return OK if legal.sum() > 0 else NOTHING_LEGAL


@kernel
def choose(legal, x, eager):
    """A random legal action; an eager one takes wins, riichi and kongs when they come, and passes most other claims."""
    if eager:
        for action in (act.WIN_DRAW, act.WIN_DISCARD, act.RIICHI):
            if legal[action] and mix(x + np.uint64(action)) & np.uint64(7) != 0:
                return action
        for action in range(act.OPEN_KONG, act.WIN_DRAW):
            if legal[action]:
                return action
        if legal[act.PASS] and x & np.uint64(7) != 0:
            return act.PASS
    return choose_random(legal, x)


@kernel
def best_discard(tables, s, legal, x):
    """A legal discard after which the shanten is lowest, or -1; ties are broken by the random bits."""
    best = -1
    lowest = 99
    turn = np.int64(x >> np.uint64(40)) % 38
    for i in range(38):
        action = (i + turn) % 38
        if not legal[action]:
            continue
        tile = s.drawn if action == act.DISCARD_DRAWN else action
        kind = KIND_OF[tile]
        s.key[s.seat, kind // 9] -= POW5[kind % 9]
        k = s.key[s.seat]
        value = shanten_keys(tables, k[0], k[1], k[2], k[3], s.melds[s.seat])
        s.key[s.seat, kind // 9] += POW5[kind % 9]
        if value < lowest:
            lowest = value
            best = action
    return best


@kernel
def decide(tables, s, legal, x, skilled):
    """An action: at random, or towards a win."""
    action = choose(legal, x, skilled)
    if skilled and action <= act.DISCARD_DRAWN:
        return best_discard(tables, s, legal, x)
    return action


@kernel
def soak(tables, s, legal, rounds, skilled, x, results, counts):
    """Play `rounds` rounds and check every state; (problem, rounds played, longest river, decisions)."""
    done = 0
    longest = 0
    decisions = 0
    while done < rounds:
        fill_legal(tables, s, legal)
        problem = check(tables, s, legal, counts)
        if problem != OK:
            return problem, done, longest, decisions
        x += GOLDEN
        deal = s.deal
        step(tables, s, decide(tables, s, legal, mix(x), skilled))
        decisions += 1
        for p in range(4):
            longest = max(longest, s.river_size[p])
        if s.phase == st.GAME_OVER or s.deal != deal:
            done += 1
            results[s.result] += 1
            if s.deltas.sum() % 1000 != 0 or s.scores.sum() + 1000 * s.sticks != 100_000:
                return POINTS_LOST, done, longest, decisions
        if s.phase == st.GAME_OVER:
            start_game(s, s.seed, s.game + 1)
            deal_round(tables, s)
    return OK, done, longest, decisions


def new_tables(n: int, seed: int = 0, rules: Rules | None = None) -> np.ndarray:
    records = np.zeros(n, STATE)
    records["rules"] = (rules or Rules.tenhou()).to_record()
    records["auto"] = 1
    for i in range(n):
        start_game(records[i], np.uint64(seed), i)
        deal_round(hand_tables(), records[i])
    return records


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether all fields of the records are equal (the bytes between fields mean nothing)."""
    return all(np.array_equal(a[name], b[name]) for name in a.dtype.names)


@kernel
def collect(tables, s, legal, out, x):
    """Fill out[phase, :] with states of skilled play: one in 40, and every one where a kong may be robbed."""
    found = np.zeros(out.shape[0], np.int64)
    while found.min() < out.shape[1]:
        x += GOLDEN
        fill_legal(tables, s, legal)
        if s.phase == st.ROB or mix(~x) % np.uint64(40) == 0:
            phase = min(s.phase, out.shape[0] - 1)  # with one row fewer, the last one holds robbed kongs too
            if found[phase] < out.shape[1]:
                out[phase, found[phase]] = s
                found[phase] += 1
        step(tables, s, decide(tables, s, legal, mix(x), True))
        if s.phase == st.GAME_OVER:
            start_game(s, s.seed, s.game + 1)
            deal_round(tables, s)


def some(records: np.ndarray, each: int) -> np.ndarray:
    """The same number of tables of every phase."""
    return records[np.concatenate([np.flatnonzero(records["phase"] == p)[:each] for p in range(st.ROUND_OVER)])]
