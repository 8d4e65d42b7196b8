"""An API with FastAPI. Each response names its worker process, and whether its event stream is connected."""

import os
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import FastAPI, Security
from latchkey_resource_server import Access, AsyncResourceServer
from latchkey_resource_server.fastapi import install


class NameWorker:
    def __init__(self, app: Callable[..., Any]) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def with_worker(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = [(b"x-worker", str(os.getpid()).encode()), (b"x-live", str(api.is_live).encode())]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        await self._app(scope, receive, with_worker)


api = AsyncResourceServer(
    issuer=os.environ["LATCHKEY_ISSUER"],
    client_id=os.environ["LATCHKEY_CLIENT_ID"],
    client_secret=os.environ["LATCHKEY_CLIENT_SECRET"],
    resource="https://api.example",
)
app = FastAPI()
app.add_middleware(NameWorker)
protect = install(app, api)


@app.get("/notes")
async def notes(access: Annotated[Access, Security(protect, scopes=["notes:read"])]) -> dict[str, str]:
    return {"username": access.username}
