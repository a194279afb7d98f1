"""Which names the server answers to, and the addresses under which others reach it.

A page of another site can let its own name point to this machine (DNS rebinding) and would then count as ours. Its
requests still carry that name as their `Host`, so names that are not ours are refused. An address in numbers cannot be
made to point elsewhere and is always right.
"""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

from suzaku.web.protocol import RefusalError, write

ELSEWHERE = ("192.0.2.1", "2001:db8::1")  # addresses kept for documentation: nothing is sent, only a way is looked for


def own_names(host: str, allowed: Iterable[str] = ()) -> set[str]:
    """The names of a server that listens at `host`, with those the user adds."""
    names = {"localhost", host, *allowed}
    if not is_loopback(host):
        machine = socket.gethostname()
        first = machine.partition(".")[0]  # some machines call themselves by their whole name
        names |= {machine, first, f"{first}.local"}
    return {name.lower().rstrip(".") for name in names if name}


def is_own(host: str, names: set[str]) -> bool:
    """Whether a request with this `Host` is meant for us."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    name = name.removeprefix("[").removesuffix("]").lower().rstrip(".")
    return name in names or name.endswith(".localhost") or _number(name) is not None


def reachable(host: str, port: int) -> list[str]:
    """Where other machines find a server that listens at `host`, none if it listens to this machine alone."""
    if is_loopback(host):
        return []
    at = _number(host)
    if at is None or not at.is_unspecified:
        return [f"http://{in_address(host)}:{port}"]
    found = [address for away in ELSEWHERE if (address := _way_to(away))]
    if at.version == 4:
        found = [address for address in found if ":" not in address]
    if not found:
        found = _by_name()
    return [f"http://{in_address(address)}:{port}" for address in found]


def is_private(names: set[str], addresses: list[str]) -> bool:
    """Whether this machine alone reaches a server with these names and addresses: nobody else, and no proxy."""
    return not addresses and all(is_loopback(name) for name in names)


class OwnHosts:
    """Refuses plain requests and websockets that are meant for another host."""

    def __init__(self, app: Any, names: set[str]) -> None:
        self.app, self.names = app, names

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, or let the server answer."""
        host = next((value for key, value in scope.get("headers", []) if key == b"host"), b"").decode("latin-1")
        if scope["type"] not in ("http", "websocket") or is_own(host, self.names):
            await self.app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = RefusalError("wrong_host", host=host)
        head = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": refusal.status, "headers": head})
        await send({"type": "http.response.body", "body": write(refusal.body()).encode()})


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Whether a name or address is that of this machine as it sees itself."""
    at = _number(host)
    return host == "localhost" or (at is not None and at.is_loopback)


def in_address(host: str) -> str:
    """A host as it stands in an address: numbers with colons in brackets."""
    return f"[{host}]" if ":" in host else host


def _way_to(address: str) -> str:
    """The own address on the way to another, "" if there is none."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
            own = str(probe.getsockname()[0])
    except OSError:
        return ""
    at = _number(own)
    return own if at is not None and not at.is_loopback and not at.is_link_local else ""


def _by_name() -> list[str]:
    """The addresses that belong to the name of this machine: without a network, all that is known."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return []
    addresses = list(dict.fromkeys(str(row[4][0]) for row in found))
    return [one for one in addresses if not is_loopback(one)]
