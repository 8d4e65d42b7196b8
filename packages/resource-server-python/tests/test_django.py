import asyncio
import json
import sys
from types import ModuleType
from typing import Any

import django
import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import AsyncClient, Client, override_settings
from django.urls import path
from world import (
    METADATA_PATH,
    REFUSED,
    World,
    bearer,
    expect_elevation,
    expect_refused,
    expect_unavailable,
)

from latchkey_resource_server import require_elevation, require_permission

if not settings.configured:
    settings.configure(
        ROOT_URLCONF="project_urls",
        ALLOWED_HOSTS=["*"],
        SECRET_KEY="x",
        INSTALLED_APPS=["rest_framework"],
        REST_FRAMEWORK={"UNAUTHENTICATED_USER": None},
    )
    django.setup()

from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from latchkey_resource_server.django import access_of, metadata, middleware, protect
from latchkey_resource_server.rest_framework import LatchkeyAuthentication, requires

READING = require_permission("notes:read")
CSRF = "django.middleware.csrf.CsrfViewMiddleware"


def notes_view(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"username": access_of(request).username})


async def async_notes_view(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"username": access_of(request).username})


def project(world: World, **more: Any) -> Any:
    """Make a project whose modules hold the kit of `world`."""
    api, async_api = world.api(), world.async_api()

    class Authentication(LatchkeyAuthentication):
        pass

    Authentication.api = api

    class Notes(APIView):
        authentication_classes = (Authentication,)
        permission_classes = (requires(READING),)

        def get(self, request: Any) -> Response:
            assert request.auth.username == request.user.username == str(request.user)
            return Response({"username": request.user.username})

    class ElevatedNotes(Notes):
        permission_classes = (requires(READING, require_elevation()),)

    class KnownNotes(Notes):
        permission_classes = (IsAuthenticated,)

    class OpenNotes(Notes):
        permission_classes = (AllowAny,)

        def get(self, request: Any) -> Response:
            return Response({"username": None if request.auth is None else request.auth.username})

    class ForeignNotes(Notes):
        authentication_classes = ()

    urls = ModuleType("project_urls")
    urls.urlpatterns = [  # type: ignore[attr-defined]
        path("notes", protect(api, READING)(notes_view)),
        path("elevated", protect(api, READING, require_elevation())(notes_view)),
        path("async", protect(async_api, READING)(async_notes_view)),
        path("bare", notes_view),
        path("rest/notes", Notes.as_view()),
        path("rest/elevated", ElevatedNotes.as_view()),
        path("rest/known", KnownNotes.as_view()),
        path("rest/open", OpenNotes.as_view()),
        path("rest/foreign", ForeignNotes.as_view()),
    ]
    auth = ModuleType("project_auth")
    auth.serve_metadata = metadata(api)  # type: ignore[attr-defined]
    auth.guard = middleware(api, READING)  # type: ignore[attr-defined]
    auth.async_guard = middleware(async_api, READING)  # type: ignore[attr-defined]
    sys.modules.update({"project_urls": urls, "project_auth": auth})
    from django.urls import clear_url_caches

    clear_url_caches()
    return override_settings(MIDDLEWARE=more.get("middleware", ["project_auth.serve_metadata", CSRF]))


def send(url: str, headers: Any = None, method: str = "GET", enforce_csrf: bool = False) -> Any:
    return Client(enforce_csrf_checks=enforce_csrf).generic(method, url, headers=headers)


def send_async(url: str, headers: Any = None) -> Any:
    return asyncio.run(AsyncClient().get(url, headers=headers))


def expect(response: Any, case: Any) -> None:
    expect_refused(response.status_code, lower(response), json.loads(response.content), case)


def lower(response: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


@pytest.mark.parametrize("url", ["/notes", "/rest/notes"])
def test_a_request_that_passes(url: str) -> None:
    with project(World()):
        response = send(url, bearer("alice"))
        assert (response.status_code, response.json()) == (200, {"username": "alice"})
        if url == "/notes":
            assert send(url, bearer("alice"), "POST", enforce_csrf=True).status_code == 200


def test_an_asynchronous_view() -> None:
    with project(World()):
        assert send_async("/async", bearer("alice")).json() == {"username": "alice"}
        expect(send_async("/async", bearer("bob")), REFUSED["no permission"])


@pytest.mark.parametrize("name", list(REFUSED))
@pytest.mark.parametrize("url", ["/notes", "/rest/notes"])
def test_refusals(url: str, name: str) -> None:
    with project(World()):
        response = send(url, REFUSED[name][0])
    # REST framework identifies the caller before it knows what the view needs.
    case = REFUSED[name]
    if url == "/rest/notes" and name not in ("no token", "no permission"):
        case = (case[0], case[1], case[2].replace('scope="notes:read", ', ""))
    expect(response, case)


@pytest.mark.parametrize("url", ["/elevated", "/rest/elevated"])
def test_elevation_and_a_service_that_is_down(url: str) -> None:
    with project(World()):
        response = send(url, bearer("alice"))
        expect_elevation(response.status_code, lower(response), response.json())
    world = World()
    world.goes_down()
    with project(world):
        response = send(url, bearer("alice"))
        expect_unavailable(response.status_code, lower(response), response.json())


def test_authentication_with_permissions_of_rest_framework() -> None:
    with project(World()):
        response = send("/rest/known")
        assert response.status_code == 401
        url = "https://api.example/.well-known/oauth-protected-resource/notes"
        assert response.headers["www-authenticate"] == f'Bearer resource_metadata="{url}"'
        assert send("/rest/known", bearer("bob")).json() == {"username": "bob"}
        assert send("/rest/open").json() == {"username": None}
        assert send("/rest/open", bearer("unknown1")).status_code == 401
        assert send("/rest/foreign", bearer("alice")).status_code == 403


def test_middleware_that_protects_every_view() -> None:
    with project(World(), middleware=["project_auth.guard"]):
        assert send("/bare", bearer("alice")).json() == {"username": "alice"}
        expect(send("/bare"), REFUSED["no token"])
        expect(send("/missing"), REFUSED["no token"])
        assert send(METADATA_PATH).json()["resource"] == "https://api.example/notes"
        assert send_async("/bare", bearer("alice")).json() == {"username": "alice"}
    with project(World(), middleware=["project_auth.async_guard"]):
        assert send_async("/bare", bearer("alice")).json() == {"username": "alice"}
        expect(send_async("/bare"), REFUSED["no token"])
        assert send_async(METADATA_PATH).status_code == 200


def test_the_metadata() -> None:
    with project(World()):
        assert send(METADATA_PATH).json()["scopes_supported"] == ["notes:read", "notes:write"]
        assert send(METADATA_PATH, method="PUT").status_code == 405
        with pytest.raises(RuntimeError, match="not protected"):
            send("/bare")
