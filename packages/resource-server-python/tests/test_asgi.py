import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route
from world import (
    METADATA_PATH,
    REFUSED,
    World,
    bearer,
    expect_elevation,
    expect_refused,
    expect_unavailable,
)

from latchkey_resource_server import require_elevation, require_permission
from latchkey_resource_server.asgi import Protect, access_of


async def notes(request: Request) -> JSONResponse:
    return JSONResponse({"username": access_of(request).username})


def app_of(world: World, *more: Any) -> Starlette:
    guard = Middleware(Protect, world.async_api(), require_permission("notes:read"), *more)
    return Starlette(routes=[Route("/notes", notes)], middleware=[guard])


def get(app: Any, path: str, headers: Any = None, method: str = "GET") -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="https://api.example") as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(send())


def test_a_request_that_passes() -> None:
    response = get(app_of(World()), "/notes", bearer("alice"))
    assert (response.status_code, response.json()) == (200, {"username": "alice"})


@pytest.mark.parametrize("name", list(REFUSED))
def test_refusals(name: str) -> None:
    response = get(app_of(World()), "/notes", REFUSED[name][0])
    expect_refused(response.status_code, response.headers, response.json(), REFUSED[name])


def test_elevation_and_a_service_that_is_down() -> None:
    response = get(app_of(World(), require_elevation()), "/notes", bearer("alice"))
    expect_elevation(response.status_code, response.headers, response.json())
    world = World()
    world.goes_down()
    response = get(app_of(world), "/notes", bearer("alice"))
    expect_unavailable(response.status_code, response.headers, response.json())


def test_a_repeated_header_is_malformed() -> None:
    value = bearer("alice")["authorization"]
    response = get(app_of(World()), "/notes", [("authorization", value), ("authorization", value)])
    assert response.status_code == 400


def test_the_metadata_is_public_and_other_paths_are_not() -> None:
    app = app_of(World())
    response = get(app, METADATA_PATH)
    assert response.json()["scopes_supported"] == ["notes:read", "notes:write"]
    assert get(app, METADATA_PATH, method="POST").status_code == 405
    assert get(app, METADATA_PATH, method="OPTIONS").status_code == 204
    for path in ["/", "/missing", f"{METADATA_PATH}/x", "/.well-known/oauth-protected-resource"]:
        assert get(app, path).status_code == 401


def test_a_stream_passes_piece_by_piece_in_both_directions() -> None:
    """The app answers each piece of the request before the next one is sent."""
    log: list[str] = []

    async def echo(request: Request) -> StreamingResponse:
        async def pieces() -> AsyncIterator[bytes]:
            async for piece in request.stream():
                yield piece

        return StreamingResponse(pieces())

    app = Starlette(
        routes=[Route("/echo", echo, methods=["POST"])], middleware=[Middleware(Protect, World().async_api())]
    )

    async def talk() -> None:
        incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        answered = asyncio.Event()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body" and message.get("body"):
                log.append(f"app {message['body'].decode()}")
                answered.set()

        headers = [(name.encode(), value.encode()) for name, value in bearer("alice").items()]
        scope = {
            "type": "http",
            # Before 2.4, Starlette reads the request itself to learn that the client goes away.
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "method": "POST",
            "path": "/echo",
            "query_string": b"",
            "headers": headers,
            "extensions": {},
        }
        running = asyncio.create_task(app(scope, incoming.get, send))
        for piece in ["a", "b", "c"]:
            log.append(f"client {piece}")
            await incoming.put({"type": "http.request", "body": piece.encode(), "more_body": True})
            await asyncio.wait_for(answered.wait(), 5)
            answered.clear()
        await incoming.put({"type": "http.request", "body": b"", "more_body": False})
        await asyncio.wait_for(running, 5)

    asyncio.run(talk())
    assert log == ["client a", "app a", "client b", "app b", "client c", "app c"]


def websocket(app: Any, headers: Any, extensions: dict[str, Any]) -> list[Any]:
    sent: list[Any] = []

    async def connect() -> None:
        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message)

        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "websocket", "path": "/", "headers": raw, "extensions": extensions}
        await app(scope, receive, send)

    asyncio.run(connect())
    return sent


def test_websockets() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept", "username": access_of(scope).username})

    protected = Protect(app, World().async_api(), require_permission("notes:read"))
    assert websocket(protected, bearer("alice"), {}) == [{"type": "websocket.accept", "username": "alice"}]
    assert websocket(protected, bearer("bob"), {}) == [{"type": "websocket.close", "code": 1008}]
    [start, body] = websocket(protected, bearer("bob"), {"websocket.http.response": {}})
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 403)
    assert b"PERMISSION_DENIED" in body["body"]


def test_a_lifespan_passes_and_an_unprotected_route_says_so() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    asyncio.run(Protect(app, World().async_api())({"type": "lifespan"}, None, None))  # type: ignore[arg-type]
    assert seen == [{"type": "lifespan"}]
    with pytest.raises(RuntimeError, match="not protected"):
        access_of({})
