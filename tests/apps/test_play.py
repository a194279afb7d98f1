"""`suzaku play` tells what is wrong before it does anything."""

import socket

import pytest
from typer.testing import CliRunner

from suzaku.apps.main import app


def play(*words):
    return CliRunner().invoke(app, ["play", "--no-browser", *words])


def test_a_port_that_is_taken():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        result = play("--port", str(other.getsockname()[1]))
    assert result.exit_code == 2
    assert "--port 0" in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--host", "no.such.address.invalid"], "no address"),
        (["--opponent", "nobody"], "no agent"),
        (["--opponent", "mjai:no-such-program-anywhere x"], "no program no-such-program-anywhere"),
        (["--port", "70000"], "65535"),
    ],
)
def test_wrong_words(words, told):
    result = play("--port", "0", *words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    result = play("--port", "0", "--data", str(tmp_path / "file" / "games.sqlite"))
    assert result.exit_code == 2
    assert "games cannot be kept there" in result.stderr
