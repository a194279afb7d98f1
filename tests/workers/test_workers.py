"""Workers in processes: whatever is killed or suspended, and whenever, nobody waits for ever and no job is lost."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from suzaku.workers import LOST, Each, Here, LostError
from suzaku.workers import workers as module
from suzaku.workers.processes import BEAT, processes
from tests.agents.mjai_games import all_end, running
from tests.workers.helpers import LARGE, Trouble

ROOT = Path(__file__).parents[2]


@pytest.fixture
def opened(monkeypatch):
    """Workers that are closed in the end, with shorter limits."""
    monkeypatch.setattr(module, "SILENCE", 6.0)
    made = []

    def open_(setup=None, count=2, **about):
        made.append(processes(setup or Trouble(), count, patience=1.0, **about))
        return made[-1]

    yield open_
    for workers in made:
        workers.close()
        assert all_end([seat.link.pid for seat in workers._seats])


def all_of(workers, jobs):
    return [what for what, _, _ in workers.map(jobs)]


def test_replies_come_in_the_order_of_the_jobs_wherever_they_are_done(opened):
    workers = opened()
    found = list(workers.map([str(number) for number in range(40)]))
    assert [what for what, _, _ in found] == [str(number) for number in range(40)]
    for worker in range(2):
        workers.give("x", worker)
    assert len({workers.next()[2][2] for _ in range(2)}) == 2
    assert workers.replaced == 0


def test_here_it_is_the_same():
    assert list(Here(Each(str)).map([[1, 2], [3]])) == [["1", "2"], ["3"]]


def test_a_named_worker_keeps_its_state_and_is_told_lost_with_it(opened, tmp_path):
    workers = opened()
    for job in ("a", "b", ("killed", str(tmp_path / "once"))):
        workers.give(job, 1)
    replies = [workers.next()[2] for _ in range(3)]
    assert [reply[:2] for reply in replies[:2]] == [("a", 1), ("b", 2)]
    assert replies[2] is LOST
    workers.give("c", 1)
    worker, job, reply = workers.next()
    assert (worker, job, reply[:2]) == (1, "c", ("c", 1))
    assert workers.replaced == 1


@pytest.mark.parametrize("when", ["at_start", "at work"])
@pytest.mark.parametrize("how", ["killed", "suspended", "exit"])
def test_a_worker_that_is_gone_is_replaced(opened, tmp_path, capsys, how, when):
    """The setup and each job are larger than a pipe holds: a suspended process reads none of it."""
    once = str(tmp_path / "once")
    workers = opened(Trouble(how if when == "at_start" else "", once, LARGE), count=1)
    jobs = ["x", (how if when == "at work" else "y", once), "z"]
    assert all_of(workers, jobs) == [job if isinstance(job, str) else job[0] for job in jobs]
    assert workers.replaced == 1
    told = {"killed": "SIGKILL (out of memory?)", "suspended": "no sign of life", "exit": "with exit code 3"}[how]
    assert told in capsys.readouterr().err


def test_a_process_that_is_suspended_from_outside_while_a_large_job_is_sent(opened):
    workers = opened(count=1)
    _, _, (_, _, pid) = give(workers, "first")
    os.kill(pid, signal.SIGSTOP)
    workers.give((LARGE, ""))
    _, _, reply = workers.next()
    assert reply[2] != pid
    assert not running(pid)


def give(workers, job):
    workers.give(job)
    return workers.next()


@pytest.mark.parametrize("what", ["at_start", "job"])
def test_what_always_ends_its_worker_ends_the_wait_in_a_sentence(opened, what):
    setup = Trouble("killed") if what == "at_start" else Trouble()
    workers = opened(setup, resume="The same command goes on.", describe=lambda job: f"job {job}")
    told = r"worker \d \(process \d+\) was ended from outside by SIGKILL \(out of memory\?\), the 3rd time in a row"
    told += r"\. The same command goes on\." if what == "at_start" else r" with job killed\. The same"
    with pytest.raises(LostError, match=told):
        all_of(workers, ["a", "killed", "b"])


@pytest.mark.parametrize("when", ["at_start", "at work"])
def test_what_goes_wrong_in_a_worker_is_raised_here(opened, when):
    workers = opened(Trouble("wrong" if when == "at_start" else ""), 1)
    with pytest.raises(ValueError, match="this job is wrong") as caught:
        all_of(workers, ["a", "wrong"])
    assert "in trouble" in str(caught.value.__cause__)  # where it was raised over there


def test_notes_come_on_the_way(opened):
    noted = []
    workers = opened(count=1, noted=noted.append)
    assert give(workers, "note")[2][0] == "note"
    assert noted == ["on the way"]


def test_who_is_waited_for_is_said(opened, capsys, monkeypatch):
    monkeypatch.setattr(module, "SAY", 0.2)
    monkeypatch.setattr(module, "SILENCE", 2.0)
    workers = opened(count=1)
    _, _, (_, _, pid) = give(workers, "first")
    capsys.readouterr()
    workers._longest = 0.0
    os.kill(pid, signal.SIGSTOP)
    give(workers, "second")
    assert f"waiting for a reply; worker 0 (process {pid}) is at work for" in capsys.readouterr().err


def test_who_is_silent_is_given_up_within_a_minute():
    assert module.SILENCE + BEAT + 2 * module.TICK < 60


def test_the_time_for_which_this_process_was_suspended_is_no_silence(opened, monkeypatch):
    """As after Ctrl-Z and fg, or when a laptop wakes up."""
    workers = opened(count=1)
    give(workers, "first")
    clock, slept, looks = time.monotonic, [0.0], []

    def look(seconds):
        looks.append(seconds)
        slept[0] += 7200.0
        if len(looks) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(module.time, "monotonic", lambda: clock() + slept[0])
    monkeypatch.setattr(workers, "_look", look)
    with pytest.raises(KeyboardInterrupt):
        workers.next()
    assert max(looks) <= 2 * module.TICK


SCRIPT = """
import sys, signal
from tests.workers.helpers import Trouble, LARGE
from suzaku.workers.processes import processes
workers = processes(Trouble(sys.argv[1], load=LARGE), 2)
print("made", flush=True)
for _ in range(2):
    workers.give("sleep")
