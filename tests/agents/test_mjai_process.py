"""Programs that speak mjai as agents: sound ones play well, and no bad one stops a match."""

import io
import shlex
import subprocess
import sys

import numpy as np
import pytest

from suzaku.agents.make import make_agent
from suzaku.agents.mjai.pipe import LONGEST_LINE, Pipe
from suzaku.agents.mjai.process import Limits, MjaiAgent
from suzaku.agents.simple import ShantenAgent, TsumogiriAgent
from suzaku.riichi import Table
from suzaku.riichi.actions import DISCARD_DRAWN
from tests.agents.mjai_games import HANGING, all_end, needs_proc, pids_in, replay_game, running, write_bot

NONE = 'json.dumps({"type": "none"})'


def choose(agent):
    return lambda table: int(agent.act(table.record.reshape(1).copy(), table.legal_mask()[None]).actions[0])


BAD = {
    "sleeping": ("def answer(event):\n    time.sleep(100)", "time-out"),
    "crashing": ("def answer(event):\n    os._exit(3)", "crash"),
    "nonsense": ("def answer(event):\n    return 'pong!'", "nonsense"),
    "array": ("def answer(event):\n    return '[]'", "nonsense"),
    "illegal": (f"def answer(event):\n    return {NONE}", "illegal"),
    "other's": ("def answer(event):\n    return json.dumps({'type': 'dahai', 'actor': 3, 'pai': 'E'})", "illegal"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_program_plays_as_tsumogiri_and_is_counted(name, tmp_path):
    body, kind = BAD[name]
    log = io.StringIO()
    limit = 0.05 if name == "sleeping" else 30
    agent = MjaiAgent(write_bot(tmp_path, body), limits=Limits(limit, limit), log=log)
    small = name in ("sleeping", "crashing")  # these are started again and again
    try:
        table = Table(seed=4)
        calm = choose(TsumogiriAgent())
        agent.follow(0, 0, table.record, -1, table.record)
        for _ in range(8 if small else 60):
            asked = table.seat == 0
            action = calm(table)
            if asked:
                record = table.record.reshape(1).copy()
                assert agent.act_at(np.array([0]), record, table.legal_mask()[None]).actions[0] == action
            before = table.record.copy()
            table.act(action)
            agent.follow(0, 0, before, action, table.record.copy())
    finally:
        agent.close()
    assert set(agent.faults) == {kind}
    assert agent.faults[kind] >= 2
    assert f"seat 0: {kind}" in log.getvalue()
    assert "hand" in log.getvalue()


def test_a_program_that_is_late_once_is_not_started_again(tmp_path):
    body = (
        "n = 0\n"
        "def answer(event):\n"
        "    global n; n += 1\n"
        "    if n == 3: time.sleep(1.5)\n"
        "    drew = event['type'] == 'tsumo'\n"
        "    return json.dumps({'type': 'dahai', 'actor': 0, 'pai': event['pai'], 'tsumogiri': True}"
        " if drew else {'type': 'none'})"
    )
    agent = MjaiAgent(write_bot(tmp_path, body), limits=Limits(answer=1.0), log=io.StringIO())
    try:
        replay_game(agent, choose(TsumogiriAgent()), {0}, 4, 1)
        assert agent.faults == {"time-out": 1}
    finally:
        agent.close()


@pytest.mark.parametrize(("tables", "answer"), [(1, 0.01), (3, 30)])
def test_the_first_start_of_all_is_alone_and_has_a_clock_of_its_own(tables, answer, tmp_path):
    """The programs end if another one is still at what only a first start has to do."""
    body = (
        "begun, done = (os.path.join(os.path.dirname(__file__), name) for name in ('begun', 'done'))\n"
        "if not os.path.exists(done):\n"
        "    os.mkdir(begun)\n"
        "    time.sleep(0.5)\n"
        "    os.mkdir(done)\n"
        "def answer(event):\n"
        "    return json.dumps({'type': 'dahai', 'actor': event['actor'], 'pai': event['pai'], 'tsumogiri': True})"
    )
    log = io.StringIO()
    agent = MjaiAgent(write_bot(tmp_path, body), limits=Limits(answer, start=60), log=log)
    dealt = [Table(seed=seed) for seed in range(tables)]
    try:
        for place, table in enumerate(dealt):
            agent.follow(place, 0, table.record, -1, table.record)
        legal = np.array([table.legal_mask() for table in dealt])
        answers = agent.act_at(np.arange(tables), np.array([table.record for table in dealt]), legal)
        assert (answers.actions == DISCARD_DRAWN).all()
        assert not agent.faults, log.getvalue()
    finally:
        agent.close()


@pytest.mark.parametrize("kind", ["mjai", "mjai.app"])
def test_our_own_bot_as_a_program_plays_as_the_agent_itself(kind):
    command = f"{kind}:{shlex.quote(sys.executable)} -m suzaku bot {{seat}} --agent shanten --length east"
    agent = make_agent(command)
    assert isinstance(agent, MjaiAgent)
    agent.limits = Limits(answer=30)
    shanten = choose(ShantenAgent())
    try:
        played = [replay_game(agent, shanten, {1, 3}, seed, 3) for seed in (5, 6)]
        assert not agent.faults
        assert len(agent._players) == 2  # the second game is played by the same processes
    finally:
        agent.close()
    nobody = MjaiAgent("none")
    for seed, table in zip((5, 6), played, strict=True):
        assert (table.record == replay_game(nobody, shanten, set(), seed, 3).record).all()


def ask_once(agent: MjaiAgent) -> None:
    table = Table(seed=4)
    agent.follow(0, 0, table.record, -1, table.record)
    agent.act_at(np.array([0]), table.record.reshape(1).copy(), table.legal_mask()[None])


def test_the_user_is_told_who_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.agents.mjai.process.QUIET", 0.1)
    log = io.StringIO()
    agent = MjaiAgent(write_bot(tmp_path, BAD["sleeping"][0]), limits=Limits(0.05, start=0.5), log=log)
    agent.where = "game {}".format
    try:
        ask_once(agent)
    finally:
        agent.close()
    told = [line for line in log.getvalue().splitlines() if "waiting" in line]
    assert len(told) == 3  # after 0.1, 0.2 and 0.4 seconds
    assert f"of 0.5 seconds for an answer of {agent.name} (game 0, seat 0, the first of its process)" in told[0]


@pytest.mark.parametrize("name", ["sleeping", "crashing", "illegal"])
def test_a_program_without_one_legal_answer_is_called_useless(name, tmp_path):
    agent = MjaiAgent(write_bot(tmp_path, BAD[name][0]), limits=Limits(30, 0.3 if name == "sleeping" else 30))
    try:
        for _ in range(1 if name == "sleeping" else 10):
            assert agent.useless == ""
            ask_once(agent)
        assert f"does not play: asked {agent.faults.total()} times" in agent.useless
        assert BAD[name][1] in agent.useless
        assert agent.start_limit() == 30  # others need not wait as long as the first one
        agent.good = 1
        assert agent.useless == ""
    finally:
        agent.close()


@needs_proc
def test_a_program_that_hangs_is_ended_with_what_it_has_started(tmp_path):
    command = f"{write_bot(tmp_path, HANGING)} {tmp_path / 'pids'}"
    agent = MjaiAgent(command, limits=Limits(0.01, start=1))
    ask_once(agent)
    pids = pids_in(tmp_path / "pids")
    assert len(pids) == 2
    assert all(map(running, pids))
    agent.close()
    assert all_end(pids, 2)


@needs_proc
def test_a_program_that_hangs_is_ended_even_if_we_are_killed(tmp_path):
    bot = [*shlex.split(write_bot(tmp_path, HANGING)), str(tmp_path / "pids")]
    code = f"import time; from suzaku.agents.mjai.pipe import Pipe; Pipe({bot!r}); time.sleep(100)"
    parent = subprocess.Popen([sys.executable, "-c", code])
    pids = pids_in(tmp_path / "pids")
    assert all(map(running, pids))
    parent.kill()
    parent.wait()
    assert all_end(pids)


def test_a_command_that_cannot_be_started_is_told():
    agent = make_agent("mjai:no-such-program-anywhere")
    table = Table(seed=1)
    with pytest.raises(ValueError, match="cannot be started"):
        agent.act_at(np.array([0]), table.record.reshape(1).copy(), table.legal_mask()[None])
    with pytest.raises(ValueError, match="needs the command"):
        make_agent("mjai:")


def test_a_line_without_end_is_cut_and_the_program_ended():
    pipe = Pipe([sys.executable, "-c", "import sys\nwhile True: sys.stdout.write('x' * 65536)"])
    try:
        assert len(pipe.read(20)) == LONGEST_LINE
        with pytest.raises(EOFError):
            pipe.read(20)
    finally:
        pipe.stop(0)


def test_what_a_program_writes_gives_the_terminal_no_commands(tmp_path):
    log = io.StringIO()
    agent = MjaiAgent(write_bot(tmp_path, "def answer(event):\n    return chr(27) + '[31mred'"), log=log)
    try:
        table = Table(seed=4)
        seat = table.seat
        agent.follow(0, seat, table.record, -1, table.record)
        agent.act_at(np.array([0]), table.record.reshape(1).copy(), table.legal_mask()[None])
    finally:
        agent.close()
    assert "[31mred" in log.getvalue()
    assert "\x1b" not in log.getvalue()
