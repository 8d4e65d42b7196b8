"""Both adapters for the Model Context Protocol, with plain requests. The proof has a whole client."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastmcp import FastMCP
from fastmcp.server.dependencies import get_access_token as fastmcp_access_token
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import get_access_token
from world import World, bearer, expect_unavailable

from latchkey_resource_server import AsyncResourceServer, require_permission
from latchkey_resource_server.fastmcp import LatchkeyAuth
from latchkey_resource_server.mcp import (
    MAX_BODY_BYTES,
    LatchkeyTokenVerifier,
    Protect,
    ServiceUnknown,
    auth_settings,
)

ORIGIN = "http://localhost:8000"
RESOURCE = f"{ORIGIN}/mcp"
METADATA_URL = f"{ORIGIN}/.well-known/oauth-protected-resource/mcp"
TOOLS = {
    "list_notes": [require_permission("notes:read")],
    "add_note": [require_permission("notes:write")],
}


def with_sdk(api: AsyncResourceServer) -> Any:
    server = MCPServer("Notes", token_verifier=LatchkeyTokenVerifier(api), auth=auth_settings(api))

    @server.tool()
    def list_notes() -> str:
        token = get_access_token()
        return "" if token is None or token.claims is None else str(token.claims["username"])

    @server.tool()
    def add_note(text: str) -> str:
        return text

    app = server.streamable_http_app(json_response=True, stateless_http=True)
    return app, Protect(app, api, tools=TOOLS)


def with_fastmcp(api: AsyncResourceServer) -> Any:
    server = FastMCP("Notes", auth=LatchkeyAuth(api, tools=TOOLS))

    @server.tool
    def list_notes() -> str:
        token = fastmcp_access_token()
        return "" if token is None else str(token.claims["username"])

    @server.tool
    def add_note(text: str) -> str:
        return text

    app = server.http_app(path="/mcp", json_response=True, stateless_http=True)
    return app, app


servers = pytest.mark.parametrize("make", [with_sdk, with_fastmcp], ids=["sdk", "fastmcp"])
Make = Callable[[AsyncResourceServer], Any]


def send(
    world: World,
    make: Make,
    content: bytes | str,
    headers: dict[str, str],
    method: str = "POST",
    url: str = RESOURCE,
) -> httpx.Response:
    async def exchange() -> httpx.Response:
        app, protected = make(world.async_api(resource=RESOURCE))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(protected)) as client,
        ):
            own = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
            return await client.request(method, url, content=content, headers={**own, **headers})

    return asyncio.run(exchange())


def call(tool: str, arguments: Any = None) -> str:
    params = {"name": tool, "arguments": arguments or {}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})


@servers
def test_a_call_that_passes(make: Make) -> None:
    response = send(World(RESOURCE), make, call("list_notes"), bearer("alice"))
    assert response.status_code == 200
    assert response.json()["result"]["content"][0]["text"] == "alice"
    assert len(send(World(RESOURCE), make, LIST, bearer("bob")).json()["result"]["tools"]) == 2


@servers
def test_a_401_names_the_permissions_of_all_tools(make: Make) -> None:
    every = f'scope="notes:read notes:write", resource_metadata="{METADATA_URL}"'
    response = send(World(RESOURCE), make, LIST, {})
    assert (response.status_code, response.headers["www-authenticate"]) == (401, f"Bearer {every}")
    for name in ["unknown1", "carol"]:
        response = send(World(RESOURCE), make, LIST, bearer(name))
        assert response.status_code == 401
        assert 'error="invalid_token"' in response.headers["www-authenticate"]
        assert response.headers["www-authenticate"].endswith(every)


@servers
def test_a_403_names_the_permissions_of_the_tool(make: Make) -> None:
    response = send(World(RESOURCE), make, call("add_note", {"text": "milk"}), bearer("alice"))
    assert response.status_code == 403
    assert response.headers["www-authenticate"].startswith('Bearer error="insufficient_scope"')
    assert 'scope="notes:write", ' in response.headers["www-authenticate"]


@servers
def test_a_service_that_is_down(make: Make) -> None:
    world = World(RESOURCE)
    world.goes_down()
    response = send(world, make, call("list_notes"), bearer("alice"))
    expect_unavailable(response.status_code, response.headers, response.json())


@servers
def test_the_metadata(make: Make) -> None:
    response = send(World(RESOURCE), make, b"", {}, "GET", METADATA_URL)
    assert response.json()["resource"] == RESOURCE
    assert response.json()["scopes_supported"] == ["notes:read", "notes:write"]


@servers
def test_a_token_that_names_no_resource_is_refused(make: Make) -> None:
    response = send(World(), make, call("list_notes"), bearer("alice"))
    assert response.status_code == 401
    assert 'error="invalid_token"' in response.headers["www-authenticate"]
    assert "names no resource" in response.headers["www-authenticate"]


@servers
def test_a_page_of_another_site_is_refused_before_its_token(make: Make) -> None:
    for origin in ["https://attacker.example", "http://localhost:8001", "https://localhost:8000", "null", ""]:
        for own in [bearer("alice"), {}]:
            response = send(World(RESOURCE), make, call("list_notes"), {**own, "origin": origin})
            assert response.status_code == 403, origin
    response = send(World(RESOURCE), make, call("list_notes"), {**bearer("alice"), "origin": ORIGIN})
    assert response.status_code == 200
    response = send(World(RESOURCE), make, b"", {"origin": "https://attacker.example"}, "GET", METADATA_URL)
    assert response.status_code == 200


@servers
def test_a_tool_that_is_not_named_needs_what_all_others_need_together(make: Make) -> None:
    for body in [call("undeclared"), call(""), LIST.replace("tools/list", "tools/call"), call("list_notes ")]:
        response = send(World(RESOURCE), make, body, bearer("alice"))
        assert response.status_code == 403, body
        assert 'scope="notes:read notes:write", ' in response.headers["www-authenticate"]


ADD = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_note","arguments":{"text":"x"}}}'
TRICKS = {
    "a batch": f"[{LIST},{ADD}]",
    "a repeated name": ADD.replace('"name":"add_note"', '"name":"add_note","name":"list_notes"'),
    "a repeated name, the other way round": ADD.replace(
        '"name":"add_note"', '"name":"list_notes","name":"add_note"'
    ),
    "a repeated method": ADD.replace('"method":"tools/call"', '"method":"tools/call","method":"tools/list"'),
    "an escaped name": ADD.replace("add_note", "\\u0061dd_note"),
    "a number that Python does not parse": ADD.replace('"id":1', f'"id":1,"x":{"9" * 5000}'),
    "a text that is no UTF-8": ADD.replace('"x"', '"\x00"').encode("utf-16"),
    "deep nesting": ADD.replace('"x"', "[" * 100_000 + "]" * 100_000),
    "no JSON": "{",
}


@servers
@pytest.mark.parametrize("name", list(TRICKS))
def test_a_body_in_another_form_does_not_reach_a_tool(make: Make, name: str) -> None:
    response = send(World(RESOURCE), make, TRICKS[name], bearer("alice"))
    assert response.status_code == 403


@servers
def test_a_body_that_is_too_long(make: Make) -> None:
    response = send(World(RESOURCE), make, b" " * (MAX_BODY_BYTES + 1), bearer("alice"))
    assert response.status_code == 413


def test_verifiers_by_themselves() -> None:
    async def verify(world: World, name: str) -> Any:
        api = world.async_api(resource=RESOURCE)
        token = bearer(name)["authorization"].removeprefix("Bearer ")
        found = [await one.verify_token(token) for one in (LatchkeyTokenVerifier(api), LatchkeyAuth(api))]
        members = [None if one is None else one.model_dump(exclude={"original_client_id"}) for one in found]
        assert members[0] == members[1]
        return members[0]

    found = asyncio.run(verify(World(RESOURCE), "alice"))
    assert (found["client_id"], found["scopes"], found["resource"]) == ("app-1", ["notes:read"], RESOURCE)
    assert (found["subject"], found["claims"]["iss"]) == ("account-1", "https://id.example")
    assert found["claims"]["identities"] == [{"provider": "notebook", "subject": "4711"}]
    assert asyncio.run(verify(World(RESOURCE), "bob"))["claims"]["identities"] == []
    for name in ["unknown1", "carol"]:
        assert asyncio.run(verify(World(RESOURCE), name)) is None
    assert asyncio.run(verify(World(), "alice")) is None
    world = World(RESOURCE)
    world.goes_down()
    with pytest.raises(ServiceUnknown):
        asyncio.run(verify(world, "alice"))
