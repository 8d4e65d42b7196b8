"""The parts that MCP clients of Python share. Each step is a line of JSON, and so is its result.

{"open": ADDRESS} is printed for the browser; the next line is where the browser was sent back to.
"""

import asyncio
import json
import sys
from typing import Any, Awaitable, Callable
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult


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


async def converse(
    tools: list[str],
    call: Callable[[str, dict[str, Any]], Awaitable[tuple[bool, Any, Any]]],
    auth: OAuthClientProvider,
) -> None:
    say(tools=sorted(tools))
    while line := await heard():
        step = json.loads(line)
        if step["do"] == "call":
            is_error, structured, content = await call(step["tool"], step["arguments"])
            value = json.loads(content[0].text) if structured is None and not is_error else structured
            say(error=is_error, value=value)
        else:
            storage = auth.context.storage
            tokens, client = await storage.get_tokens(), await storage.get_client_info()
            if tokens is not None and client is not None:
                say(
                    access_token=tokens.access_token,
                    refresh_token=tokens.refresh_token,
                    client_id=client.client_id,
                )
