"""What there is to compile: parts that can be compiled each in a process of its own, and the sets that commands need.

A part does a little of what its users do, and so compiles what they use. Parts share much of what they need; whichever
comes first compiles it, and others wait for it (`suzaku/kernel/cache.py`).
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from suzaku.kernel.cache import imported_by, sources
from suzaku.networks.bundled import BASES

if TYPE_CHECKING:
    from suzaku.agents.agent import Agent


def _moves() -> None:
    """The rules: a table is played a little."""
    from suzaku.agents.simple import choose
    from suzaku.hand.tables import tables
    from suzaku.riichi.settle import advance
    from suzaku.riichi.table import Table

    table = Table()
    choose(tables(), table.record, table.legal_mask())
    table.act(table.legal_actions()[0])
    advance(table.copy().record)
    table.view(0)


def _outlook() -> None:
    """What hints say of a hand beside the agents' opinions."""
    from suzaku.review.hints import Looks, hand_info, no_yaku
    from suzaku.riichi.table import Table

    table = Table()
    Looks().look(table.record.reshape(1), table.legal_mask())
    hand_info(table, 0, [])
    no_yaku(table.record, 0, 0, 1)


def _channels() -> None:
    """What networks see of a table."""
    from suzaku.features import gao, suphx
    from suzaku.riichi.table import Table

    state = Table().record.reshape(1)
    gao.encode_many(state)
    suphx.encode_sparse(state)


def _planes() -> None:
    """What networks see of a table, in dense planes."""
    from suzaku.features import gao, oracle, suphx
    from suzaku.riichi.table import Table

    state = Table().record.reshape(1)
    oracle.encode_many(state)
    gao.encode_many(state)
    suphx.encode_many(state)


def _hidden() -> None:
    """What an oracle sees of a table, and its mask."""
    from suzaku.features.oracle import encode_sparse
    from suzaku.features.suphx import encode_sparse as encode_visible
    from suzaku.riichi.table import Table
    from suzaku.rl.oracle import masked

    state = Table().record.reshape(1)
    hidden = encode_sparse(state)
    encode_visible(state).before(masked(hidden, state, 0.5, 0, "element")).first(1)


def _agent(name: str) -> Callable[[], None]:
    """An agent plays as far as the end of a round: discards and claims."""

    def play() -> None:
        from suzaku.agents.make import make_agent

        try_out(make_agent(name), 200)

    return play


def try_out(agent: "Agent", decisions: int = 60) -> None:
    """Let an agent decide a little on a table of its own, so that nothing is left to be loaded when a game begins."""
    from suzaku.agents.agent import Follower
    from suzaku.table.game import game_named

    if isinstance(agent, Follower):
        agent.warm_up()
        return
    game = game_named(agent.game)
    table = game.table(game.rules(), seed=1)
    for _ in range(decisions):
        if table.seat < 0:
            break
        asked = table.record.reshape(1).copy()
        table.act(int(agent.act(asked, table.legal_mask()[None]).actions[0]))


def _records() -> None:
    """Reading, replaying and counting records."""
    import numpy as np

    from suzaku.hand.tables import tables
    from suzaku.records.replay_events import replay_events
    from suzaku.records.walls import Shuffler
    from suzaku.riichi.actions import ACTIONS
    from suzaku.riichi.loops import SITUATION, TALLY, collect, replay, situations, tally
    from suzaku.riichi.rules import Rules
    from suzaku.riichi.state import STATE
    from suzaku.tiles import full_set

    def new() -> np.record:
        table = np.zeros(1, STATE)
        table["rules"] = Rules.tenhou().to_record()
        return table[0]

    Shuffler("mt19937ar-sha512-n288,1,2,3").next_wall()
    legal = np.zeros(ACTIONS, np.bool_)
    walls, none = full_set().reshape(1, -1), np.zeros(0, np.uint8)
    hands, events = np.zeros((4, 37), np.int8), np.zeros((0, 4), np.int16)
    replay_events(tables(), new(), hands, events, True, legal, np.zeros(9, np.uint8))
    replay(tables(), new(), walls, none, legal, False)
    few = np.zeros(1, np.uint8), np.zeros(1, np.uint8), np.zeros(1, np.int32)
    columns = (np.zeros(1, STATE), np.zeros((1, ACTIONS), np.bool_), *few)
    collect(tables(), new(), walls, none, 1, -1, *columns)
    tally(tables(), new(), walls, none, legal, np.zeros(1, TALLY).view(np.recarray)[0])
    situations(tables(), new(), walls, none, np.zeros(2, SITUATION).view(np.recarray))


