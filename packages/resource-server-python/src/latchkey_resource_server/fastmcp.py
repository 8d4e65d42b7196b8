"""Adapter for FastMCP.

auth = LatchkeyAuth(api, tools={"add_note": [require_permission("notes:write")]})
server = FastMCP("Notes", auth=auth)
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fastmcp.server.auth import AccessToken, TokenVerifier
from starlette.middleware import Middleware

from ._async_resource_server import AsyncResourceServer
from ._requirement import Requirement
from .mcp import Protect, access_for, access_of, token_members

__all__ = ["LatchkeyAuth", "access_of"]


class LatchkeyAuth(TokenVerifier):
    """Checks every request to the server, its audience and `Origin` too, and serves the metadata. See `mcp.Protect`."""

    def __init__(
        self,
        api: AsyncResourceServer,
        *requirements: Requirement,
        tools: Mapping[str, Sequence[Requirement]] | None = None,
    ) -> None:
        super().__init__()
        self._api = api
        self._guard: Any = Middleware(Protect, api, *requirements, tools=tools)

    def get_middleware(self) -> list[Any]:
        """Answer first, because FastMCP can answer neither 503 nor with the permissions of a tool."""
        return [self._guard, *super().get_middleware()]  # pyright: ignore[reportUnknownMemberType]

    async def verify_token(self, token: str) -> AccessToken | None:
        access = await access_for(self._api, token)
        return None if access is None else AccessToken(**token_members(self._api, token, access))
