"""The MCP client of the official SDK."""

import asyncio
import sys
from typing import Any

from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from mcp_steps import callback, converse, redirect


class Storage:
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def main(url: str) -> None:
    metadata = OAuthClientMetadata(
        client_name="Notebook",
        redirect_uris=[AnyUrl("http://127.0.0.1:43111/callback")],
        token_endpoint_auth_method="none",
    )
    auth = OAuthClientProvider(url, metadata, Storage(), redirect, callback)
    async with (
        create_mcp_http_client(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):

        async def call(tool: str, arguments: dict[str, Any]) -> tuple[bool, Any, Any]:
            result = await client.call_tool(tool, arguments)
            return bool(result.is_error), result.structured_content, result.content

        await converse([tool.name for tool in (await client.list_tools()).tools], call, auth)


asyncio.run(main(sys.argv[1]))
