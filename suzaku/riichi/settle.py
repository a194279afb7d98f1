"""Kernels that end a round: wins and their payments, draws, what comes next, and the end of the game."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import state as st
from suzaku.riichi.claims import value_of
from suzaku.riichi.deal import add_tile, deal_round, has, in_melds, remove_tile
from suzaku.riichi.score import base_points, round_up
from suzaku.riichi.state import INDICATORS, URA_INDICATORS
from suzaku.riichi.yaku import DAISANGEN, DAISUUSHI
from suzaku.table.kernels import fill_ranks
from suzaku.tiles import DORA_OF, KIND_OF, ORPHANS

ORPHAN_MASK = np.uint64(ORPHANS)


@kernel
def _count_dora(s, p, places):
    n = 0
    for i in range(s.indicators):
        kind = DORA_OF[s.wall[places[i]]]
        n += s.hand[p, kind] + in_melds(s, p, kind)
    return n


@kernel
def _record_win(tables, s, i, p, tile, drawn, robbing):
    """Work out the value of the i-th win and keep it in the result."""
    if not drawn:
        add_tile(s, p, tile)
    ura = _count_dora(s, p, URA_INDICATORS) if s.rules.ura_dora and s.riichi[p] else 0
    dora = _count_dora(s, p, INDICATORS)
    red = s.red[p, 0] + s.red[p, 1] + s.red[p, 2]
    for m in range(s.melds[p]):
        red += s.meld_red[p, m]
    yaku, han, fu, yakuman = value_of(tables, s, p, tile, drawn, robbing, dora + ura + red)
    if not drawn:
        remove_tile(s, p, tile)
    s.win_seat[i] = p
    s.win_yaku[i] = yaku
    s.win_han[i] = han
    s.win_fu[i] = fu
    s.win_yakuman[i] = yakuman
    s.win_dora[i, 0] = dora
    s.win_dora[i, 1] = ura
    s.win_dora[i, 2] = red


@kernel
def _pay_draw(s, p, base):
    """A self-draw: the others pay their shares; what they pay in all."""
    total = 0
    for q in range(4):
        if q != p:
            share = round_up(base * 2) if p == s.dealer or q == s.dealer else round_up(base)
            s.deltas[q] -= share
            total += share
    return total


@kernel
def _pay(s, i, p, honba):
    """Move the points of the i-th win, with liability for big dragons and big winds."""
    base = base_points(s.rules, s.win_han[i], s.win_fu[i], s.win_yakuman[i])
    times = 6 if p == s.dealer else 4
    liable = -1
    liable_base = 0
    if s.rules.pao and s.win_yakuman[i] > 0:
        if has(s.win_yaku[i], DAISANGEN) and s.pao[p, 0] >= 0:
            liable = s.pao[p, 0]
            liable_base = 8000
        elif has(s.win_yaku[i], DAISUUSHI) and s.pao[p, 1] >= 0:
            liable = s.pao[p, 1]
            liable_base = 16000 if s.rules.double_yakuman else 8000
        if s.rules.pao_whole_hand:
            liable_base = base
    drawn = s.win_from == p
    if liable < 0 or liable == s.win_from:
        if drawn:
            total = _pay_draw(s, p, base)
            for q in range(4):
                if q != p:
                    s.deltas[q] -= 100 * honba
        else:
            total = round_up(base * times)
            s.deltas[s.win_from] -= total + 300 * honba
    elif drawn:  # the liable seat pays the whole of its yakuman, and the honba
        total = _pay_draw(s, p, base - liable_base) + liable_base * times
        s.deltas[liable] -= liable_base * times + 300 * honba
    else:  # half of it, and the discarder the rest
        total = base * times
        s.deltas[liable] -= liable_base * times // 2 + 300 * honba
        s.deltas[s.win_from] -= total - liable_base * times // 2
    s.win_points[i] = total
    s.deltas[p] += total + 300 * honba


@kernel
def settle_wins(tables, s, winners, tile, drawn, robbing):
    """End the round with the wins of the seats in the mask `winners` on a tile of seat `turn`."""
    s.result = st.WIN_BY_DRAW if drawn else st.WIN_BY_DISCARD
    s.deltas[:] = 0
    s.wins = 0
    s.win_from = s.turn
    s.win_tile = tile
    for i in range(4):
        p = (s.turn + i) & 3
        if not (winners >> p) & 1 or (s.wins == s.rules.wins_on_discard and not drawn):
            continue
        _record_win(tables, s, s.wins, p, tile, drawn, robbing)
        first = s.wins == 0  # honba and sticks go to the winner next after the discarder
        _pay(s, s.wins, p, s.honba if first else 0)
        if first:
            s.deltas[p] += 1000 * s.sticks
            s.sticks = 0
        s.wins += 1
    dealer_won = False
    for i in range(s.wins):
        if s.win_seat[i] == s.dealer:
            dealer_won = True
    _finish(tables, s, dealer_won)


@kernel
def abort_round(tables, s, result):
    """End the round without payments; the dealer repeats."""
    s.result = result
    s.deltas[:] = 0
    s.wins = 0
    _finish(tables, s, True)


@kernel
def _is_nagashi(s, p):
    for i in range(s.river_size[p]):
        if not has(ORPHAN_MASK, KIND_OF[s.river[p, i]]) or s.river_flag[p, i] & st.RIVER_CALLED:
            return False
    return True


@kernel
def exhaust(tables, s):
    """End the round because no tile is left."""
    s.result = st.EXHAUSTED
    s.deltas[:] = 0
    s.wins = 0
    s.tenpai = 0
    tenpai_seats = 0
    for p in range(4):
        if s.waits[p] != 0:
            s.tenpai |= 1 << p
            tenpai_seats += 1
        if s.rules.nagashi_mangan and _is_nagashi(s, p):
            s.result = st.NAGASHI
            s.deltas[p] += _pay_draw(s, p, 2000)
    if s.result == st.EXHAUSTED and 0 < tenpai_seats < 4:
        for p in range(4):
            s.deltas[p] = 3000 // tenpai_seats if (s.tenpai >> p) & 1 else -(3000 // (4 - tenpai_seats))
    _finish(tables, s, (s.tenpai >> s.dealer) & 1 != 0)


@kernel
def leader(s):
    """The seat in first place; ties go to the earlier seat."""
    best = 0
    for p in range(1, 4):
        if s.scores[p] > s.scores[best]:
            best = p
    return best


@kernel
def _ends_game(s):
    for p in range(4):
        if s.rules.bust and s.scores[p] < 0:
            return True
    if s.round_no < s.rules.rounds - 1:
        return False
    first = leader(s)
    enough = s.scores[first] >= s.rules.target_score
    if s.repeats:
        by_dealer = s.result <= st.NAGASHI  # an aborted round is played again
        return s.rules.dealer_stops and enough and first == s.dealer and by_dealer
    return enough or s.round_no >= s.rules.rounds + s.rules.extra_rounds - 1


@kernel
def _finish(tables, s, dealer_repeats):
    """Book the round's points and go on to the next round, or end the game."""
    s.repeats = 1 if dealer_repeats else 0
    s.seat = -1
    for p in range(4):
        s.scores[p] += s.deltas[p]
    if _ends_game(s):
        s.scores[leader(s)] += 1000 * s.sticks
        s.sticks = 0
        fill_ranks(s)
        s.phase = st.GAME_OVER
        return
    s.phase = st.ROUND_OVER
    if s.auto:
        advance(s)
        deal_round(tables, s)


@kernel
def advance(s):
    """Set dealer, round and repeat counter for the next round."""
    won = s.result == st.WIN_BY_DRAW or s.result == st.WIN_BY_DISCARD
    s.honba = 0 if won and not s.repeats else s.honba + 1
    if not s.repeats:
        s.dealer = (s.dealer + 1) & 3
        s.round_no += 1
