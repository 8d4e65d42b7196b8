"""An MCP client of the official SDK. Each step is a line of JSON, and so is its result.

{"open": ADDRESS} is printed for the browser; the next line is where the browser was sent back to.
"""

import asyncio
import json
import sys
from typing import Any
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl


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


def say(**members: Any) -> None:
    print(json.dumps(members), flush=True)


async def heard() -> str:
    return await asyncio.to_thread(sys.stdin.readline)


async def redirect(address: str) -> None:
    say(open=address)


async def callback() -> AuthorizationCodeResult:
    query = parse_qs(urlsplit((await heard()).strip()).query)
    return AuthorizationCodeResult(
        code=query["code"][0], state=query["state"][0], iss=query.get("iss", [None])[0]
    )


async def main(url: str) -> None:
    storage = Storage()
    metadata = OAuthClientMetadata(
        client_name="Notebook",
        redirect_uris=[AnyUrl("http://127.0.0.1:43111/callback")],
        token_endpoint_auth_method="none",
    )
    auth = OAuthClientProvider(url, metadata, storage, redirect, callback)
    async with (
        create_mcp_http_client(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        say(tools=sorted(tool.name for tool in (await client.list_tools()).tools))
        while line := await heard():
            step = json.loads(line)
            if step["do"] == "call":
                result = await client.call_tool(step["tool"], step["arguments"])
                say(error=result.is_error, value=result.structured_content)
            elif storage.tokens is not None and storage.client is not None:
                say(access_token=storage.tokens.access_token, client_id=storage.client.client_id)


asyncio.run(main(sys.argv[1]))
