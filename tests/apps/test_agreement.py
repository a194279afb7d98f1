"""`suzaku agreement`, the command."""

import json

from typer.testing import CliRunner

from suzaku.apps.main import app
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
