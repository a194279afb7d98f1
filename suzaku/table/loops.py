"""The loops over the tables of a game: kernels made around those of the game, as attributes of its descriptor.

- Nothing is looked up inside them: what a game names is a constant, and each game has its own, compiled whole.
- Many tables at once: start, legal actions, step, random play, redraws and rollouts.
- Matches: answers in, on to the next real choices, hands counted.
- Stored walls and actions: played again, with their decisions kept or their rounds counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, mix
from suzaku.table.kernels import AWAY, EVERYONE, choose_random, find_illegal, only_choice

if TYPE_CHECKING:
    from suzaku.table.game import Game, Kernel


def loops_of(game: Game) -> dict[str, Kernel]:
    """All loops of a game by name."""
    return {**_many_tables(game), **_redraws(game), **_match(game), **_stored_games(game)}


def _named(*kernels: Kernel) -> dict[str, Kernel]:
    return {one.__name__: one for one in kernels}


def _many_tables(game: Game) -> dict[str, Kernel]:
    start_game, deal_round, fill_legal, step = game.start_game, game.deal_round, game.legal, game.step
    round_over, game_over, seats_of_game = game.round_over, game.game_over, game.seats

    @kernel(module=game.module)
    def start_many(tables, records, first, seed, legal, seats):
        """Start game number `first + i` on table i."""
        for i in range(records.shape[0]):
            start_game(records[i], seed, first + i)
            deal_round(tables, records[i])
            seats[i] = records[i].seat
            fill_legal(tables, records[i], legal[i])

    @kernel(module=game.module)
    def legal_many(tables, records, legal, seats):
        """Work out who is asked and what is legal on every table."""
        for i in range(records.shape[0]):
            seats[i] = records[i].seat
            fill_legal(tables, records[i], legal[i])

    @kernel(module=game.module)
    def step_many(tables, records, actions, legal, seats, ended, first, stride, restart, finished):
        """Carry out one legal action on every table; how many games finished. Table i is number `first + i`."""
        n = 0
        for i in range(records.shape[0]):
            s = records[i]
            if seats[i] < 0:
                ended[i] = False
                continue
            deal = s.deal
            step(tables, s, actions[i])
            ended[i] = s.deal != deal or s.phase >= round_over
            if s.phase == game_over:
                row = finished[n]
                row.table = first + i
                row.game = s.game
                for p in range(seats_of_game):
                    row.scores[p] = s.scores[p]
                    row.ranks[p] = s.ranks[p]
                n += 1
                if restart:
                    start_game(s, s.seed, s.game + stride)
                    deal_round(tables, s)
            seats[i] = s.seat
            fill_legal(tables, s, legal[i])
        return n

    @kernel(module=game.module)
    def play_random_many(tables, records, legal, seats, steps, stride, x):
        """Take `steps` random decisions on every table, restarting finished games; rounds and games that ended."""
        rounds = 0
        games = 0
        for i in range(records.shape[0]):
            s = records[i]
            for _ in range(steps):
                x += GOLDEN
                deal = s.deal
                step(tables, s, choose_random(legal[i], mix(x)))
                if s.phase == game_over:
                    games += 1
                    rounds += 1
                    start_game(s, s.seed, s.game + stride)
                    deal_round(tables, s)
                elif s.deal != deal:
                    rounds += 1
                fill_legal(tables, s, legal[i])
            seats[i] = s.seat
        return rounds, games

    return _named(start_many, legal_many, step_many, play_random_many)


def _redraws(game: Game) -> dict[str, Kernel]:
    redraw_one, fill_legal, step, round_over, seats_of_game = (
        game.redraw_one, game.legal, game.step, game.round_over, game.seats
    )  # fmt: skip

    @kernel(module=game.module)
    def redraw_many(tables, records, seats, work, x):
        """Redraw what `seats` cannot see; the first table whose tiles do not add up, or -1."""
        for i in range(records.shape[0]):
            if not redraw_one(tables, records[i], seats[i], work, mix(x + GOLDEN * np.uint64(i))):
                return i
        return -1

    @kernel(module=game.module)
    def rollout_many(tables, record, seat, x, room, work, legal, deltas):
        """Redraw what `seat` cannot see and play at random to the end of the round, once for every row of `deltas`."""
        s = room[0]
        for i in range(deltas.shape[0]):
            room[0] = record
            s.auto = 0
            x += GOLDEN
            redraw_one(tables, s, seat, work, mix(x))
            fill_legal(tables, s, legal)
            while s.phase < round_over:
                x += GOLDEN
                step(tables, s, choose_random(legal, mix(x)))
                fill_legal(tables, s, legal)
            for p in range(seats_of_game):
                deltas[i, p] = s.scores[p] - record.scores[p]

    return _named(redraw_many, rollout_many)


def _match(game: Game) -> dict[str, Kernel]:
    deal_round, fill_legal, step, advance = game.deal_round, game.legal, game.step, game.advance
    round_over, game_over, count_hand, seats_of_game = game.round_over, game.game_over, game.count_hand, game.seats

    @kernel(module=game.module)
    def play_on(tables, records, actions, legal, seats, followed, hands, moves, moved, over):
        """Carry out the answers on all open tables and go on to the next real choice; how many games ended.

        `over` takes the tables whose game is over. A followed table takes one action at a time.
        """
        n = 0
        for i in range(records.shape[0]):
            if seats[i] < 0:
                continue
            s = records[i]
            action = actions[i]
            while action >= 0:
                moves[i, moved[i]] = action
                moved[i] += 1
                step(tables, s, action)
                if s.phase >= round_over:
                    for p in range(seats_of_game):
                        count_hand(s, p, hands[i, p])
                    if s.phase == game_over:
                        over[n] = i
                        n += 1
                        break
                    advance(s)
                    deal_round(tables, s)
                fill_legal(tables, s, legal[i])
                action = -1 if followed[i] else only_choice(legal[i])
            seats[i] = s.seat
        return n

    return _named(play_on)


def _stored_games(game: Game) -> dict[str, Kernel]:
    start_round, fill_legal, step, advance = game.start_round, game.legal, game.step, game.advance
    shuffle_wall, types_of, count_round = game.shuffle_wall, game.types_of, game.count_round
    round_over, wall_size, n_actions, n_types = game.round_over, game.wall, game.actions, len(game.decision_types)
    answers = game.fouls if game.fouls >= 0 else game.actions  # actions from here on stand in records, and are none
    seats_of_game, worst = game.seats, game.worst_round

    @kernel(module=game.module)
    def fill_walls(s, out):
        """The first walls of the game that stands in `s`."""
        for deal in range(out.shape[0]):
            s.deal = deal
            shuffle_wall(s)
            out[deal] = s.wall

    @kernel(module=game.module)
    def place_round(s, wall):
        """Put the wall of the next round; the counters go on by the rules unless no round was played yet."""
        if s.deal > 0:
            advance(s)
        s.deal += 1
        for i in range(wall_size):
            s.wall[i] = wall[i]

    @kernel(module=game.module)
    def deal_stored(tables, s, walls):
        """Deal the next stored round if none is being played; whether the table asks somebody now."""
        if s.deal == 0 or (s.phase == round_over and s.deal < walls.shape[0]):
            place_round(s, walls[s.deal])
            start_round(tables, s)
        return s.phase < round_over

    @kernel(module=game.module)
    def stored_action(tables, s, walls, stored, legal):
        """The next stored action, without its mark, with the legal ones in `legal`; -1 if it cannot be carried out."""
        action = np.int64(stored) & (AWAY - 1)
        between = s.deal == 0 or s.phase >= round_over  # asked here: a call for every action costs a fifth of the speed
        if between and not deal_stored(tables, s, walls):
            return np.int64(-1)
        fill_legal(tables, s, legal)
        return action if action < n_actions and (legal[action] or action >= answers) else np.int64(-1)

    @kernel(module=game.module)
    def replay(tables, s, walls, actions, legal, check):
        """Play stored rounds from the start that stands in `s`: how many actions were carried out.

        With `check`, stops at the first action that is not legal.
        """
        for i in range(actions.shape[0]):
            if check:
                action = stored_action(tables, s, walls, actions[i], legal)
                if action < 0:
                    return i
            else:
                if not deal_stored(tables, s, walls):
                    return i
                action = np.int64(actions[i]) & (AWAY - 1)
            step(tables, s, action)
        return actions.shape[0]

    @kernel(module=game.module)
    def collect(tables, s, walls, actions, mask, follow, records, legal, taken, types, at):
        """Write the decisions of the types in `mask` to the rows of the arrays; how many, or -1 if one is not legal."""
        n = 0
        kept = 0  # decisions of the rounds before
        followed = -1
        score = 0
        here = np.zeros(n_actions, np.bool_)
        for i in range(actions.shape[0]):
            action = stored_action(tables, s, walls, actions[i], here)
            if action < 0:
                return -1
            if follow != EVERYONE and followed < 0:
                followed = ((follow >> (2 * (s.deal % 31))) & 3) % seats_of_game
                score = s.scores[followed]
            is_answer = action < answers and actions[i] < AWAY
            if is_answer and n < records.shape[0] and (follow == EVERYONE or s.seat == followed):
                found = types_of(here, action) & mask
                if found:
                    records[n] = s
                    for a in range(n_actions):
                        legal[n, a] = here[a]
                    taken[n] = action
                    types[n] = found
                    at[n] = i
                    n += 1
            step(tables, s, action)
            if followed >= 0 and s.phase >= round_over:
                if s.scores[followed] < score - worst:
                    n = kept
                kept = n
                followed = -1
        return n

    @kernel(module=game.module)
    def tally(tables, s, walls, actions, legal, out):
        """Replay a game and add it to the counts; whether all its actions are legal."""
        for i in range(actions.shape[0]):
            action = stored_action(tables, s, walls, actions[i], legal)
            if action < 0:
                return False
            out.actions += 1
            if actions[i] >= AWAY:
                out.away += 1
            elif action < answers:
                found = types_of(legal, action)
                for bit in range(n_types):
                    out.decisions[bit] += (found >> bit) & 1
                out.taken[action] += 1
            step(tables, s, action)
            if s.phase >= round_over:
                count_round(s, out)
        return True

    return _named(fill_walls, place_round, deal_stored, stored_action, replay, collect, tally)


def try_game(game: Game) -> None:
    """Play a little of a game, so that its kernels are compiled: at a table for people, and in a match."""
    from suzaku.table.game import load

    rules, tables = game.rules(), game.tables()
    table = load(game.table)(rules, seed=1)
    table.act(table.legal_actions()[0])
    table.view(0)
    game.advance(table.copy().record)
    records, legal, seats = game.new_table(rules), np.zeros((1, game.actions), np.bool_), np.full(1, -1, np.int8)
    game.start_many(tables, records, 0, np.uint64(0), legal, seats)
    actions, moves, over = legal.argmax(1), np.zeros((1, 256), np.uint8), np.zeros(1, np.int64)
    find_illegal(actions, legal, seats)
    hands, followed = np.zeros((1, game.seats), game.hands), np.zeros(1, np.bool_)
    game.play_on(tables, records, actions, legal, seats, followed, hands, moves, np.zeros(1, np.int64), over)
    game.walls_of(rules, 0, 0, 1)


def try_stored(game: Game) -> None:
    """Replay a game of which nothing was played, keep its decisions and count what happened."""
    tables, walls, none = game.tables(), game.walls_of(game.rules(), 0, 0, 1), np.zeros(0, np.uint8)
    (s,) = records = game.new_table(game.rules())
    legal, few = np.zeros((1, game.actions), np.bool_), (np.zeros(1, np.uint8), np.zeros(1, np.uint8))
    game.replay(tables, s, walls, none, legal[0], False)
    game.collect(tables, s, walls, none, 1, EVERYONE, records, legal, *few, np.zeros(1, np.int32))
    if game.counted:
        game.tally(tables, s, walls, none, legal[0], np.zeros(1, game.counted.counts).view(np.recarray)[0])
