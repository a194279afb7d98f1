"""A table seen through mjai events is the table itself, less what the seat cannot see."""

import functools
import random

import numpy as np
import pytest

from suzaku.agents.mjai.mjai_events import Told, round_events, step_events
from suzaku.agents.mjai.view import EventError, SeatView
from suzaku.agents.simple import ShantenAgent
from suzaku.features import claims, gao, suphx
from suzaku.hand.tables import tables as hand_tables
from suzaku.records import mjai_event as mj
from suzaku.riichi import Rules, Table
from suzaku.riichi import actions as act
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.redraw import hide
from suzaku.riichi.state import STATE
from tests.riichi.players import OrphanPlayer, Player, play_random

# What a seat that only hears events cannot know, or what tells of the round before.
OTHER = {"seed", "game", "auto", "result", "deltas", "wins", "tenpai", "repeats", "ranks"}
OTHER |= {name for name in STATE.names or () if name.startswith("win_")}


def play_shanten(s: np.record, seat: int, legal: list[int], rng: random.Random) -> int:
    """The agent `shanten`."""
    mask = np.zeros((1, ACTIONS), np.bool_)
    mask[0, legal] = True
    return int(ShantenAgent().act(s.reshape(1).copy(), mask).actions[0])


def encode(event: mj.Event) -> mj.Event:
    """The event as it comes out of a line of text."""
    return mj.DECODER.decode(mj.ENCODER.encode(event))


def differences(seen: np.record, true: np.record) -> list[str]:
    return [name for name in STATE.names or () if name not in OTHER and not np.array_equal(seen[name], true[name])]


def legal_of(table: np.ndarray) -> np.ndarray:
    legal = np.zeros(ACTIONS, np.bool_)
    fill_legal(hand_tables(), table[0], legal)
    return legal


def same_features(seen: np.ndarray, true: np.ndarray, legal: np.ndarray) -> None:
    assert (suphx.encode_many(seen) == suphx.encode_many(true)).all()
    assert (gao.encode_many(seen) == gao.encode_many(true)).all()
    for action in np.flatnonzero(legal):
        if act.CHOW_LOW <= action < act.WIN_DRAW:
            one = np.array([action])
            assert (claims.encode_many(seen, one) == claims.encode_many(true, one)).all()


def play(seed: int, players: list, features: int, rules: Rules | None = None) -> tuple[int, set[str]]:
    """Play a game; compare every seat's view with the table at its decisions. How many, and which events there were."""
    rng = random.Random(seed)
    table = Table(rules or Rules.tenhou(), seed, "east")
    views = [SeatView(Rules.tenhou_east()) for _ in range(4)]
    kinds: set[str] = set()
    compared = 0

    def tell(events_of) -> None:
        for seat, view in enumerate(views):
            for event in events_of(seat):
                kinds.add(type(event).__name__)
                view.take(encode(event))

    tell(lambda seat: [mj.StartGame(id=seat, aka_flag=table.rules.red_fives), *round_events(table.record, seat)])
    while not table.game_over:
        seat, true = table.seat, table._array.copy()
        seen = views[seat].question()
        assert seen is not None
        assert differences(seen[0], hide(true, seat)[0]) == []
        legal = legal_of(true)
        assert (legal_of(seen) == legal).all()
        for other in range(4):
            if other != seat and (asked := views[other].question()) is not None:
                assert legal_of(asked)[act.PASS]  # it has a claim too: our table asks one after the other
        if compared % features == 0:
            same_features(seen, true, legal)
        compared += 1
        action = players[seat](table.record, seat, table.legal_actions(), rng)
        table.act(action)
        tell(functools.partial(step_events, true[0], action, table.record.copy()))
        if table.round_over:
            table.next_round()
            tell(lambda seat: round_events(table.record, seat))
    return compared, kinds


@pytest.mark.parametrize(
    "players",
    [
        [play_random] * 4,
        [play_shanten] * 4,
        [Player(call=0.7, win=0.6)] * 4,
        [Player(), Player(call=1), OrphanPlayer(), play_random],
    ],
    ids=["random", "shanten", "calling", "mixed"],
)
def test_view_is_the_table_at_every_decision(players):
    kinds: set[str] = set()
    compared = 0
    for seed in range(2):
        n, found = play(seed, players, 29, Rules.no_red() if seed else None)
        compared += n
        kinds |= found
    assert compared > 350
    assert {"Tsumo", "Dahai", "Chi", "Pon", "EndKyoku", "EndGame"} <= kinds
    if players[0] is play_shanten:
        assert {"Reach", "ReachAccepted", "Hora"} <= kinds
    elif players[0] is not play_random:
        assert {"Reach", "ReachAccepted", "Daiminkan", "Ankan", "Kakan", "Dora", "Hora"} <= kinds


def test_what_does_not_fit_is_refused_and_the_round_forgotten():
    table = Table(seed=3)
    own = round_events(table.record, 0)
    hidden = round_events(table.record, 1)
    sixth = [mj.Dora("1m")] * 5
    for events, sentence in (
        ([mj.Tsumo(0, "1m")], "no start_kyoku came before it"),
        ([hidden[0], mj.Tsumo(1, "1m")], "player 1 draws, but it is the turn of player 0"),
        ([*own, *sixth], "1m is the sixth dora indicator: a wall has five"),
        ([*own, mj.Tsumo(1, "?")], "player 1 draws, but it is the turn of player 0"),
        ([*own, mj.Dahai(1, "1m", False)], "player 1 acts, but it is the turn of player 0"),
        ([*own, mj.Pon(1, 0, "1m", ["1m"] * 2)], "player 1 calls a tile of player 0, who has not just discarded"),
        ([*own, mj.Ankan(0, ["1m"] * 4)], r"the player holds \d of the four tiles of the kong 1111m"),
        ([*own, mj.Ankan(0, ["1m"] * 3)], "111m is not a closed kong: expected four tiles of one kind"),
        ([*own, mj.Kakan(0, "1m", ["1m"] * 3)], "player 0 has no pong of 1m to make a kong of"),
        ([*own, mj.Reach(4)], "there is no player 4: expected 0 to 3"),
        ([*own, mj.Dahai(0, "1z", False)], "1z"),
    ):
        view = SeatView(table.rules, 1 if events[0] is hidden[0] else 0)
        for event in events[:-1]:
            view.take(event)
        with pytest.raises(EventError, match=sentence):
            view.take(events[-1])
        assert view.question() is None


def test_a_game_without_red_fives_is_told_and_taken_in():
    """A program is told by `aka_flag`; a bot takes the rules it is given until a server says otherwise."""
    for rules, flag in ((Rules.no_red(), False), (Rules.tenhou(), None)):
        told, record = Told(2), Table(rules).record
        told.follow(record, -1, record)
        assert told.take_new()[0] == {"type": "start_game", "id": 2, **({} if flag is None else {"aka_flag": flag})}
    view = SeatView(Rules.no_red())
    view.take(encode(mj.StartGame(id=2)))
    assert not view.rules.red_fives
    view.take(encode(mj.StartGame(id=2, aka_flag=True)))
    assert view.rules.red_fives