try:
    workers.next()
    print([seat.link.pid for seat in workers._seats], flush=True)
    workers.next()
    workers.next()
finally:
    workers._patience = 0.5
    workers.close()
"""


def started(what):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, what]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("what", ["", "suspended"])
def test_ctrl_c_ends_the_wait_at_once_also_for_workers_that_hang(what):
    process = started(what)
    try:
        assert process.stdout.readline() == "made\n"
        if not what:
            process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
    assert "suzaku:" not in errors  # the workers heard nothing of it


def test_workers_end_with_a_parent_that_is_killed():
    process = started("")
    assert process.stdout.readline() == "made\n"
    pids = [int(word) for word in process.stdout.readline().strip("[]\n").split(",")]
    process.kill()
    process.wait()
    assert all_end(pids)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells what a process has blocked")
def test_ctrl_c_does_not_reach_a_worker_that_starts(opened):
    workers = opened(Trouble("suspended"), 1)
    for _ in range(100):
        if workers._seats[0].link.where:
            break
        time.sleep(0.02)
    lines = Path(f"/proc/{workers._seats[0].link.pid}/status").read_text().splitlines()
    mask = int(next(line for line in lines if line.startswith("SigBlk")).split()[1], 16)
    assert mask >> (signal.SIGINT - 1) & 1
    assert not mask >> (signal.SIGTERM - 1) & 1
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_closing_leaves_no_thread(opened):
    workers = opened()
    all_of(workers, ["a"])
    workers.close()
    assert not any(thread.is_alive() for thread in workers._threads)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("worker ")]
