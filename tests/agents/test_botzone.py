"""Botzone's protocol: a seat that knows only its requests sees the same table, and answers in every way of talking."""

import ast
import importlib.util
import io
import json
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from suzaku.agents.agent import Answers
from suzaku.agents.botzone.bot import KEEP_RUNNING, Bot, FaultError, answer_words, read_answer, talk
from suzaku.agents.botzone.bundle import Bundle
from suzaku.agents.botzone.package import MOST, write_package
from suzaku.agents.botzone.process import _Seat
from suzaku.agents.botzone.view import RequestError, SeatView
from suzaku.agents.make import make_agent
from suzaku.mcr import Rules, Table
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.redraw import hide
from suzaku.networks.bundled import bundled
from suzaku.networks.numpy_network import to_npz
from tests.mcr.test_table_judge import choose

SAME = ("dealer", "wind", "own_left", "left", "melds", "meld_type", "meld_kind", "meld_called", "meld_from",
        "river_size", "river", "river_called", "river_order", "discards", "phase", "turn")  # fmt: skip
SEAT = ["0 1 2", "1 0 0 0 0 W1 W1 W2 W3 T4 T5 T6 B7 B8 B9 F1 F1 J1"]


def quiet(text: str) -> None:
    raise AssertionError(text)


class Told(_Seat):
    """What a seat would be sent, without a process."""

    def __init__(self, seat: int) -> None:
        super().__init__(None, seat)  # type: ignore[arg-type]
        self.view = SeatView()
        self.last = ""  # its last answer
        self.known = 0

    def catch_up(self) -> None:
        for request in self._requests[self.known :]:
            self.view.take(request, self.last)
        self.known = len(self._requests)


@pytest.mark.parametrize("seed", range(12))
def test_a_seat_sees_the_table_from_its_requests(seed):
    rng = np.random.default_rng(seed)
    table = Table(Rules.botzone(), seed=seed)
    seats = [Told(seat) for seat in range(4)]
    for one in seats:
        one.follow(table.record, -1, table.record)
    asked = 0
    while not table.game_over:
        s = table.record
        me = table.seat
        if s.phase != st.CALLED:
            seats[me].catch_up()
            view, own = seats[me].view.record, hide(table._array, me)[0]
            assert int(view.seat) == me
            for name in SAME:
                assert (view[name] == own[name]).all(), name
            assert (view.hand[me] == own.hand[me]).all()
            assert view.shanten[me] == own.shanten[me]
            assert (view.public == own.public).all()
            assert (view.drawn, view.after_kong, view.offer if s.phase != st.TURN else -1) == (
                own.drawn, own.after_kong, own.offer if s.phase != st.TURN else -1,
            )  # fmt: skip
            assert (Table.from_record(view).legal_mask() == table.legal_mask()).all()
            asked += 1
        action = choose(table, table.legal_actions(), rng, 0.9)
        if s.phase == st.TURN:
            seats[me].last = answer_words(s, action)
        before = s.copy()
        table.act(action)
        for one in seats:
            one.follow(before, action, table.record)
    assert asked > 20


def test_answers_are_words_and_back():
    rng = np.random.default_rng(1)
    table = Table(seed=4)
    seen = set()
    while not table.game_over:
        s, legal = table.record, table.legal_mask()
        if s.phase != st.CALLED:
            for action in np.flatnonzero(legal):
                words = answer_words(s, int(action), 5)
                assert read_answer(words, s, legal)[0] == action
                seen.add(words.split()[0])
        table.act(choose(table, table.legal_actions(), rng, 0.5))
    assert {"PLAY", "PASS", "PENG", "CHI"} <= seen
    for text, type_ in (("", "nonsense"), ("PLAY", "nonsense"), ("PLAY X1", "nonsense"), ("HU", "illegal")):
        table = Table(seed=4)
        with pytest.raises(FaultError) as fault:
            read_answer(text, table.record, table.legal_mask())
        assert fault.value.type == type_


class Claims(type(make_agent("shanten", "mcr"))):  # type: ignore[misc]
    """Claims whatever it may."""

    def act(self, records, legal, streams=None):
        if legal[0, act.PASS]:
            return Answers(np.array([np.flatnonzero(legal[0])[0]]))
        return super().act(records, legal)


