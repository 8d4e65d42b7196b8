"""Every reason to refuse a request, with its HTTP response. RFC 6750 §3, RFC 9470 §3, RFC 9728 §5.1."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

RefusalReason: TypeAlias = Literal[
    "token_missing",
    "token_malformed",
    "token_invalid",
    "audience_missing",
    "audience_other",
    "permission_lacking",
    "elevation_lacking",
    "service_unavailable",
]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason of a refusal, and the complete response."""

    reason: RefusalReason
    status: int
    """The HTTP status."""
    headers: Mapping[str, str]
    """The names of the headers are in lower case."""
    body: Mapping[str, Mapping[str, int | str]]
    """The JSON body of the response."""

    @property
    def content(self) -> bytes:
        """The body as it is sent."""
        return json.dumps(self.body, separators=(",", ":"), ensure_ascii=False).encode()


class _Row(NamedTuple):
    code: int
    status: str
    message: str
    error: str | None = None
    """The error code of RFC 6750 §3.1. Without one, the challenge has no error code."""


_ROWS: Mapping[RefusalReason, _Row] = {
    # If the request has no token, the challenge has no error code. RFC 6750 §3.1.
    "token_missing": _Row(401, "UNAUTHENTICATED", "The request carries no access token."),
    "token_malformed": _Row(
        400, "INVALID_ARGUMENT", "The Authorization header is malformed.", "invalid_request"
    ),
    "token_invalid": _Row(401, "UNAUTHENTICATED", "The access token is not valid.", "invalid_token"),
    "audience_missing": _Row(401, "UNAUTHENTICATED", "The access token names no resource.", "invalid_token"),
    "audience_other": _Row(
        401, "UNAUTHENTICATED", "The access token was issued for another resource.", "invalid_token"
    ),
    "permission_lacking": _Row(
        403,
        "PERMISSION_DENIED",
        "The credential lacks a permission that this needs.",
        "insufficient_scope",
    ),
    "elevation_lacking": _Row(
        400,
        "FAILED_PRECONDITION",
        "This needs a factor proven recently.",
        "insufficient_user_authentication",
    ),
    "service_unavailable": _Row(503, "UNAVAILABLE", "The access token cannot be checked right now."),
}


def refusal_of(
    reason: RefusalReason, *, needed: tuple[str, ...], metadata_url: str, retry_after_seconds: int = 2
) -> Refusal:
    """`needed` are all permissions that the route needs, including those that the token has."""
    row = _ROWS[reason]
    headers = {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    if reason == "service_unavailable":
        headers["retry-after"] = str(retry_after_seconds)
    else:
        headers["www-authenticate"] = _challenge(row, needed, metadata_url)
    if reason == "elevation_lacking":
        headers["service-elevation-required"] = "1"
    body: dict[str, dict[str, int | str]] = {
        "error": {"code": row.code, "status": row.status, "message": row.message}
    }
    return Refusal(reason, row.code, headers, body)


def _challenge(row: _Row, needed: tuple[str, ...], metadata_url: str) -> str:
    parameters: list[str] = []
    if row.error is not None:
        parameters += [f'error="{row.error}"', f'error_description="{row.message}"']
    if needed:
        parameters.append(f'scope="{" ".join(needed)}"')
    parameters.append(f'resource_metadata="{metadata_url}"')
    return f"Bearer {', '.join(parameters)}"
