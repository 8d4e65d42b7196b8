"""An API with Flask. Each response names its worker process, and whether its event stream is connected.

The kit is used before the fork, so that its stream runs in the parent.
"""

import os
import time
from typing import Any

from flask import Flask
from latchkey_resource_server import ResourceServer, require_permission
from latchkey_resource_server.flask import access_of, protect

api = ResourceServer(
    issuer=os.environ["LATCHKEY_ISSUER"],
    client_id=os.environ["LATCHKEY_CLIENT_ID"],
    client_secret=os.environ["LATCHKEY_CLIENT_SECRET"],
    resource="https://api.example",
)
flask_app = Flask(__name__)


@flask_app.get("/notes")
@protect(api, require_permission("notes:read"))
def notes() -> dict[str, str]:
    return {"username": access_of().username}


def app(environ: Any, start_response: Any) -> Any:
    def with_worker(status: str, headers: Any, *more: Any) -> Any:
        own = [("x-worker", str(os.getpid())), ("x-live", str(api.is_live))]
        return start_response(status, [*headers, *own], *more)

    return flask_app(environ, with_worker)


deadline = time.monotonic() + 15
while not api.is_live and time.monotonic() < deadline:
    api.verify(None)
    time.sleep(0.01)
print(f"live before the fork: {api.is_live}", flush=True)
