"""A service that answers by script, in place of the network: transports for both clients of httpx.

The vectors use it for answers that no real service gives. Both transports look at the script again and again, so that
the test, which runs in another thread or task, may change it at any time.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import httpx
from fake_clock import FakeClock

LOOK_SECONDS = 0.001


@dataclass
class Stream:
    last_event_id: str | None
    opened_at: float
    pieces: list[bytes] = field(default_factory=list)
    is_read: bool = False
    """Whether the kit waits for the next piece."""
    is_over: bool = False
    is_broken: bool = False
    heard_at: float = 0.0


@dataclass
class ScriptedService:
    respond: Callable[[str], dict[str, Any]]
    clock: FakeClock
    introspections: list[httpx.Request] = field(default_factory=list)
    streams: list[Stream] = field(default_factory=list)
    refused_streams: int = 0
    stream_status: int | None = None
    """The status with which streams are refused. None accepts streams."""
    is_unreachable: bool = False
    lost: int = 0
    """The number of next introspections that lose their connection."""
    is_holding: bool = False
    _held: list[list[bool]] = field(default_factory=list)

    def release(self) -> None:
        for one in self._held:
            one[0] = True
        self._held.clear()

    def client(self) -> httpx.Client:
        return httpx.Client(transport=_Transport(self))

    def async_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=_AsyncTransport(self))

    def answer(self, request: httpx.Request) -> tuple[httpx.Response, Callable[[], bool]]:
        """Return the response to an introspection, and whether it may be sent already."""
        self.introspections.append(request)
        if self.is_unreachable:
            raise httpx.ConnectError("connection refused", request=request)
        if self.lost > 0:
            self.lost -= 1
            raise httpx.ReadError("connection reset", request=request)
        given = self.respond(parse_qs(request.content.decode())["token"][0])
        text = given["text"] if "text" in given else json.dumps(given.get("body"))
        response = httpx.Response(given["status"], headers=given.get("headers", {}), text=text)
        if not self.is_holding:
            return response, lambda: True
        released = [False]
        self._held.append(released)
        return response, lambda: released[0]

    def open(self, request: httpx.Request) -> Stream | None:
        if self.stream_status is not None:
            self.refused_streams += 1
            return None
        stream = Stream(request.headers.get("last-event-id"), self.clock.monotonic())
        stream.heard_at = self.clock.monotonic()
        self.streams.append(stream)
        return stream

    def next_piece(self, stream: Stream, silence: float) -> bytes | None:
        """Return the next piece, or None if it did not come yet. Raise as httpx does if the connection is of no use."""
        stream.is_read = not stream.pieces
        if stream.pieces:
            stream.heard_at = self.clock.monotonic()
            return stream.pieces.pop(0)
        if stream.is_broken:
            raise httpx.ReadError("terminated")
        if stream.is_over:
            return b""
        if self.clock.monotonic() - stream.heard_at >= silence:
            stream.is_over = True
            raise httpx.ReadTimeout("the read operation timed out")
        return None


class _Transport(httpx.BaseTransport):
    def __init__(self, service: ScriptedService) -> None:
        self._service = service

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            stream = self._service.open(request)
            if stream is None:
                return httpx.Response(self._service.stream_status or 500)
            return httpx.Response(200, stream=_Pieces(self._service, stream, _silence(request)))
        response, is_released = self._service.answer(request)
        while not is_released():
            time.sleep(LOOK_SECONDS)
        return response


class _Pieces(httpx.SyncByteStream):
    def __init__(self, service: ScriptedService, stream: Stream, silence: float) -> None:
        self._service, self._stream, self._silence = service, stream, silence

    def __iter__(self) -> Iterator[bytes]:
        while True:
            piece = self._service.next_piece(self._stream, self._silence)
            if piece == b"":
                return
            if piece is None:
                time.sleep(LOOK_SECONDS)
            else:
                yield piece

    def close(self) -> None:
        self._stream.is_over = True


class _AsyncTransport(httpx.AsyncBaseTransport):
    def __init__(self, service: ScriptedService) -> None:
        self._service = service

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            stream = self._service.open(request)
            if stream is None:
                return httpx.Response(self._service.stream_status or 500)
            return httpx.Response(200, stream=_AsyncPieces(self._service, stream, _silence(request)))
        response, is_released = self._service.answer(request)
        while not is_released():
            await asyncio.sleep(LOOK_SECONDS)
        return response


class _AsyncPieces(httpx.AsyncByteStream):
    def __init__(self, service: ScriptedService, stream: Stream, silence: float) -> None:
        self._service, self._stream, self._silence = service, stream, silence

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            piece = self._service.next_piece(self._stream, self._silence)
            if piece == b"":
                return
            if piece is None:
                await asyncio.sleep(LOOK_SECONDS)
            else:
                yield piece

    async def aclose(self) -> None:
        self._stream.is_over = True


def _silence(request: httpx.Request) -> float:
    """The time after which httpx would give up reading."""
    return float(request.extensions["timeout"]["read"])
