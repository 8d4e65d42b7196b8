"""Adapter for FastAPI.

protect = install(app, api)

@app.get("/notes")
async def notes(access: Annotated[Access, Security(protect, scopes=["notes:read"])]): ...
"""

from collections.abc import Callable
from typing import cast

from fastapi import FastAPI
from fastapi.openapi.models import OAuth2, OAuthFlowAuthorizationCode, OAuthFlows
from fastapi.security import SecurityScopes
from fastapi.security.base import SecurityBase
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.websockets import WebSocket

from ._access import Access
from ._async_resource_server import AsyncResourceServer
from ._refusal import Refusal
from ._requirement import Requirement, require_elevation, require_permission
from .asgi import access_of, grant

__all__ = ["Protect", "Refused", "access_of", "install"]


class Refused(HTTPException):
    """A request that is refused. `install` adds the handler that sends the refusal as it is."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.status, headers=dict(refusal.headers))
        self.refusal = refusal


class Protect(SecurityBase):
    """A dependency for `Security(protect, scopes=[...])`, which OpenAPI shows. Its value is the access."""

    def __init__(self, api: AsyncResourceServer, *requirements: Requirement) -> None:
        self._api = api
        self._requirements = requirements
        [issuer] = api.metadata["authorization_servers"]
        flow = OAuthFlowAuthorizationCode(
            authorizationUrl=f"{issuer}/oauth/authorize",
            tokenUrl=f"{issuer}/oauth/token",
            refreshUrl=f"{issuer}/oauth/token",
            scopes=dict.fromkeys(api.metadata.get("scopes_supported", []), ""),
        )
        self.model = OAuth2(flows=OAuthFlows(authorizationCode=flow))
        self.scheme_name = "Latchkey"

    @property
    def elevated(self) -> "Protect":
        """The same dependency for a route that also needs a recent confirmation with a second factor."""
        return Protect(self._api, *self._requirements, require_elevation())

    async def __call__(self, connection: HTTPConnection, needed: SecurityScopes) -> Access:
        permissions = require_permission(*needed.scopes)
        authorization = connection.headers.getlist("authorization")
        checked = await self._api.verify(authorization, permissions, *self._requirements)
        if isinstance(checked, Refusal):
            raise Refused(checked)
        grant(connection.scope, checked)
        return checked


def install(app: FastAPI, api: AsyncResourceServer) -> Protect:
    """Serve the metadata, and send refusals as they are. Return the dependency for routes."""

    async def metadata(request: Request) -> Response:
        answer = api.metadata_answer(request.method)
        return Response(answer.content, answer.status, dict(answer.headers))

    methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
    app.router.routes.append(Route(api.metadata_path, metadata, methods=methods, include_in_schema=False))
    app.add_exception_handler(Refused, cast("Callable[[Request, Exception], Response]", _send_refusal))
    return Protect(api)


async def _send_refusal(connection: Request | WebSocket, error: Refused) -> Response:
    refusal = error.refusal
    response = Response(refusal.content, refusal.status, dict(refusal.headers))
    if isinstance(connection, WebSocket):
        # A server without the extension for it closes the websocket with its own 403.
        if "websocket.http.response" in connection.scope.get("extensions", {}):
            await connection.send_denial_response(response)
        else:
            await connection.close(1008)
    return response
