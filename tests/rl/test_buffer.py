"""The replay buffer: every game is learnt from once, and a run goes on with what it had."""

from dataclasses import replace

import pytest

from suzaku.rl.buffer import ReplayBuffer


def names(games):
    return [game.id for game in games]


def test_each_game_is_drawn_once_while_it_stays(games, tmp_path):
    buffer = ReplayBuffer(tmp_path, 3)
    drawn = []
    for iteration in range(4):
        buffer.add(iteration, games if iteration == 1 else [])
        drawn += names(buffer.draw(iteration, 1, 0)[0])
    assert sorted(drawn) == sorted(names(games))
    assert len(buffer) == len(games)
    buffer.add(4, [])
    assert len(buffer) == 0


def files(folder):
    return [int(path.stem.rpartition("-")[2]) for path in sorted(folder.iterdir())]


def test_files_stay_until_no_saved_state_needs_them(games, tmp_path):
    buffer = ReplayBuffer(tmp_path, 3)
    for iteration in range(5):
        buffer.add(iteration, games)
    assert files(tmp_path) == [0, 1, 2, 3, 4]
    buffer.saved(3)
    assert files(tmp_path) == [1, 2, 3, 4]  # 1 and 2 are drawn from after 3 iterations
    ReplayBuffer(tmp_path, 3).restore(3)
    buffer.saved(5)
    assert files(tmp_path) == [3, 4]
    with pytest.raises(ValueError, match=r"iteration-0000002.parquet is missing.* begin another from the player"):
        ReplayBuffer(tmp_path, 3).restore(4)


def test_with_one_iteration_all_are_drawn_and_nothing_is_written(games, tmp_path):
    buffer = ReplayBuffer(tmp_path / "buffer", 1)
    buffer.add(0, games)
    assert names(buffer.draw(0, 1, 0)[0]) == names(games)
    assert not (tmp_path / "buffer").exists()


def test_games_of_old_weights_are_left_out_and_counted(games, tmp_path):
    buffer = ReplayBuffer(tmp_path, 1)
    buffer.add(0, games)
    assert buffer.draw(0, 1, 0) == (games, 0)
    assert buffer.draw(0, 1, 1) == ([], len(games))  # they were played with version 0


def test_a_game_is_as_old_as_its_oldest_weights(games, tmp_path):
    """Seats whose table was frozen when the weights were exchanged played on with older ones."""
    versions = [2, 2, 2, 2], [1, 2, 2, 2], [2, 2, 2, 3]
    mixed = [replace(game, versions=each) for game, each in zip(games, versions, strict=True)]
    buffer = ReplayBuffer(tmp_path, 1)
    buffer.add(3, mixed)
    fresh, stale = buffer.draw(3, 1, 2)
    assert [game.versions for game in fresh] == [versions[0], versions[2]]
    assert stale == 1


def test_it_goes_on_from_its_files(games, tmp_path):
    first = ReplayBuffer(tmp_path, 2)
    for iteration in range(3):
        first.add(iteration, games[iteration:])
    again = ReplayBuffer(tmp_path, 2)
    again.restore(3)
    for buffer in (first, again):
        buffer.add(3, games[:1])
    assert names(again.draw(3, 1, 0)[0]) == names(first.draw(3, 1, 0)[0])
    assert len(again) == len(first) == 2


def test_a_file_cut_short_is_told(games, tmp_path):
    buffer = ReplayBuffer(tmp_path, 2)
    buffer.add(0, games)
    path = next(tmp_path.iterdir())
    path.write_bytes(path.read_bytes()[:-40])
    again = ReplayBuffer(tmp_path, 2)
    with pytest.raises(ValueError, match=r"iteration-0000000.parquet cannot be read .*: begin another"):
        again.restore(1)
