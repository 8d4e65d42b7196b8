"""A service in place of the network: every token is active, and the event stream is ready and then silent."""

import asyncio
import itertools
import json
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
from latchkey_resource_server._token_form import checksum

OPTIONS: dict[str, Any] = {
    "issuer": "https://id.example",
    "client_id": "api-1",
    "client_secret": "lks_secret",
    "resource": "https://api.example",
}
READY = b"id: 1\nevent: ready\ndata: {}\n\n"


def token(number: int) -> str:
    start = f"lka_{number:026d}{'s' * 43}{'m' * 11}"
    return start + checksum(start)


class _Stream(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield READY
        threading.Event().wait()


class _AsyncStream(httpx.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield READY
        await asyncio.Event().wait()


_numbers = itertools.count()


def _answer(is_async: bool, request: httpx.Request) -> httpx.Response:
    if request.url.path.endswith("/stream"):
        return httpx.Response(200, stream=_AsyncStream() if is_async else _Stream())
    number = next(_numbers)
    body = {
        "active": True,
        "scope": "notes:read notes:write",
        "client_id": f"app-{number % 10}",
        "username": f"person-{number % 100}",
        "exp": 4_000_000_000,
        "iat": 1_800_000_000,
        "sub": f"account-{number % 100}",
        "iss": OPTIONS["issuer"],
        "token_id": f"credential-{number}",
    }
    return httpx.Response(200, content=json.dumps(body))


def client() -> httpx.Client:
    return httpx.Client(transport=httpx.MockTransport(lambda request: _answer(False, request)))


def async_client() -> httpx.AsyncClient:
    async def answer(request: httpx.Request) -> httpx.Response:
        return _answer(True, request)

    return httpx.AsyncClient(transport=httpx.MockTransport(answer))
