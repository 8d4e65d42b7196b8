"""A credential, app or account that has changed. Cached responses that depend on it may be stale."""

import json
from collections.abc import Mapping
from typing import TypeAlias, cast

from ._access import Access

Subject: TypeAlias = tuple[str, str]
"""The kind (`credential`, `client` or `account`), and the id."""

_MEMBERS: Mapping[str, str] = {"credential": "token_id", "client": "client_id", "account": "user_id"}


def subjects_of(access: Access) -> tuple[Subject, Subject, Subject]:
    """Return the credential, app and account that a response depends on."""
    return (
        ("credential", access.token_id),
        ("client", access.client_id),
        ("account", access.account_id),
    )


def read_invalidation(event: str, data: str) -> Subject | None:
    """Read an event.

    Return None for an event that only a later version knows. Every cached response may then be stale.
    """
    member = _MEMBERS.get(event)
    if member is None:
        return None
    try:
        body: object = json.loads(data)
    except ValueError:
        return None
    value = cast("dict[str, object]", body).get(member) if isinstance(body, dict) else None
    return (event, value) if isinstance(value, str) else None
