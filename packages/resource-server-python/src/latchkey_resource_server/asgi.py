"""Pure ASGI middleware, for Starlette and every other framework on ASGI. Bodies pass through as they are.

app = Protect(app, api, require_permission("notes:read"))
app = Starlette(routes=[...], middleware=[Middleware(Protect, api, require_permission("notes:read"))])
"""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Protocol, TypeAlias
from urllib.parse import unquote

from ._access import Access
from ._async_resource_server import AsyncResourceServer
from ._metadata_answer import MetadataAnswer
from ._refusal import Refusal
from ._requirement import Requirement

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
ASGIApp: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_KEY = "latchkey.access"


class HasScope(Protocol):
    """A request of Starlette or FastAPI."""

    @property
    def scope(self) -> Mapping[str, Any]: ...


class Protect:
    """Serves the metadata and checks every other request. Calls `app` if a request meets the requirements."""

    def __init__(self, app: ASGIApp, api: AsyncResourceServer, *requirements: Requirement) -> None:
        self._app = app
        self._api = api
        self._requirements = requirements

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif is_for_metadata(self._api, scope):
            await send_answer(send, self._api.metadata_answer(scope["method"]))
        else:
            checked = await self._api.verify(authorization_of(scope), *self._requirements)
            if isinstance(checked, Refusal):
                await refuse(scope, receive, send, checked)
            else:
                await self._app({**scope, _KEY: checked}, receive, send)


def access_of(request: HasScope | Mapping[str, Any]) -> Access:
    """Return the access of a checked request, or of its scope. Raise RuntimeError if the route is not protected."""
    scope = request if isinstance(request, Mapping) else request.scope
    access = scope.get(_KEY)
    if not isinstance(access, Access):
        raise RuntimeError("this route is not protected")
    return access


def grant(scope: Scope, access: Access) -> None:
    scope[_KEY] = access


def authorization_of(scope: Mapping[str, Any]) -> list[str]:
    """Return every Authorization header of the request."""
    return [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"authorization"]


def is_for_metadata(api: AsyncResourceServer, scope: Mapping[str, Any]) -> bool:
    return bool(scope["type"] == "http" and scope["path"] == unquote(api.metadata_path))


async def send_answer(send: Send, answer: Refusal | MetadataAnswer, kind: str = "http.response") -> None:
    headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in answer.headers.items()]
    if answer.status != 204:
        headers.append((b"content-length", str(len(answer.content)).encode("ascii")))
    await send({"type": f"{kind}.start", "status": answer.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": answer.content})


async def refuse(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """Send the refusal. A server without the extension for it closes a websocket with its own 403."""
    if scope["type"] == "http":
        await send_answer(send, refusal)
    elif "websocket.http.response" in scope.get("extensions", {}):
        await receive()
        await send_answer(send, refusal, "websocket.http.response")
    else:
        await receive()
        await send({"type": "websocket.close", "code": 1008})
