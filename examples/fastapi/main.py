"""Notes for each account, with FastAPI: see README.md.

GET /notes       notes:read
POST /notes      notes:write
DELETE /notes    notes:write, and a recent confirmation with a second factor
"""

import os
import sys
from typing import Annotated

import uvicorn
from fastapi import Body, FastAPI, Security
from latchkey_resource_server import Access, AsyncResourceServer
from latchkey_resource_server.fastapi import install

PORT = int(os.environ.get("PORT", "8794"))


def required(name: str) -> str:
    value = os.environ.get(name, "")
    if value == "":
        sys.exit(f"{name} is not set. README.md explains where it comes from.")
    return value


api = AsyncResourceServer(
    issuer=os.environ.get("LATCHKEY_ISSUER", "http://localhost:8787"),
    client_id=required("LATCHKEY_CLIENT_ID"),
    client_secret=required("LATCHKEY_CLIENT_SECRET"),
    resource=f"http://localhost:{PORT}",
    require_audience=True,
    permissions=["notes:read", "notes:write"],
    resource_name="Notes",
)
app = FastAPI(title="Notes")
protect = install(app, api)

Reader = Annotated[Access, Security(protect, scopes=["notes:read"])]
Writer = Annotated[Access, Security(protect, scopes=["notes:write"])]
ElevatedWriter = Annotated[Access, Security(protect.elevated, scopes=["notes:write"])]

notes_of: dict[str, list[str]] = {}


@app.get("/notes")
async def read_notes(access: Reader) -> dict[str, str | list[str]]:
    return {"username": access.username, "notes": notes_of.get(access.account_id, [])}


@app.post("/notes")
async def add_note(access: Writer, text: Annotated[str, Body(max_length=10_000)]) -> dict[str, list[str]]:
    notes = notes_of.setdefault(access.account_id, [])
    notes.append(text)
    return {"notes": notes}


@app.delete("/notes")
async def delete_notes(access: ElevatedWriter) -> dict[str, list[str]]:
    notes_of.pop(access.account_id, None)
    return {"notes": []}


if __name__ == "__main__":
    print(f"Notes at http://localhost:{PORT}/notes", flush=True)
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")
