"""The loops that other rooms run over the tables of a game, as `suzaku/table/game.py` describes them."""

from typing import NamedTuple

import numpy as np

from suzaku.kernel import kernel
from suzaku.table.game import AWAY, EVERYONE, Engine, Game, Kernel, find_illegal, only_choice


class Stored(NamedTuple):
    """The kernels that play stored walls and actions, by name."""

    place_round: Kernel
    deal_stored: Kernel
    stored_action: Kernel
    replay: Kernel


def play_on_kernel(engine: Engine, count_hand: Kernel, module: str) -> Kernel:
    """The match loop: carry out answers, count hands, and play on where there is no choice."""
    deal_round, fill_legal, step, advance = engine.deal_round, engine.fill_legal, engine.step, engine.advance
    round_over, game_over = engine.round_over, engine.game_over

    @kernel(module=module)
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
                    for p in range(4):
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

    return play_on


def fill_walls_kernel(engine: Engine, module: str) -> Kernel:
    """The walls of a game, one after the other."""
    shuffle_wall = engine.shuffle_wall

    @kernel(module=module)
    def fill_walls(s, out):
        """The first walls of the game that stands in `s`."""
        for deal in range(out.shape[0]):
            s.deal = deal
            shuffle_wall(s)
            out[deal] = s.wall

    return fill_walls


def stored_kernels(engine: Engine, module: str, never_legal: int) -> Stored:
    """Playing stored walls and actions; those from `never_legal` on are no answers, but stand in records."""
    start_round, fill_legal, step, advance = engine.start_round, engine.fill_legal, engine.step, engine.advance
    round_over, wall_size, n_actions = engine.round_over, engine.wall, engine.actions

    @kernel(module=module)
    def place_round(s, wall):
        """Put the wall of the next round; the counters go on by the rules unless no round was played yet."""
        if s.deal > 0:
            advance(s)
        s.deal += 1
        for i in range(wall_size):
            s.wall[i] = wall[i]

    @kernel(module=module)
    def deal_stored(tables, s, walls):
        """Deal the next stored round if none is being played; whether the table asks somebody now."""
        if s.deal == 0 or (s.phase == round_over and s.deal < walls.shape[0]):
            place_round(s, walls[s.deal])
            start_round(tables, s)
        return s.phase < round_over

    @kernel(module=module)
    def stored_action(tables, s, walls, stored, legal):
        """The next stored action, without its mark, with the legal ones in `legal`; -1 if it cannot be carried out."""
        action = np.int64(stored) & (AWAY - 1)
        between = s.deal == 0 or s.phase >= round_over  # asked here: a call for every action costs a fifth of the speed
        if between and not deal_stored(tables, s, walls):
            return np.int64(-1)
        fill_legal(tables, s, legal)
        return action if action < n_actions and (legal[action] or action >= never_legal) else np.int64(-1)

    @kernel(module=module)
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

    return Stored(place_round, deal_stored, stored_action, replay)


def tally_kernel(
    engine: Engine, stored_action: Kernel, types_of: Kernel, types: int, answers: int, count_round: Kernel, module: str
) -> Kernel:
    """Counting stored games: `types` of decisions there are; actions from `answers` on are none of the player's."""
    step, round_over = engine.step, engine.round_over

    @kernel(module=module)
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
                for bit in range(types):
                    out.decisions[bit] += (found >> bit) & 1
                out.taken[action] += 1
            step(tables, s, action)
            if s.phase >= round_over:
                count_round(s, out)
        return True

    return tally


def try_game(game: Game) -> None:
    """Play a little of a game, so that its kernels are compiled: at a table for people, and in a match."""
    rules, tables = game.rules(), game.tables()
    table = game.table(rules, seed=1)
    table.act(table.legal_actions()[0])
    table.view(0)
    table.engine.advance(table.copy().record)
    records, legal, seats = game.new_table(rules), np.zeros((1, game.actions), np.bool_), np.full(1, -1, np.int8)
    game.start_many(tables, records, 0, np.uint64(0), legal, seats)
    actions, moves, over = legal.argmax(1), np.zeros((1, 256), np.uint8), np.zeros(1, np.int64)
    find_illegal(actions, legal, seats)
    hands, followed = np.zeros((1, 4), game.hands), np.zeros(1, np.bool_)
    game.play_on(tables, records, actions, legal, seats, followed, hands, moves, np.zeros(1, np.int64), over)
    game.walls_of(rules, 0, 0, 1)


def try_stored(game: Game, tally: Kernel, counts: np.dtype) -> None:
    """Replay a game of which nothing was played, keep its decisions and count what happened."""
    tables, walls, none = game.tables(), game.walls_of(game.rules(), 0, 0, 1), np.zeros(0, np.uint8)
    (s,) = records = game.new_table(game.rules())
    legal, few = np.zeros((1, game.actions), np.bool_), (np.zeros(1, np.uint8), np.zeros(1, np.uint8))
    game.replay(tables, s, walls, none, legal[0], False)
    game.collect(tables, s, walls, none, 1, EVERYONE, records, legal, *few, np.zeros(1, np.int32))
    tally(tables, s, walls, none, legal[0], np.zeros(1, counts).view(np.recarray)[0])
