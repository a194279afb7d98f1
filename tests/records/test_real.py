"""Real records, where somebody put some: every one agrees with the rules, or the disagreement is known."""

import itertools
import os
from pathlib import Path

import numpy as np
import pytest

from suzaku.records.formats import WRITERS, read_games, write_game
from suzaku.records.importing import import_item
from suzaku.records.sources import find_files, read_items
from suzaku.records.to_events import to_events
from tests.records.made import stored_again

DATA = Path(os.environ.get("SUZAKU_RECORDS", Path(__file__).parents[3] / "shared" / "data"))
MOST = 25  # games of each archive

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"no real records in {DATA}; set SUZAKU_RECORDS to a folder with some"
)


def archives():
    return sorted(DATA.glob("*.tar.xz")) if DATA.is_dir() else []


@pytest.mark.parametrize("path", archives(), ids=lambda path: path.name)
def test_real_games_agree_with_the_rules(path):
    for item in itertools.islice(read_items([path]), MOST):
        outcome = import_item(item)
        assert not outcome.bad, outcome.divergences
        assert outcome.games or outcome.skipped == ["three players"]


def test_samples_of_other_formats():
    if not (DATA / "samples").is_dir():
        pytest.skip("no samples there")
    outcomes = [import_item(item) for item in read_items(find_files([str(DATA / "samples")]))]
    assert sum(len(outcome.games) for outcome in outcomes) >= 17
    known = {"haifu_log_1000_0__000f7d5a.json"}  # counts one han less than the same hand in a sister file
    assert {outcome.name.rsplit("/", 1)[-1] for outcome in outcomes if outcome.bad} <= known


@pytest.mark.parametrize("format", WRITERS)
def test_real_games_written_and_read_again(format):
    found = [path for path in archives() if path.name.startswith("valid")]
    if not found:
        pytest.skip("no valid.tar.xz there")
    for item in itertools.islice(read_items(found), 5):
        for game in import_item(item).games:
            again = stored_again(read_games(write_game(to_events(game), format), game.id)[0])
            assert np.array_equal(again.actions % 128, game.actions % 128)
            assert again.scores == game.scores
