"""Adapter for Flask.

metadata(app, api)

@app.get("/notes")
@protect(api, require_permission("notes:read"))
def notes(): ...
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from urllib.parse import unquote

from flask import Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue

from ._access import Access
from ._metadata_answer import MetadataAnswer
from ._refusal import Refusal
from ._requirement import Requirement
from ._resource_server import ResourceServer

P = ParamSpec("P")


def metadata(app: Flask, api: ResourceServer) -> None:
    """Serve the metadata."""
    path = unquote(api.metadata_path)

    def serve() -> Response | None:
        return _response(api.metadata_answer(request.method)) if request.path == path else None

    app.before_request(serve)


def protect(
    api: ResourceServer, *requirements: Requirement
) -> Callable[[Callable[P, ResponseReturnValue]], Callable[P, ResponseReturnValue]]:
    """Protect a view. It calls `access_of()`."""

    def decorate(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
        @wraps(view)
        def checked_view(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
            checked = api.verify(request.headers.get("Authorization"), *requirements)
            if isinstance(checked, Refusal):
                return _response(checked)
            g.latchkey_access = checked
            answer: ResponseReturnValue = current_app.ensure_sync(view)(*args, **kwargs)
            return answer

        return checked_view

    return decorate


def access_of() -> Access:
    """Return the access of the current request. Raise RuntimeError if the route is not protected."""
    access = g.get("latchkey_access")
    if not isinstance(access, Access):
        raise RuntimeError("this route is not protected: add @protect to its view")
    return access


def _response(answer: Refusal | MetadataAnswer) -> Response:
    return Response(answer.content, answer.status, dict(answer.headers))
