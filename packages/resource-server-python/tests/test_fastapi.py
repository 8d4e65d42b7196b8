import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Security, WebSocket
from starlette.requests import Request
from test_asgi import get, websocket
from world import (
    METADATA_PATH,
    REFUSED,
    World,
    bearer,
    expect_elevation,
    expect_refused,
    expect_unavailable,
)

from latchkey_resource_server import Access
from latchkey_resource_server.fastapi import access_of, install


def app_of(world: World) -> FastAPI:
    app = FastAPI()
    protect = install(app, world.async_api())

    @app.get("/notes")
    async def notes(
        request: Request, access: Annotated[Access, Security(protect, scopes=["notes:read"])]
    ) -> dict[str, str]:
        assert access_of(request) is access
        return {"username": access.username}

    @app.get("/threaded")
    def threaded(access: Annotated[Access, Security(protect, scopes=["notes:read"])]) -> dict[str, str]:
        return {"username": access.username}

    @app.delete("/notes")
    async def remove(
        access: Annotated[Access, Security(protect.elevated, scopes=["notes:read"])],
    ) -> None: ...

    @app.websocket("/live")
    async def live(
        socket: WebSocket, access: Annotated[Access, Security(protect, scopes=["notes:read"])]
    ) -> None:
        await socket.accept()

    @app.get("/open")
    async def unprotected() -> str:
        return "open"

    return app


def test_a_request_that_passes() -> None:
    for path in ["/notes", "/threaded"]:
        response = get(app_of(World()), path, bearer("alice"))
        assert (response.status_code, response.json()) == (200, {"username": "alice"})
    assert get(app_of(World()), "/open").status_code == 200


@pytest.mark.parametrize("name", list(REFUSED))
@pytest.mark.parametrize("path", ["/notes", "/threaded"])
def test_refusals(path: str, name: str) -> None:
    response = get(app_of(World()), path, REFUSED[name][0])
    expect_refused(response.status_code, response.headers, response.json(), REFUSED[name])


def test_elevation_and_a_service_that_is_down() -> None:
    response = get(app_of(World()), "/notes", bearer("alice"), "DELETE")
    expect_elevation(response.status_code, response.headers, response.json())
    world = World()
    world.goes_down()
    response = get(app_of(world), "/notes", bearer("alice"))
    expect_unavailable(response.status_code, response.headers, response.json())


def test_websockets() -> None:
    app = app_of(World())

    def connect(name: str, extensions: dict[str, Any]) -> Any:
        async def wrapped(scope: Any, receive: Any, send: Any) -> None:
            await app({**scope, "path": "/live", "query_string": b"", "subprotocols": []}, receive, send)

        return websocket(wrapped, bearer(name), extensions)[0]

    assert connect("alice", {})["type"] == "websocket.accept"
    assert connect("bob", {"websocket.http.response": {}})["status"] == 403
    assert connect("bob", {})["type"] == "websocket.close"


def test_the_program_of_the_guide(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[3] / "docs/python.md"
    [program] = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
    for name in ["CLIENT_ID", "CLIENT_SECRET"]:
        monkeypatch.setenv(name, "x")
    shown: dict[str, Any] = {}
    exec(program, shown)
    challenge = get(shown["app"], "/notes").headers["www-authenticate"]
    metadata = "http://localhost:8000/.well-known/oauth-protected-resource"
    assert challenge == f'Bearer scope="account:read", resource_metadata="{metadata}"'


def test_the_metadata() -> None:
    app = app_of(World())
    assert get(app, METADATA_PATH).json()["authorization_servers"] == ["https://id.example"]
    assert get(app, METADATA_PATH, method="HEAD").content == b""
    assert get(app, METADATA_PATH, method="DELETE").status_code == 405


def test_openapi_names_the_permissions() -> None:
    document = get(app_of(World()), "/openapi.json").json()
    [scheme] = document["components"]["securitySchemes"].items()
    assert scheme == (
        "Latchkey",
        {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "https://id.example/oauth/authorize",
                    "tokenUrl": "https://id.example/oauth/token",
                    "refreshUrl": "https://id.example/oauth/token",
                    "scopes": {"notes:read": "", "notes:write": ""},
                }
            },
        },
    )
    for method in ["get", "delete"]:
        assert document["paths"]["/notes"][method]["security"] == [{"Latchkey": ["notes:read"]}]
    assert METADATA_PATH not in document["paths"]
