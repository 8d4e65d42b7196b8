"""The requests to the authorization service, and its answers. RFC 7662 §2."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote

import httpx

from ._access import Access, read_introspection
from ._trouble import TroubleReports

MAX_ANSWER_BYTES = 1_000_000
_MAX_RETRY_SECONDS = 60
_RETRY_SECONDS = 2
_SECONDS = re.compile(r"[0-9]{1,9}")

_EXPLANATIONS: Mapping[int, str] = {
    401: ": the client id or secret is wrong, or the app is disabled",
    403: ": the app is not marked as a resource server",
}


class UnexpectedStatusError(Exception):
    """The service refused this API or responded with an unexpected status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the service answered {status}{_EXPLANATIONS.get(status, '')}")
        self.status = status


class ServiceUnavailableError(Exception):
    """The service did not respond, or its response is not valid."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__("the authorization service did not answer")
        self.retry_after_seconds = retry_after_seconds


# The connection was lost, because the server may have closed an idle connection. The request is sent once more.
CONNECTION_LOST = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)


class Service:
    def __init__(self, *, issuer: str, authorization: str, reports: TroubleReports) -> None:
        self._issuer = issuer
        self._authorization = authorization
        self._reports = reports

    @property
    def introspection_url(self) -> str:
        return f"{self._issuer}/oauth/introspect"

    @property
    def stream_url(self) -> str:
        return f"{self._issuer}/oauth/introspect/stream"

    @property
    def introspection_headers(self) -> dict[str, str]:
        return {
            "authorization": self._authorization,
            "accept": "application/json",
            "content-type": "application/x-www-form-urlencoded",
        }

    def stream_headers(self, last_event_id: str | None) -> dict[str, str]:
        headers = {
            "authorization": self._authorization,
            "accept": "text/event-stream",
            "accept-encoding": "identity",
        }
        if last_event_id is not None:
            headers["last-event-id"] = last_event_id
        return headers

    def form(self, token: str) -> bytes:
        return f"token={quote(token, safe='')}&token_type_hint=access_token".encode("ascii")

    def read(self, body: bytes) -> Access | None:
        """Read the body of an answer with status 200. Raise ValueError if it is not valid."""
        return read_introspection(json.loads(body.decode("utf-8-sig")), self._issuer)

    def unavailable(self, cause: Exception, retry_after: str | None = None) -> ServiceUnavailableError:
        """Report the problem. Return the error for the checks that wait for the answer."""
        self.report("introspection", cause)
        return ServiceUnavailableError(_retry_seconds(retry_after))

    def report(self, of: Literal["introspection", "stream"], cause: Exception) -> None:
        status = cause.status if isinstance(cause, UnexpectedStatusError) else None
        self._reports.add(of, status, cause)


def _retry_seconds(retry_after: str | None) -> int:
    """A date and any other text count as no value."""
    if retry_after is None or _SECONDS.fullmatch(retry_after) is None:
        return _RETRY_SECONDS
    return min(_MAX_RETRY_SECONDS, int(retry_after)) or _RETRY_SECONDS


def basic_authorization(client_id: str, client_secret: str) -> str:
    """Build the header of RFC 6749 §2.3.1. It form-encodes id and secret before encoding them as base64."""
    pair = f"{quote(client_id, safe='')}:{quote(client_secret, safe='')}"
    return f"Basic {b64encode(pair.encode('ascii')).decode('ascii')}"
