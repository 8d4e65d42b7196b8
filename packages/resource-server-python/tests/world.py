"""A scripted service for the tests of the adapters. It knows the tokens of conduct.json, and has no event stream."""

from typing import Any

from fake_clock import FakeClock
from scripted_service import ScriptedService
from vector_files import options, vectors

from latchkey_resource_server import AsyncResourceServer, ResourceServer

CONDUCT = vectors("conduct.json")
RESOURCE = "https://api.example/notes"
METADATA_PATH = "/.well-known/oauth-protected-resource/notes"
METADATA_URL = f"https://api.example{METADATA_PATH}"


class World:
    """Alice may read notes, bob may do nothing, carol's token is for another API, and unknown1 is not active.

    :param audience: The resources that the tokens of alice and bob name.
    """

    def __init__(self, *audience: str) -> None:
        alice = {**CONDUCT["answers"]["alice"], **({"aud": audience} if audience else {})}
        self._answers = {
            "alice": {**alice, "identities": [{"provider": "notebook", "subject": "4711"}]},
            "bob": {**alice, "username": "bob", "sub": "account-2", "scope": ""},
            "carol": {**alice, "aud": ["https://other.example"]},
        }
        self.service = ScriptedService(self._respond, FakeClock(CONDUCT["now"]))

    def api(self, **given: Any) -> ResourceServer:
        return ResourceServer(client_factory=self.service.client, **self._options(given))

    def async_api(self, **given: Any) -> AsyncResourceServer:
        return AsyncResourceServer(client_factory=self.service.async_client, **self._options(given))

    def goes_down(self) -> None:
        self.service.is_unreachable = True

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        own = {"resource": RESOURCE, "permissions": ["notes:read", "notes:write"], "stream": False}
        return {**options({**own, **given}), "clock": self.service.clock, "on_trouble": lambda _: None}

    def _respond(self, token: str) -> dict[str, Any]:
        names = {CONDUCT["tokens"][name]: name for name in self._answers}
        return {"status": 200, "body": self._answers.get(names.get(token, ""), {"active": False})}


def bearer(name: str) -> dict[str, str]:
    return {"authorization": f"Bearer {CONDUCT['tokens'][name]}"}


# The headers of a request to a route that needs notes:read, its status, and its challenge.
_DESCRIBED = 'error="{}", error_description="{}", '
_END = f'resource_metadata="{METADATA_URL}"'
REFUSED = {
    "no token": ({}, 401, f'Bearer scope="notes:read", {_END}'),
    "malformed": (
        {"authorization": "Bearer a b"},
        400,
        "Bearer "
        + _DESCRIBED.format("invalid_request", "The Authorization header is malformed.")
        + f'scope="notes:read", {_END}',
    ),
    "not active": (
        bearer("unknown1"),
        401,
        "Bearer "
        + _DESCRIBED.format("invalid_token", "The access token is not valid.")
        + f'scope="notes:read", {_END}',
    ),
    "another API": (
        bearer("carol"),
        401,
        "Bearer "
        + _DESCRIBED.format("invalid_token", "The access token was issued for another resource.")
        + f'scope="notes:read", {_END}',
    ),
    "no permission": (
        bearer("bob"),
        403,
        "Bearer "
        + _DESCRIBED.format("insufficient_scope", "The credential lacks a permission that this needs.")
        + f'scope="notes:read", {_END}',
    ),
}
STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    503: "UNAVAILABLE",
}


def expect_refused(status: int, headers: Any, body: dict[str, Any], case: Any) -> None:
    """Compare a response with a case of REFUSED: the status, the headers, and the form of the body."""
    _, expected, challenge = case
    assert (status, headers.get("www-authenticate")) == (expected, challenge)
    assert headers["content-type"] == "application/json"
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert body["error"]["code"] == expected
    assert body["error"]["status"] == STATUSES[expected]


def expect_unavailable(status: int, headers: Any, body: dict[str, Any]) -> None:
    assert (status, headers["retry-after"]) == (503, "2")
    assert "www-authenticate" not in headers
    assert body["error"]["status"] == "UNAVAILABLE"


def expect_elevation(status: int, headers: Any, body: dict[str, Any]) -> None:
    assert (status, headers["service-elevation-required"]) == (400, "1")
    assert 'error="insufficient_user_authentication"' in headers["www-authenticate"]
    assert body["error"]["status"] == "FAILED_PRECONDITION"