def _samples() -> None:
    """What training makes of replayed games."""
    import numpy as np

    from suzaku.hand.shanten import shanten_many
    from suzaku.hand.tables import tables
    from suzaku.learning.sample import Samples
    from suzaku.learning.samples import exchange_suits
    from suzaku.records.decisions import Columns
    from suzaku.riichi.game import GAME
    from suzaku.riichi.table import Table
    from suzaku.rl.policy_gradient import advantages

    advantages("gae", np.zeros(1, np.int64), np.zeros(1), np.zeros(1), 1.0)
    Columns(GAME, 1).take(np.arange(1))
    state = Table().record.reshape(1)
    shanten_many(tables(), state["hand"][[0], [0]], state["melds"][[0], [0]], np.zeros(1, np.int8))
    samples = Samples(state, np.array([-1]), np.array([0]), np.ones((1, 34), np.bool_))
    exchange_suits(np.zeros((1, 1, 34), np.uint8), samples, np.random.default_rng(0))


def _first_layer() -> None:
    """The first layer of Suphx's networks on sparse planes, to learn and to play."""
    import numpy as np

    from suzaku.features.sparse import SparsePlanes
    from suzaku.networks.cpu_kernels import TILES, add_gradient, convolve, convolve_and_norm

    planes = SparsePlanes(np.zeros(1, np.uint32), np.array([0, 1]), np.ones(1, np.int32), 1)
    rows, out = np.zeros((1, 3), np.float32), np.zeros((1, TILES, 1), np.float32)
    convolve(planes, rows, out, 0, 1)
    add_gradient(planes, out, rows, 0, 1)
    convolve_and_norm(planes, rows, np.zeros(1, np.float32))


def _norms() -> None:
    """The batch norms of Suphx's networks, to learn."""
    import numpy as np

    from suzaku.networks.cpu_kernels import add_up, cut_gradient, norm_and_cut, norm_gradient

    x, one, sums = np.zeros((1, 1), np.float32), np.zeros(1, np.float32), np.zeros((2, 1))
    add_up(x, 0, 1, sums)
    norm_and_cut(x, x, one, one, 0, 1, x)
    cut_gradient(x, x, x, one, 0, 1, sums, x)
    norm_gradient(x, x, one, one, one, 0, 1, x)


def _matches() -> None:
    """The loop of the arena, and what a saved game needs."""
    from suzaku.arena.match import Match
    from suzaku.arena.table_worker import TableWorker
    from suzaku.riichi.loops import walls_of
    from suzaku.riichi.rules import Rules

    walls_of(Rules(), 0, 0, 1)
    TableWorker(Match(("random", "tsumogiri", "shanten"), "1v3", length="east"), 8).advance(list(range(8)), 0.0)


def _adaptation() -> None:
    """Rolling out and learning while a game is played."""
    from suzaku.agents.make import make_agent

    try_out(make_agent("suphx:adapt=4"))


def _mcr() -> None:
    """The rules of MCR, the loop of its matches, and replays."""
    import numpy as np

    from suzaku.arena.match import Match
    from suzaku.arena.table_worker import TableWorker
    from suzaku.mcr.game import GAME
    from suzaku.mcr.loops import TALLY, start_of, tally, walls_of
    from suzaku.mcr.rules import Rules
    from suzaku.mcr.table import Table
    from suzaku.records.decisions import Columns

    table = Table()
    table.act(table.legal_actions()[0])
    table.view(0)
    walls, none = walls_of(Rules(), 0, 0, 1), np.zeros(0, np.uint8)
    start_of(Rules(), 0, 0)
    rows = Columns(GAME, 1)
    GAME.replay(GAME.tables(), GAME.new_table(Rules())[0], walls, none, np.zeros(GAME.actions, np.bool_), False)
    GAME.collect(
        GAME.tables(), GAME.new_table(Rules())[0], walls, none, 1, -1,
        rows.records, rows.legal, rows.action, rows.types, np.zeros(1, np.int32),
    )  # fmt: skip
    counts = np.zeros(1, TALLY).view(np.recarray)[0]
    tally(GAME.tables(), GAME.new_table(Rules())[0], walls, none, np.zeros(GAME.actions, np.bool_), counts)
    TableWorker(Match(("random", "random"), "1v3", game="mcr"), 4).advance(list(range(4)), 0.0)


