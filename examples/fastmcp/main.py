"""An MCP server with FastMCP: see README.md.

list_notes   notes:read
add_note     notes:write
"""

import os
import sys

from fastmcp import FastMCP
from fastmcp.server.dependencies import get_access_token
from latchkey_resource_server import AsyncResourceServer, require_permission
from latchkey_resource_server.fastmcp import LatchkeyAuth

PORT = int(os.environ.get("PORT", "8795"))


def required(name: str) -> str:
    value = os.environ.get(name, "")
    if value == "":
        sys.exit(f"{name} is not set. README.md explains where it comes from.")
    return value


api = AsyncResourceServer(
    issuer=os.environ.get("LATCHKEY_ISSUER", "http://localhost:8787"),
    client_id=required("LATCHKEY_CLIENT_ID"),
    client_secret=required("LATCHKEY_CLIENT_SECRET"),
    resource=f"http://localhost:{PORT}/mcp",
    require_audience=True,
    permissions=["notes:read", "notes:write"],
    resource_name="Notes over MCP",
)
auth = LatchkeyAuth(
    api,
    tools={
        "list_notes": [require_permission("notes:read")],
        "add_note": [require_permission("notes:write")],
    },
)
server = FastMCP("Notes", auth=auth)

notes_of: dict[str, list[str]] = {}


@server.tool
def list_notes() -> dict[str, str | list[str]]:
    """Lists your notes"""
    return own_notes()


@server.tool
def add_note(text: str) -> dict[str, str | list[str]]:
    """Adds a note"""
    found = own_notes()
    notes_of.setdefault(account(), []).append(text)
    return {**found, "notes": notes_of[account()]}


def own_notes() -> dict[str, str | list[str]]:
    token = get_access_token()
    username = "" if token is None else str(token.claims["username"])
    return {"username": username, "notes": notes_of.get(account(), [])}


def account() -> str:
    token = get_access_token()
    if token is None or token.subject is None:
        raise RuntimeError("LatchkeyAuth lets no request through without a token")
    return token.subject


if __name__ == "__main__":
    print(f"MCP at http://localhost:{PORT}/mcp", flush=True)
    server.run(transport="http", host="127.0.0.1", port=PORT, show_banner=False, log_level="warning")
