"""The client of FastMCP. Only its browser is replaced."""

import asyncio
import sys
from typing import Any

from fastmcp import Client
from fastmcp.client.auth import OAuth
from mcp.shared.auth import AuthorizationCodeResult

from mcp_steps import callback, converse, redirect


class Terminal(OAuth):
    async def redirect_handler(self, authorization_url: str) -> None:
        await redirect(authorization_url)

    async def callback_handler(self) -> AuthorizationCodeResult:
        return await callback()


async def main(url: str) -> None:
    auth = Terminal(mcp_url=url, client_name="Notebook", callback_host="127.0.0.1")
    async with Client(url, auth=auth) as client:

        async def call(tool: str, arguments: dict[str, Any]) -> tuple[bool, Any, Any]:
            result = await client.call_tool(tool, arguments, raise_on_error=False)
            return result.is_error, result.structured_content, result.content

        await converse([tool.name for tool in await client.list_tools()], call, auth)


asyncio.run(main(sys.argv[1]))