def test_a_claim_counts_only_when_it_is_echoed():
    bot = Bot(Claims(), quiet)
    for request in [*SEAT, "3 0 DRAW"]:
        assert bot.react(request) == "PASS"
    answer = bot.react("3 0 PLAY F1")
    assert answer.split()[0] == "PENG"
    assert bot.react("3 2 GANG") == "PASS"  # another seat was served
    assert bot.view.record.melds[1] == 0
    assert bot.view.record.hand[1, 27] == 2
    bot = Bot(Claims(), quiet)
    for request in [*SEAT, "3 0 DRAW"]:
        bot.react(request)
    tile = bot.react("3 0 PLAY F1").split()[1]
    bot.react(f"3 1 PENG {tile}")
    assert bot.view.record.melds[1] == 1
    assert bot.view.record.hand[1].sum() == 10


def test_all_ways_of_talking_give_the_same_answer():
    agent = make_agent("shanten", "mcr")
    requests = [*SEAT, "2 J1"]
    simple = "\n".join(["3", SEAT[0], "PASS", SEAT[1], "PASS", "2 J1", "data"]) + "\n"
    history = json.dumps({"requests": requests, "responses": ["PASS", "PASS"]})
    found = set()
    for text, keep in ((simple, False), (history, False), (history, True)):
        out = io.StringIO()
        talk(Bot(agent, quiet), io.StringIO(text), out, keep)
        first, *rest = out.getvalue().split("\n")
        found.add(json.loads(first)["response"] if first[0] == "{" else first)
        assert rest == ([KEEP_RUNNING, ""] if keep else [""])
    for later in ("\n".join(requests[1:]), "\n".join(map(json.dumps, requests[1:]))):
        out = io.StringIO()
        talk(Bot(agent, quiet), io.StringIO(f"1\n{requests[0]}\n{later}\n"), out)
        lines = out.getvalue().split("\n")
        assert lines[1::2] == [KEEP_RUNNING] * 3
        found.add(lines[4])
    assert len(found) == 1
    assert found.pop().startswith("PLAY ")


def test_what_makes_no_sense_is_told_and_the_bot_goes_on():
    told = []
    bot = Bot(make_agent("shanten", "mcr"), told.append)
    assert bot.react("7 what") == "PASS"
    assert bot.react("2 W1") == "PLAY W1"
    assert len(told) == 1
    assert bot.react(SEAT[0]) == "PASS"
    out = io.StringIO()
    talk(bot, io.StringIO("\n".join(["1", *SEAT, '{"what": 1}', '"2 W', "2 W1"]) + "\n"), out)
    assert out.getvalue().split("\n")[::2][-2] == "PLAY W1"
    assert len(told) == 2
    for text in ("x", "2\n0 1 2\n", "9999999999\n0 1 2\n"):
        with pytest.raises(ValueError, match=r"expected the number|the input ends"):
            talk(bot, io.StringIO(text), io.StringIO())
    with pytest.raises(RequestError):
        SeatView().take("3 1 PENG W1")
    for seat in ("-1", "4", "x"):
        with pytest.raises(RequestError, match="there is no seat"):
            SeatView().take(f"3 {seat} PLAY W1")


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The zips of the heuristic player and of the one with networks."""
    folder = tmp_path_factory.mktemp("package")
    for name in ("heuristic", "mcr"):
        assert write_package(folder / f"{name}.zip", name) < MOST
    return folder


PARTS = {"heuristic": set(), "mcr": {"discard.npz", "pong.npz", "chow.npz"}}


@pytest.mark.parametrize("name", PARTS)
def test_the_package_is_one_file_of_old_python_with_what_it_reads(packages, name):
    file = zipfile.ZipFile(packages / f"{name}.zip")
    assert set(file.namelist()) == {"__main__.py", "tables.bin"} | PARTS[name]
    tree = ast.parse(file.read("__main__.py"), feature_version=(3, 6))  # Botzone's version
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"array", "json", "math", "os", "sys", "zlib"} | ({"io", "numpy"} if name == "mcr" else set())
    newer = {"removeprefix", "removesuffix", "bit_count", "cache", "dataclass"}
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not newer & (used | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})


@pytest.fixture(scope="module")
def sure_player(tmp_path_factory):
    """A folder of fresh networks over the paper's units, which say yes and no."""
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    from suzaku.networks.checkpoint import save
    from suzaku.networks.modules import build

    torch.manual_seed(2)
    folder = tmp_path_factory.mktemp("sure")
    for model in ("discard", "pong", "chow"):
        module = build("mcr-55-b1x3c8", model)
        with torch.no_grad():
            module.last.weight.mul_(40)
            if model != "discard":
                module.last.bias[1] += 8  # or claims would be rare
        save(folder / model, module, {"network": "mcr-55-b1x3c8", "model": model})
    return folder