def _mcr_agent(name: str) -> Callable[[], None]:
    """An agent of MCR plays a little."""

    def play() -> None:
        from suzaku.agents.make import make_agent

        try_out(make_agent(name, "mcr"), 40)

    return play


def _mcr_channels() -> None:
    """What the networks of MCR see, and the logic beside them."""
    import numpy as np

    from suzaku.agents.mcr_network import best_chows, wanted_kongs
    from suzaku.features import mcr_claims, mcr_planes, mcr_units
    from suzaku.mcr import actions as act
    from suzaku.mcr.table import Table

    table = Table()
    state, legal = table.record.reshape(1), np.zeros((1, act.ACTIONS), np.bool_)
    mcr_units.encode_many(state)
    mcr_planes.encode_sparse(state)
    mcr_claims.encode_sparse(state[:0], np.zeros(0, np.int64))
    wanted_kongs(state, legal)
    best_chows(np.repeat(state[:0], 1), legal[:0])


def _win_distances() -> None:
    """What reinforcement learning in MCR is rewarded by."""
    import numpy as np

    from suzaku.mcr.state import STATE
    from suzaku.rl.buffer import Decisions
    from suzaku.rl.win_distance import win_distances

    none = np.zeros(0, np.int64)
    legal, log_prob = np.zeros((0, 1), np.bool_), np.zeros(0, np.float32)
    win_distances(Decisions(np.zeros(0, STATE), legal, none, log_prob, none, none, [], none), fan=True)


def _mcr_outlook() -> None:
    """What hints of MCR say beside the agents' opinions."""
    from suzaku.mcr.table import Table
    from suzaku.review.mcr_hints import Looks, hand_info

    table = Table()
    Looks().look(table.record.reshape(1), table.legal_mask())
    table.record.hand[1] = [1] * 9 + [2, 2] + [0] * 23  # ready
    hand_info(table, 1, [])


def _hands() -> None:
    """The analysis of one hand, and of one that has won."""
    from suzaku.lookahead.analysis import analyse_hand

    analyse_hand("123m4067p234789s1z", dora_indicators="3p", draws=2)
    analyse_hand("123m456p789s11222z", draws=1)


def _forecast() -> None:
    """With how many han a hand is won."""
    from suzaku.winning_scores.forecast import hand_chances
    from suzaku.winning_scores.model import Model

    hand_chances("123m4067p234789s1z", dora_indicators="3p", model=Model("mcp", "drawing"))


def _winning_scores() -> None:
    """One-player hands, played and learnt from."""
    from suzaku.winning_scores.learner import WinningConfig, WinningLearner, samples

    learner = WinningLearner(WinningConfig(hands=20, baseline=10, eval_hands=1))
    learner.learn(learner.next_batch(), 0)
    learner.validate(0)
    samples(learner.model, 1, 0, 1, 0)


class Part(NamedTuple):
    """Something to compile: what it is called on the screen, the modules that hold its kernels, and how it is done."""

    label: str
    modules: tuple[str, ...]
    run: Callable[[], None]


