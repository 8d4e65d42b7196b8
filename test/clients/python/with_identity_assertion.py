"""The official SDK's client of enterprise-managed authorization. The test is the identity provider."""

import asyncio
import sys
from urllib.parse import parse_qs, urlencode, urlsplit

from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from mcp_steps import heard, redirect, say


class Storage:
    async def get_tokens(self) -> OAuthToken | None:
        return None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        assert tokens.refresh_token is None

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        raise AssertionError("the client is registered already")


async def assertion(audience: str, resource: str) -> str:
    await redirect("https://idp.invalid/?" + urlencode({"audience": audience, "resource": resource}))
    return parse_qs(urlsplit((await heard()).strip()).query)["assertion"][0]


async def main(url: str, client_id: str, client_secret: str, issuer: str) -> None:
    auth = IdentityAssertionOAuthProvider(url, Storage(), client_id, client_secret, issuer, assertion)
    async with (
        create_mcp_http_client(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        result = await client.call_tool("list_notes", {})
        say(error=bool(result.is_error), text=result.content[0].text)
        await heard()


asyncio.run(main(*sys.argv[1:5]))
