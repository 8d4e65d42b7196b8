"""Adapter for servers of the Model Context Protocol, with the official SDK.

    verifier = LatchkeyTokenVerifier(api)
    server = MCPServer("Notes", token_verifier=verifier, auth=auth_settings(api))
    app = Protect(server.streamable_http_app(), api, tools={"add_note": [require_permission("notes:write")]})

`Protect` answers first, because the SDK can answer neither 503 nor with the permissions of a tool.
"""

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import asdict
from typing import Any, cast

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl

from ._access import Access
from ._async_resource_server import AsyncResourceServer
from ._refusal import Refusal
from ._requirement import Requirement, require_audience
from ._resource import address_of
from .asgi import (
    ASGIApp,
    Message,
    Receive,
    Scope,
    Send,
    access_of,
    authorization_of,
    grant,
    is_for_metadata,
    refuse,
    send_answer,
)

__all__ = ["LatchkeyTokenVerifier", "Protect", "ServiceUnknown", "access_of", "auth_settings"]

MAX_BODY_BYTES = 4 * 1024 * 1024

# The access of the current request, which `Protect` has checked.
_checked: ContextVar[Access | None] = ContextVar("latchkey_access", default=None)


class Protect:
    """Serves the metadata and checks every other request.

    A 401 names the permissions of all tools, so that a client registers for them and its user consents once. A 403
    names those of the called tool. A token that names no resource is refused. A request with the `Origin` of another
    site gets 403, so that a web page cannot call a server on the user's machine.

    :param requirements: What every request needs.
    :param tools: What each tool needs in addition, by its name. A tool that is not named needs what all others need
        together.
    """

    def __init__(
        self,
        app: ASGIApp,
        api: AsyncResourceServer,
        *requirements: Requirement,
        tools: Mapping[str, Sequence[Requirement]] | None = None,
    ) -> None:
        self._app = app
        self._api = api
        self._requirements = (*requirements, require_audience())
        self._origin = address_of(api.metadata["resource"], "resource").origin.encode("ascii")
        self._tools: Mapping[str, Sequence[Requirement]] = {} if tools is None else tools
        self._every = [one for needed in self._tools.values() for one in needed]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        if is_for_metadata(self._api, scope):
            return await send_answer(send, self._api.metadata_answer(scope["method"]))
        if any(origin != self._origin for origin in _origins_of(scope)):
            return await _send_status(scope, receive, send, 403)
        # The caller is identified first. The body is read after that.
        checked = await self._identify(scope)
        if isinstance(checked, Access) and self._tools and scope.get("method") == "POST":
            body = await _read(receive)
            if body is None:
                return await _send_status(scope, receive, send, 413)
            checked = await self._api.verify(authorization_of(scope), *self._needed_by(body))
            receive = _replay(body, receive)
        if isinstance(checked, Refusal):
            return await refuse(scope, receive, send, checked)
        scope = {**scope}
        grant(scope, checked)
        token = _checked.set(checked)
        try:
            await self._app(scope, receive, send)
        finally:
            _checked.reset(token)

    async def _identify(self, scope: Scope) -> Access | Refusal:
        authorization = authorization_of(scope)
        checked = await self._api.verify(authorization, *self._requirements)
        if isinstance(checked, Access) or checked.status != 401:
            return checked
        return await self._api.verify(authorization, *self._requirements, *self._every)

    def _needed_by(self, body: bytes) -> list[Requirement]:
        """Return the requirements of a message or a batch.

        The SDK may read a body that Python's parser does not, or read it in another way. Such a body needs everything.
        """
        try:
            parsed: object = json.loads(body.decode(), object_pairs_hook=_unique)
        except (ValueError, RecursionError):
            return [*self._requirements, *self._every]
        messages = cast("list[object]", parsed) if isinstance(parsed, list) else [parsed]
        names = {_called(message) for message in messages if _is_call(message)}
        if not names <= self._tools.keys():
            return [*self._requirements, *self._every]
        return [*self._requirements, *(one for name in names for one in self._tools[name])]


class ServiceUnknown(RuntimeError):
    """The token cannot be checked right now. Outside of `Protect`, this is an error 500."""


class LatchkeyTokenVerifier:
    """The verifier of the SDK. It checks the audience, too, and refuses a token without one."""

    def __init__(self, api: AsyncResourceServer) -> None:
        self._api = api

    async def verify_token(self, token: str) -> AccessToken | None:
        access = await access_for(self._api, token)
        return None if access is None else AccessToken(**token_members(self._api, token, access))


async def access_for(api: AsyncResourceServer, token: str) -> Access | None:
    """Return the access that `Protect` has checked, or check the token. None if it is refused."""
    checked = _checked.get() or await api.verify(f"Bearer {token}", require_audience())
    if isinstance(checked, Access):
        return checked
    if checked.reason == "service_unavailable":
        raise ServiceUnknown("the authorization service did not answer")
    return None


def token_members(api: AsyncResourceServer, token: str, access: Access) -> dict[str, Any]:
    return {
        "token": token,
        "client_id": access.client_id,
        "scopes": list(access.permissions),
        "expires_at": int(access.expires_at),
        "resource": api.metadata["resource"],
        "subject": access.account_id,
        "claims": {
            "iss": api.metadata["authorization_servers"][0],
            "sub": access.account_id,
            "username": access.username,
            "account_type": access.account_type,
            "groups": list(access.groups),
            "token_id": access.token_id,
            "identities": [asdict(one) for one in access.identities],
        },
    }


def auth_settings(api: AsyncResourceServer) -> AuthSettings:
    """Return the settings of the SDK. The audience is checked by the kit, as text or as a parsed URL."""
    [issuer] = api.metadata["authorization_servers"]
    return AuthSettings(
        issuer_url=AnyHttpUrl(issuer),
        resource_server_url=AnyHttpUrl(api.metadata["resource"]),
        validate_token_resource=False,
    )


def _is_call(message: object) -> bool:
    return isinstance(message, dict) and cast("dict[str, object]", message).get("method") == "tools/call"


def _called(message: object) -> str:
    """Return the name of the tool that a message calls. It is empty without one."""
    params = cast("dict[str, object]", message).get("params")
    name = cast("dict[str, object]", params).get("name") if isinstance(params, dict) else None
    return name if isinstance(name, str) else ""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name is repeated")
    return members


async def _read(receive: Receive) -> bytes | None:
    """Return the body, or None if it is too long."""
    body = b""
    while True:
        message = await receive()
        body += cast(bytes, message.get("body", b""))
        if len(body) > MAX_BODY_BYTES:
            return None
        if not message.get("more_body", False):
            return body


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return the body once more, and then what follows it."""
    is_read = False

    async def again() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _origins_of(scope: Scope) -> list[bytes]:
    return [value for name, value in scope["headers"] if name.lower() == b"origin"]


async def _send_status(scope: Scope, receive: Receive, send: Send, status: int) -> None:
    """Answer without a body. A websocket that is not accepted is refused with 403."""
    if scope["type"] == "websocket":
        await receive()
        return await send({"type": "websocket.close", "code": 1008})
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})