PARTS = {
    "moves": Part("the rules", ("riichi.table", "agents.simple"), _moves),
    "outlook": Part("probabilities and danger", ("review.hints",), _outlook),
    "channels": Part("what networks see", ("features.suphx", "features.gao"), _channels),
    "planes": Part("channels to look at", ("features.suphx", "features.oracle", "features.gao"), _planes),
    "hidden": Part("what an oracle sees", ("features.oracle", "features.suphx", "rl.oracle"), _hidden),
    "heuristic": Part("the heuristic player", ("agents.heuristic.agent",), _agent("heuristic")),
    "efr": Part("the efr player", ("agents.efr",), _agent("efr")),
    "suphx": Part("the suphx player", ("agents.suphx", "features.claims"), _agent("suphx")),
    "gao": Part("the gao player", ("agents.suphx",), _agent("gao")),
    "shanten": Part("simple players", ("agents.simple",), _agent("shanten")),
    "records": Part(
        "records",
        (
            "records.replay_events",
            "riichi.loops",
            "riichi.loops",
            "riichi.loops",
            "records.walls",
        ),
        _records,
    ),
    "layer": Part("the first layer", ("networks.cpu_kernels",), _first_layer),
    "norms": Part("batch norms", ("networks.cpu_kernels",), _norms),
    "samples": Part("samples", ("learning.samples", "learning.metrics", "rl.policy_gradient"), _samples),
    "matches": Part("matches", ("arena.table_worker", "riichi.loops", "riichi.table"), _matches),
    "adaptation": Part("adaptation", ("rl.adapt_agent",), _adaptation),
    "mcr": Part("the rules of MCR", ("mcr.game", "mcr.loops", "arena.table_worker"), _mcr),
    "mcr heuristic": Part("the heuristic player of MCR", ("agents.mcr_heuristic",), _mcr_agent("heuristic")),
    "mcr shanten": Part("simple players of MCR", ("agents.mcr_heuristic",), _mcr_agent("shanten")),
    "mcr network": Part("what networks of MCR see", ("agents.mcr_network", "features.mcr_units"), _mcr_channels),
    "win distances": Part("win distances", ("rl.win_distance",), _win_distances),
    "mcr outlook": Part("plans of MCR", ("review.mcr_hints",), _mcr_outlook),
    "winning scores": Part("one-player hands", ("winning_scores.play",), _winning_scores),
    "forecast": Part("chances by han", ("winning_scores.forecast",), _forecast),
    "hands": Part("the analysis of hands", ("lookahead.analysis",), _hands),
}

SETS = {
    "rules": ("moves",),
    "play": ("moves", "outlook", "channels", "heuristic", "efr", "suphx", "layer", "gao", "shanten"),
    "records": ("moves", "records"),
    "train": ("moves", "channels", "suphx", "records", "samples", "layer", "norms"),
    "arena": ("moves", "matches"),
    "features": ("moves", "planes"),
    "lookahead": ("hands",),
    "winning-scores": ("winning scores",),
    "forecast": ("forecast",),
    "heuristic": ("moves", "heuristic"),
    "efr": ("moves", "heuristic", "efr"),
    "suphx": ("moves", "channels", "suphx", "layer"),
    "weak": ("moves", "channels", "suphx", "layer"),
    **dict.fromkeys(BASES, ("moves", "channels", "suphx", "layer")),
    "adapt": ("moves", "channels", "suphx", "layer", "norms", "matches", "adaptation"),
    "oracle": ("moves", "channels", "suphx", "layer", "hidden"),
    "gao": ("moves", "channels", "gao"),
    "shanten": ("moves", "shanten"),
    "mcr": ("mcr",),
    "mcr play": ("mcr", "mcr heuristic", "mcr shanten", "mcr outlook", "mcr network", "layer"),
    "mcr heuristic": ("mcr", "mcr heuristic"),
    "mcr shanten": ("mcr", "mcr shanten"),
    "mcr mcr": ("mcr", "mcr network", "layer"),
    "mcr train": ("mcr", "mcr network", "samples", "layer", "norms", "win distances"),
}


def parts_of(*sets: str) -> list[str]:
    """The parts of some sets, each once. An agent's set is its name, with or without where its models are."""
    found: dict[str, None] = {}
    for name in sets:
        found.update(dict.fromkeys(SETS.get(name.partition(":")[0], ())))
        if any(part.startswith("adapt") and "=" in part for part in name.partition(":")[2].split(",")):
            found.update(dict.fromkeys(SETS["adapt"]))
    return [part for part in PARTS if part in found]


def count_kernels(parts: Iterable[str]) -> int:
    """About how many kernels some parts have in all."""
    modules = imported_by(*(f"suzaku.{module}" for part in parts for module in PARTS[part].modules))
    return sum(sources()[module].count(b"@kernel") for module in modules)