@pytest.mark.parametrize(
    ("name", "seeds"), [("heuristic", (4, 5, 6)), ("shanten", (4, 5, 6)), ("mcr", (5,)), ("mcr:FOLDER", (4, 5, 6))]
)
def test_the_package_answers_as_the_agent_does(name, seeds, tmp_path, request):
    if name.endswith("FOLDER"):
        name = f"mcr:{request.getfixturevalue('sure_player')}"
    write_package(tmp_path / "bot.zip", name)
    zipfile.ZipFile(tmp_path / "bot.zip").extractall(tmp_path)
    spec = importlib.util.spec_from_file_location(f"packed_{name[:4]}", tmp_path / "__main__.py")
    packed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(packed)
    agent, words = make_agent(name, "mcr"), set()
    for seed in seeds:
        rng, table = np.random.default_rng(seed), Table(seed=seed)
        seat, bots = Told(seed % 4), (Bot(agent, quiet), packed.Bot(packed.Player(), quiet))
        seat.follow(table.record, -1, table.record)
        while not table.game_over:
            for request in seat._requests[seat.known :]:
                answer, theirs = (bot.react(request) for bot in bots)
                assert theirs == answer
                words.add(answer.split()[0])
            seat.known = len(seat._requests)
            # players who love kongs come to more kinds of positions than the agent does by itself
            action = choose(table, table.legal_actions(), rng, 1.1)
            before = table.record.copy()
            if before.phase == st.TURN and before.seat == seat.seat:
                for bot in bots:
                    bot._answer = answer_words(before, action)
            table.act(action)
            seat.follow(before, action, table.record)
    assert {"PASS", "PLAY"} <= words
    assert name in ("shanten", "mcr") or {"PENG", "CHI"} <= words


@pytest.mark.parametrize("name", PARTS)
def test_the_package_runs_alone(packages, name, tmp_path):
    text = "\n".join(["1", *SEAT, "2 J1"]) + "\n"
    alone = ["-S"] if name == "heuristic" else []  # without site-packages there is neither Numba nor NumPy
    command = [sys.executable, "-I", *alone, str(packages / f"{name}.zip")]
    run = subprocess.run(command, input=text, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    lines = run.stdout.splitlines()
    assert (run.stderr, lines[1::2]) == ("", [KEEP_RUNNING] * 3)
    assert lines[4].startswith("PLAY ")
    assert not any(tmp_path.iterdir())


def test_an_agent_that_cannot_be_packed_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"random cannot be packed for Botzone; there are shanten, heuristic, mcr"):
        write_package(tmp_path / "bot.zip", "random")
    with pytest.raises(ValueError, match=r"mcr:temperature=0.5 draws its answers"):
        write_package(tmp_path / "bot.zip", "mcr:temperature=0.5")
    with pytest.raises(ValueError, match=r"heuristic:x=1: heuristic has no settings"):
        write_package(tmp_path / "bot.zip", "heuristic:x=1")
    for file in bundled("mcr").iterdir():
        shutil.copy(file, tmp_path)
    for file in tmp_path.glob("*.json"):
        file.write_text(json.dumps({**json.loads(file.read_text()), "training": {"lookahead": False}}))
    with pytest.raises(ValueError, match="has learnt without the look-ahead"):
        write_package(tmp_path / "bot.zip", f"mcr:{tmp_path}")


def test_weights_that_half_precision_cannot_hold_are_not_packed(tmp_path):
    with pytest.raises(ValueError, match="norm has numbers too large"):
        to_npz({"norm": np.array([1.0, 1e6], np.float32)}, tmp_path / "x.npz")


def _reads_infinity():
    return np.inf


def _sets_a_part(values):
    values[1:] = 0


def test_a_bundle_refuses_what_its_runtime_lacks():
    for function, why in ((_reads_infinity, "np.inf is not known"), (_sets_a_part, "only all of a list is set")):
        with pytest.raises(TypeError, match=why):
            Bundle({}).name_of(function, "made")
