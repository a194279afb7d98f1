"""What all plain requests have in common."""

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlparse

import msgspec
from fastapi import Request, Response

from suzaku.apps.web.refusal import RefusalError


def json_response(data: Any) -> Response:
    """Data as the page reads it."""
    return Response(msgspec.json.encode(data), media_type="application/json")


async def read_body(request: Request, most: int) -> bytes:
    """The body of a request, read no further than allowed."""
    text = bytearray()
    async for part in request.stream():
        text += part
        if len(text) > most:
            raise RefusalError("too_large", most=most)
    return bytes(text)


def client_of(request: Request) -> str:
    """The address a request comes from; of IPv6 the network of 64 bits, which is what one household has."""
    host = request.client.host if request.client else ""
    try:
        at = ip_address(host)
    except ValueError:
        return host
    if not isinstance(at, IPv6Address):
        return host
    return str(at.ipv4_mapped or IPv6Network((int(at) >> 64 << 64, 64)))


def is_same_site(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    return origin is None or urlparse(origin).netloc == host


def same_site(request: Request) -> None:
    """Refuse what the page of another site asks for."""
    if not is_same_site(request.headers.get("origin"), request.headers.get("host")):
        raise RefusalError("other_site")


async def refuse(request: Request, error: Exception) -> Response:
    """A refusal as the answer to a request."""
    assert isinstance(error, RefusalError)
    return Response(msgspec.json.encode(error.body()), error.status, media_type="application/json")
