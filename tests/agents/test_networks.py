"""The players with networks: they answer legally, see nothing hidden, and follow Fig. 1."""

import shutil

import numpy as np
import pytest

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import isolated_kongs
from suzaku.networks.bundled import bundled
from suzaku.networks.spec import SUPHX
from suzaku.riichi import actions as act
from suzaku.riichi import resample_hidden
from suzaku.riichi.table import Tables

NAMES = ("suphx", "weak", "gao")


@pytest.fixture(scope="module")
def tables():
    """Tables in the middle of games of the simplest players."""
    tables = Tables(48, seed=5)
    player = make_agent("shanten")
    seen = []
    for step in range(160):
        if step % 40 == 39:
            seen.append((tables.records.copy(), tables.legal.copy()))
        tables.step(player.act(tables.records, tables.legal).actions)
    return np.concatenate([records for records, _ in seen]), np.concatenate([legal for _, legal in seen])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("temperature", [0, 0.5, 1])
def test_answers_are_legal_and_carry_a_policy(name, temperature, tables):
    records, legal = tables
    answers = make_agent(f"{name}:temperature={temperature}").act(records, legal)
    rows = np.arange(len(records))
    assert legal[rows, answers.actions].all()
    assert (answers.policy[~legal] == 0).all()
    assert np.allclose(answers.policy.sum(1), 1, atol=1e-5)
    if temperature == 0:
        assert (answers.log_prob == 0).all(), "the greedy choice is certain"
    else:
        assert np.isfinite(answers.log_prob).all()
        taken = np.log(answers.policy[rows, answers.actions])
        assert np.allclose(answers.log_prob, taken, atol=1e-5) == (temperature == 1)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_hidden_is_seen(name, tables):
    records, legal = tables
    agent = make_agent(name)
    told = agent.act(records, legal).policy
    other = records.copy()
    resample_hidden(other, other["seat"], 3)
    assert (other["wall"] != records["wall"]).any()
    assert np.allclose(agent.act(other, legal).policy, told, atol=1e-4)


@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
@pytest.mark.parametrize("name", NAMES)
def test_one_table_is_answered_like_many_to_the_last_bit(name, many, tables):
    """Otherwise a close choice, and with it a whole match, would depend on the number of tables and processes."""
    records, legal = tables
    agent = make_agent(name)
    if many:
        agent.expect_many()
    together = agent.act(records, legal).policy
    for size in (1, 5, 80):
        last = min(16 * size, len(records))
        parts = [agent.act(records[i : i + size], legal[i : i + size]).policy for i in range(0, last, size)]
        apart = np.concatenate(parts)
        assert np.array_equal(apart, together[: len(apart)])


def test_a_folder_of_training_runs_will_do(tmp_path, tables):
    for model in SUPHX.models:
        for path in bundled("weak").glob(f"{model}.*"):
            (tmp_path / model).mkdir(exist_ok=True)
            shutil.copy(path, tmp_path / model / f"best{path.suffix}")
    records, legal = (part[:8] for part in tables)
    runs, weak = (make_agent(name).act(records, legal) for name in (f"suphx:{tmp_path}", "weak"))
    assert (runs.actions == weak.actions).all()


def test_kongs_of_tiles_that_a_chow_could_use_are_left_alone():
    tables = Tables(3, seed=1)
    hands = ("1111m", "1111m 3m", "1111z 2z")
    records, legal = tables.records, np.zeros((3, act.ACTIONS), np.bool_)
    legal[:, act.DISCARD_DRAWN] = True
    for row, hand in enumerate(hands):
        seat = records["seat"][row]
        records["hand"][row, seat] = 0
        for kind, count in {"1111m": {0: 4}, "1111m 3m": {0: 4, 2: 1}, "1111z 2z": {27: 4, 28: 1}}[hand].items():
            records["hand"][row, seat, kind] = count
        legal[row, act.CLOSED_KONG + int(records["hand"][row, seat].argmax())] = True
    assert isolated_kongs(records, legal).tolist() == [act.CLOSED_KONG, -1, act.CLOSED_KONG + 27]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("suphy", "did you mean suphx"),
        ("suphx:/nowhere", "is missing"),
        ("suphx:temprature=1", "no setting 'temprature'"),
        ("gao:temperature=warm", "takes a number"),
    ],
)
def test_bad_names_are_told(text, said):
    with pytest.raises(ValueError, match=said):
        make_agent(text)
