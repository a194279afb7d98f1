"""Self-play of single rounds: each wall several times, by the same policy with other random numbers.

What a seat won on a wall, less what it won on the same wall in the other plays, is free of most of the luck of the
deal. Rounds of Riichi begin in situations of whole games; all of an order end within it.
"""

import numpy as np

from suzaku.agents.network import NetworkAgent
from suzaku.arena.single_rounds import ROOM, deal_rounds, pool_of
from suzaku.records.stored import Stored, ranks_of
from suzaku.table.game import game_named
from suzaku.table.tables import take


class RoundPlayer:
    """Four copies of an agent at single rounds."""

    def __init__(self, agent: NetworkAgent, seed: int, length: str, repeat: int, game: str = "riichi") -> None:
        self.agent, self.seed, self.repeat, self.game = agent, seed, repeat, game_named(game)
        rules = self.game.rules()
        self.rules = rules.with_length(length) if length else rules
        self._pool = pool_of(self.game)

    def play(self, walls: list[int]) -> tuple[list[Stored], np.ndarray]:
        """The rounds on these walls, as games of one round, and what all seats did, counted."""
        number, stream = np.repeat(walls, self.repeat), np.tile(np.arange(self.repeat), len(walls))
        records, legal = deal_rounds(self.game, self._pool, number, self.seed, self.rules)
        game, n = self.game, len(records)
        begun = records.copy()
        seats, followed = records["seat"].copy(), np.zeros(n, np.bool_)
        hands, over = np.zeros((n, game.seats), game.hands), np.zeros(n, np.int64)
        moves, moved = np.zeros((n, ROOM), np.uint8), np.zeros(n, np.int64)
        log_prob = np.zeros((n, ROOM), np.float16)
        lengths = np.zeros(n, np.int64)
        while (places := np.flatnonzero(seats >= 0)).size:
            answers = self.agent.act(take(records, places), legal[places], stream[places])
            assert answers.log_prob is not None
            log_prob[places, moved[places]] = answers.log_prob
            actions = np.zeros(n, np.int64)
            actions[places] = answers.actions
            game.play_on(game.tables(), records, actions, legal, seats, followed, hands, moves, moved, over)
            ended = places[hands["hands"][places, 0] > 0]
            seats[ended] = -1
            lengths[ended] = moved[ended]
        games = [
            self._stored(begun[i], records[i], moves[i], log_prob[i], int(lengths[i]), f"{number[i]}-{stream[i]}")
            for i in range(n)
        ]
        return games, hands

    def _stored(
        self, begun: np.record, ended: np.record, moves: np.ndarray, log_prob: np.ndarray, length: int, name: str
    ) -> Stored:
        scores = ended.scores.tolist()
        return Stored(
            id=f"round-{self.seed}-{name}",
            source="self-play",
            format="",
            lobby="",
            time="",
            rules=self.rules,
            players=[self.agent.name] * 4,
            dan=[-1] * self.game.seats,
            rate=[float("nan")] * self.game.seats,
            start=self.game.stands(begun),
            scores=scores,
            ranks=ranks_of(scores),
            finished=bool(ended.phase == self.game.game_over),
            game=self.game.name,
            walls_known=True,
            decisions=length,
            walls=begun.wall.reshape(1, -1).copy(),
            actions=moves[:length].copy(),
            log_prob=log_prob[:length].copy(),
            versions=[self.agent.version] * self.game.seats,
        )


def wall_of(game: Stored) -> str:
    """The wall of a round: its id without the number of the play."""
    return game.id.rpartition("-")[0]
