"""`suzaku agreement`, the command."""

import json

from typer.testing import CliRunner

from suzaku.arena.selfplay import self_play
from suzaku.cli.main import app
from suzaku.records.formats import write_stored
from tests.records.made import write_folder

SEEDS = (2, 3)


def test_the_command(tmp_path):
    folder = str(write_folder(tmp_path / "games", SEEDS))
    run = CliRunner().invoke(app, ["agreement", folder, "--agent", "shanten", "--json"])
    assert run.exit_code == 0, run.output
    found = json.loads(run.stdout)
    assert found["games"] == 2
    assert 0.2 < found["types"]["discard, not forced"]["agreement"] < 1
    run = CliRunner().invoke(app, ["agreement", folder, "--agent", "shanten", "--most", "1"])
    assert run.exit_code == 0
    assert "shanten and the players of 1 game" in run.stdout
    for arguments in (["--agent", "nobody"], ["--agent", "shanten", "--player", "nobody"], ["--agent", "mjai:true"]):
        run = CliRunner().invoke(app, ["agreement", folder, *arguments])
        assert run.exit_code == 2, run.output
        assert run.stderr.count("\n") == 1


def test_a_record_that_is_not_compared_is_told_who_reads_it(tmp_path):
    (game,) = self_play("random", range(1), 1, game="mcr", tables=1)
    record = tmp_path / "hand.json"
    record.write_bytes(write_stored(game, "botzone"))
    done = CliRunner().invoke(app, ["agreement", str(record), "--agent", "shanten"])
    how = f"suzaku data show {record} reads it"
    assert done.exit_code == 2
    assert done.stderr == f"suzaku: {record} holds a game of mcr, and shanten plays riichi: {how}\n"
    (tmp_path / "text.json").write_text("a letter")
    done = CliRunner().invoke(app, ["agreement", str(tmp_path / "text.json"), "--agent", "shanten"])
    assert done.exit_code == 2
    assert "no game could be read from" in done.stderr
    assert "suzaku data verify" in done.stderr
