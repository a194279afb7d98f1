"""The server answers to its own names alone, and knows where others reach it."""

import json
import socket
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from suzaku.web.hosts import is_own, own_names, reachable


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost:8686", True),
        ("LOCALHOST", True),
        ("suzaku.localhost:80", True),
        ("127.0.0.1:8686", True),
        ("192.168.1.7:8686", True),
        ("[::1]:8686", True),
        ("[fe80::1]", True),
        ("play.example:8686", True),
        ("evil.example:8686", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("evil.example.", False),
        ("", False),
    ],
)
def test_names(host, own):
    assert is_own(host, own_names("0.0.0.0", ["Play.Example"])) is own


def test_the_name_of_the_machine_counts_where_others_may_come():
    name = "a-machine"
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr(socket, "gethostname", lambda: name)
        assert is_own(f"{name}.local:1", own_names("0.0.0.0"))
        assert not is_own(f"{name}.local:1", own_names("127.0.0.1"))


@pytest.mark.parametrize("name", ["foo.local", "foo.example.org"])
def test_a_machine_that_gives_its_whole_name_has_a_short_one_too(name, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    names = own_names("0.0.0.0")
    assert all(is_own(one, names) for one in (name, "foo", "foo.local"))
    assert f"{name}.local" not in names


def test_another_name_is_refused_in_a_sentence(server):
    """What a page of another site that let its name point to this machine would ask."""
    host, port = "evil.example", server.host.rpartition(":")[2]
    for path in ("/", "/api/options", "/api/games"):
        request = urllib.request.Request(f"http://{server.host}{path}", headers={"Host": f"{host}:{port}"})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        assert refused.value.code == 403
        told = json.loads(refused.value.read())
        assert "--allow-host" in told["detail"]
        assert told["code"] == "wrong_host"
    request = urllib.request.Request(f"http://{server.host}/api/options", headers={"Host": f"localhost:{port}"})
    assert urllib.request.urlopen(request).status == 200


def test_a_websocket_under_another_name_is_refused(server):
    id = server.new_table()
    port = int(server.host.rpartition(":")[2])
    way = {"address": ("127.0.0.1", port), "proxy": None}
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://evil.example:{port}/ws/{id}", origin=f"http://evil.example:{port}", **way)
    assert refused.value.response.status_code == 403
    with connect(f"ws://localhost:{port}/ws/{id}", origin=f"http://localhost:{port}", **way) as page:
        page.send('{"type": "join"}')
        assert json.loads(page.recv(30))["type"] == "seated"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_what_listens_to_this_machine_alone_is_reached_by_nobody_else(host):
    assert reachable(host, 8686) == []


def test_an_address_that_is_listened_at_is_the_one_to_give_away():
    assert reachable("192.0.2.7", 80) == ["http://192.0.2.7:80"]
    assert reachable("2001:db8::7", 80) == ["http://[2001:db8::7]:80"]
    assert reachable("table.example", 80) == ["http://table.example:80"]


def test_everywhere_means_the_address_on_the_network(monkeypatch):
    monkeypatch.setattr("suzaku.web.hosts._way_to", lambda away: "2001:db8::9" if ":" in away else "198.51.100.9")
    assert reachable("0.0.0.0", 8686) == ["http://198.51.100.9:8686"]
    assert reachable("::", 8686) == ["http://198.51.100.9:8686", "http://[2001:db8::9]:8686"]
    monkeypatch.setattr("suzaku.web.hosts._way_to", lambda away: "")
    monkeypatch.setattr("suzaku.web.hosts._by_name", lambda: ["198.51.100.10"])
    assert reachable("0.0.0.0", 8686) == ["http://198.51.100.10:8686"]


def test_a_real_address_of_this_machine_is_no_loopback():
    for address in reachable("0.0.0.0", 8686):
        assert "127.0.0.1" not in address
        assert "localhost" not in address
