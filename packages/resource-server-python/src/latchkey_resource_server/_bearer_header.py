"""Reads the token from the Authorization header. RFC 6750 §2.1, RFC 9110 §11.4."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias


class NoToken(Enum):
    MISSING = "missing"
    """The request has no Authorization header, or the header has another scheme."""
    MALFORMED = "malformed"


Authorization: TypeAlias = str | Sequence[str] | None
"""The value of the Authorization header, or the values if the header is repeated."""

# The scheme, spaces, and a `b64token`. With re.IGNORECASE alone, letters outside of ASCII would match.
_BEARER = re.compile(r"Bearer +([A-Za-z0-9\-._~+/]+=*) *", re.IGNORECASE | re.ASCII)
_SCHEME = re.compile(r"\s*[Bb][Ee][Aa][Rr][Ee][Rr](?![^\s,])")


def presented_by(authorization: Authorization) -> str | NoToken:
    """Return the presented token.

    Tokens in the URL, a form or a cookie are ignored, because they would appear in logs and browser histories.
    """
    if authorization is None:
        return NoToken.MISSING
    if isinstance(authorization, str):
        value = authorization
    elif len(authorization) == 1:
        value = authorization[0]
    else:
        return NoToken.MALFORMED if authorization else NoToken.MISSING
    match = _BEARER.fullmatch(value)
    if match is not None:
        return match.group(1)
    return NoToken.MISSING if _SCHEME.match(value) is None else NoToken.MALFORMED
