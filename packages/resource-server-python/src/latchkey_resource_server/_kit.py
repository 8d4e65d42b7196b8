"""What the synchronous and the asynchronous kit have in common: options, metadata and answers."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import httpx

from ._clock import Clock, SystemClock
from ._guard import Guard
from ._metadata_answer import MetadataAnswer, answer_with
from ._refusal import Refusal
from ._requirement import Requirement, combine
from ._resource import Resource, ResourceMetadata, address_of
from ._service import Service, basic_authorization
from ._state import State
from ._trouble import Trouble, TroubleReports, log_trouble

# If this many checks are waiting for their turn to ask, further checks get 503.
MAX_WAITING = 1000

ClientT = TypeVar("ClientT")
PlaceT = TypeVar("PlaceT")


class Kit(Generic[ClientT, PlaceT]):
    """The options are those of both kits.

    :param issuer: The base URL of the service.
    :param client_id: The `client_id` of an app that an administrator marked as a resource server.
    :param resource: The public URL of the API, such as `https://api.example` or `https://api.example/mcp`.
    :param permissions: The permissions for the metadata. Those that begin with `admin:` are left out.
    :param resource_name: The name of the API for people, in the metadata.
    :param require_audience: If true, a token that names no resource is refused. Otherwise it is accepted wherever it
        has the permissions.
    :param cache_entries: The maximum number of cached responses.
    :param timeout_seconds: The time limit of a request to the service.
    :param concurrency: The maximum number of concurrent requests to the service.
    :param stream: If false, every check sends a request to the service.
    :param on_trouble: Called if there are problems with the service, at most once a second for each kind. Without it,
        they are written to the log `latchkey_resource_server`.
    :param client_factory: Makes the HTTP client, once in each process. Use it for a proxy or a private certificate.
    """

    metadata: ResourceMetadata
    """The metadata of RFC 9728. Every challenge contains `metadata_url`."""
    metadata_path: str
    metadata_url: str

    def __init__(
        self,
        *,
        issuer: str,
        client_id: str,
        client_secret: str,
        resource: str,
        permissions: Sequence[str] = (),
        resource_name: str | None = None,
        resource_documentation: str | None = None,
        require_audience: bool = False,
        cache_entries: int = 10_000,
        timeout_seconds: float = 5.0,
        concurrency: int = 32,
        stream: bool = True,
        on_trouble: Callable[[Trouble], None] = log_trouble,
        client_factory: Callable[[], ClientT] | None = None,
        clock: Clock | None = None,
    ) -> None:
        address_of(issuer, "issuer")
        if client_id == "" or client_secret == "":
            raise ValueError("client_id and client_secret must not be empty")
        if not timeout_seconds > 0:
            raise ValueError("timeout_seconds must be greater than 0")
        self._clock = SystemClock() if clock is None else clock
        self._cache_entries = _bound("cache_entries", cache_entries)
        self._concurrency = _bound("concurrency", concurrency)
        self._timeout_seconds = timeout_seconds
        self._uses_stream = stream
        self._client_factory = client_factory
        self._on_trouble = on_trouble
        # What belongs to one process, or to one event loop of one process. After a fork, the locks and connections of
        # the parent are of no use.
        self._places: dict[object, PlaceT] = {}
        # The service publishes its issuer without a trailing slash.
        self._issuer = issuer.removesuffix("/")
        self._authorization = basic_authorization(client_id, client_secret)
        described = Resource(
            resource=resource,
            issuer=self._issuer,
            permissions=permissions,
            name=resource_name,
            documentation=resource_documentation,
        )
        self._guard = Guard(described, self._clock, require_audience=require_audience)
        self.metadata = described.metadata
        self.metadata_path = described.metadata_path
        self.metadata_url = described.metadata_url

    def metadata_answer(self, method: str) -> MetadataAnswer:
        """Return the response to a request for `metadata_path`."""
        return answer_with(self.metadata, method)

    def refuse_missing(self, *requirements: Requirement) -> Refusal:
        """Return the refusal of a request without a token."""
        return self._guard.refuse("token_missing", combine(requirements))

    def _new_state(self) -> State:
        return State(self._clock, self._cache_entries)

    def _new_service(self) -> Service:
        reports = TroubleReports(self._on_trouble, self._clock)
        return Service(issuer=self._issuer, authorization=self._authorization, reports=reports)

    def _limits(self) -> httpx.Limits:
        """One more connection is for the event stream."""
        return httpx.Limits(
            max_connections=self._concurrency + 1, max_keepalive_connections=self._concurrency
        )


def _bound(option: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"{option} must be a whole number from 1")
    return value
