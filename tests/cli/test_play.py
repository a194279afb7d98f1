"""`suzaku play` tells what is wrong before it does anything."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import uvicorn
from typer.testing import CliRunner

from suzaku.cli.compile import STOPPED
from suzaku.cli.main import app
from suzaku.web.starting import PROGRESS, Starting


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
        (["--host", "no.such.address.invalid"], "is not an address"),
        (["--opponent", "nobody"], "no agent"),
        (["--opponent", "mjai:no-such-program-anywhere x"], "no program no-such-program-anywhere"),
        (["--port", "70000"], "65535"),
    ],
)
def test_wrong_words(words, told):
    result = play("--port", "0", *words)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed: it is what `make play` needs")
@pytest.mark.parametrize(("words", "command"), [(["PORT=8123"], "suzaku play --port 8123"), ([], "suzaku play")])
def test_make_play_passes_the_port_on(words, command):
    env = {name: value for name, value in os.environ.items() if name not in ("PORT", "MAKEFLAGS")}
    done = subprocess.run(
        ["make", "--no-print-directory", "-n", "play", *words],
        cwd=Path(__file__).parents[2],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1].strip().endswith(command)


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    result = play("--port", "0", "--data", str(tmp_path / "file" / "games.sqlite"))
    assert result.exit_code == 2
    assert "games cannot be kept there" in result.stderr


def get(address):
    """The code and the text of an answer."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.skipif(os.name == "nt", reason="sends a signal of POSIX")
def test_the_page_is_there_at_once_and_ctrl_c_ends_all(tmp_path):
    env = {**os.environ, "SUZAKU_CACHE": str(tmp_path / "empty")}
    words = ["-m", "suzaku", "play", "--no-browser", "--port", "0", "--data", str(tmp_path / "games.sqlite")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    server = subprocess.Popen([sys.executable, *words], env=env, start_new_session=True, **pipes)
    try:
        address = server.stdout.readline().split()[3]
        code, page = get(address)
        assert code == 503
        assert PROGRESS in page
        code, told = get(address + PROGRESS)
        assert code == 200
        assert 0 <= json.loads(told)["done"] < 1
        assert "about" in server.stderr.readline()
        time.sleep(0.5)  # so that it is compiling
        server.send_signal(signal.SIGINT)
        said = server.communicate(timeout=60)[1]
    finally:
        server.kill()
    assert server.returncode == 130
    assert said.splitlines()[-1] == STOPPED
    assert "Traceback" not in said
    for _ in range(100):  # processes that compile end with the server
        try:
            os.killpg(server.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("a process was left")


async def answer(scope, receive, send):
    """A server that says ready."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ready"})


def test_the_server_takes_over_without_losing_anybody():
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    starting = Starting(listener)
    starting.tell(0.25)
    assert get(address[:-1] + PROGRESS) == (200, '{"done": 0.25}')
    codes = []

    def ask():
        while not codes or codes[-1] == 503:
            codes.append(get(address)[0])

    asking = threading.Thread(target=ask)
    asking.start()
    while not codes:
        time.sleep(0.01)
    starting.stop()
    server = uvicorn.Server(uvicorn.Config(answer, log_level="warning", lifespan="off"))
    serving = threading.Thread(target=lambda: server.run(sockets=[listener]))
    serving.start()
    asking.join(30)
    server.should_exit = True
    serving.join()
    assert codes[0] == 503
    assert codes[-1] == 200
