"""Adapter for Django: single views, or the whole project.

    # auth.py; in the settings: MIDDLEWARE = ["project.auth.serve_metadata", ...]
    serve_metadata = metadata(api)

    @protect(api, require_permission("notes:read"))
    def notes(request): ...

Asynchronous views take an `AsyncResourceServer`.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Protocol, cast, overload
from urllib.parse import unquote

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from ._access import Access
from ._async_resource_server import AsyncResourceServer
from ._metadata_answer import MetadataAnswer
from ._refusal import Refusal
from ._requirement import Requirement
from ._resource_server import ResourceServer

_KEY = "latchkey_access"


class View(Protocol):
    def __call__(self, request: HttpRequest, /, *args: Any, **kwargs: Any) -> HttpResponseBase: ...


class AsyncView(Protocol):
    def __call__(self, request: HttpRequest, /, *args: Any, **kwargs: Any) -> Awaitable[HttpResponseBase]: ...


class Middleware(Protocol):
    sync_capable: bool
    async_capable: bool

    def __call__(self, get_response: Any) -> Any: ...


@overload
def protect(api: ResourceServer, *requirements: Requirement) -> Callable[[View], View]: ...
@overload
def protect(api: AsyncResourceServer, *requirements: Requirement) -> Callable[[AsyncView], AsyncView]: ...
def protect(api: ResourceServer | AsyncResourceServer, *requirements: Requirement) -> Any:
    """Protect a view. It calls `access_of(request)`."""

    def decorate(view: Any) -> Any:
        checked = wraps(view)(_checked(api, requirements, view))
        # A browser adds no access token to a request by itself, so a form of another site cannot be sent.
        cast(Any, checked).csrf_exempt = True
        return checked

    return decorate


def middleware(api: ResourceServer | AsyncResourceServer, *requirements: Requirement) -> Middleware:
    """Serve the metadata and protect every view."""

    def factory(get_response: Any) -> Any:
        return metadata(api)(_checked(api, requirements, get_response))

    is_async = isinstance(api, AsyncResourceServer)
    return _capable(factory, sync=not is_async, asynchronous=is_async)


def metadata(api: ResourceServer | AsyncResourceServer) -> Middleware:
    """Serve the metadata."""
    path = unquote(api.metadata_path)

    def factory(get_response: Any) -> Any:
        def serve(request: HttpRequest) -> Any:
            return _response(api.metadata_answer(request.method or "GET"))

        def answer(request: HttpRequest) -> Any:
            return serve(request) if request.path == path else get_response(request)

        async def answer_async(request: HttpRequest) -> Any:
            return serve(request) if request.path == path else await get_response(request)

        return answer_async if iscoroutinefunction(get_response) else answer

    return _capable(factory, sync=True, asynchronous=True)


def access_of(request: HttpRequest) -> Access:
    """Return the access of a checked request. Raise RuntimeError if the view is not protected."""
    access = getattr(request, _KEY, None)
    if not isinstance(access, Access):
        raise RuntimeError("this view is not protected: add @protect")
    return access


def _checked(
    api: ResourceServer | AsyncResourceServer, requirements: tuple[Requirement, ...], view: Any
) -> Callable[..., Any]:
    def result(request: HttpRequest, checked: Access | Refusal) -> HttpResponse | None:
        if isinstance(checked, Refusal):
            return _response(checked)
        setattr(request, _KEY, checked)
        return None

    if isinstance(api, AsyncResourceServer):

        async def checked_async(request: HttpRequest, /, *args: Any, **kwargs: Any) -> Any:
            checked = await api.verify(request.headers.get("Authorization"), *requirements)
            return result(request, checked) or await view(request, *args, **kwargs)

        return checked_async

    def checked_view(request: HttpRequest, /, *args: Any, **kwargs: Any) -> Any:
        checked = api.verify(request.headers.get("Authorization"), *requirements)
        return result(request, checked) or view(request, *args, **kwargs)

    return checked_view


def _capable(factory: Any, *, sync: bool, asynchronous: bool) -> Middleware:
    factory.sync_capable = sync
    factory.async_capable = asynchronous
    return cast(Middleware, factory)


def _response(answer: Refusal | MetadataAnswer) -> HttpResponse:
    return HttpResponse(answer.content, status=answer.status, headers=dict(answer.headers))
