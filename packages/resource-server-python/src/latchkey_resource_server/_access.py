"""The introspection response for an active token (RFC 7662 §2.2)."""

from dataclasses import dataclass
from math import isfinite
from typing import Literal, cast


@dataclass(frozen=True, slots=True)
class Identity:
    """The user of a product, where people sign in at an `application`."""

    provider: str
    """The name of the application in the configuration of the service."""
    subject: str
    """The `sub` of its assertions."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who calls, and what the token may do. All requests with this token share the object."""

    account_id: str
    """The account that consented, or the service account that the app acts as."""
    username: str
    account_type: Literal["person", "service"]
    """Only programs use a service account. It cannot sign in."""
    client_id: str
    """The app that holds the token."""
    token_id: str
    """The credential: one consent of one account to one copy of an app."""
    permissions: tuple[str, ...]
    """The permissions that the token has now, including implied ones."""
    groups: tuple[str, ...]
    """The groups of the account, sorted."""
    audience: tuple[str, ...]
    """The resources that the app named (RFC 8707). Empty if it named none."""
    issued_at: float
    """The time in seconds since 1970."""
    expires_at: float
    elevated_until: float | None
    """The end of the elevation, in seconds since 1970. None if the credential is not elevated."""
    identities: tuple[Identity, ...] = ()
    """The users of products that the account is linked to, sorted by provider.

    Only entries of your own provider are yours. If there are several of them, refuse the request.
    """


def read_introspection(body: object, issuer: str) -> Access | None:
    """Read an introspection response. Return None for a token that is not active.

    Raise ValueError if the response is invalid or has another issuer.
    """
    if not isinstance(body, dict):
        raise ValueError("the response is not a JSON object")
    answer = cast("dict[str, object]", body)
    if answer.get("active") is False:
        return None
    if answer.get("active") is not True:
        raise ValueError("the response does not say whether the token is active")
    if answer.get("iss") != issuer:
        raise ValueError(f"the issuer of the response is {answer.get('iss')}, not {issuer}")
    return Access(
        account_id=_text(answer, "sub"),
        username=_text(answer, "username"),
        account_type=_account_type(answer.get("account_type", "person")),
        client_id=_text(answer, "client_id"),
        token_id=_text(answer, "token_id"),
        permissions=tuple(word for word in _text(answer, "scope").split(" ") if word != ""),
        groups=_groups(answer.get("groups", [])),
        audience=_audience(answer),
        issued_at=_instant(answer, "iat"),
        expires_at=_instant(answer, "exp"),
        elevated_until=_instant(answer, "elevated_until") if "elevated_until" in answer else None,
        identities=_identities(answer.get("identities", [])),
    )


def _text(answer: dict[str, object], name: str) -> str:
    value = answer.get(name)
    if not isinstance(value, str):
        raise ValueError(f"the response has no valid {name}")
    return value


def _account_type(value: object) -> Literal["person", "service"]:
    # Earlier versions of the service do not send this member, because all their accounts belong to persons.
    if value == "person":
        return "person"
    if value == "service":
        return "service"
    raise ValueError("the response has no valid account_type")


def _groups(value: object) -> tuple[str, ...]:
    # Earlier versions of the service do not send this member, because they have no groups.
    named = cast("list[object]", value) if isinstance(value, list) else [None]
    texts = tuple(one for one in named if isinstance(one, str))
    if len(texts) != len(named):
        raise ValueError("the response has no valid groups")
    return texts


def _identities(value: object) -> tuple[Identity, ...]:
    # Only the response for an account that is linked to an application has this member.
    return tuple(_identity(one) for one in (cast("list[object]", value) if isinstance(value, list) else [None]))


def _identity(value: object) -> Identity:
    members = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    provider, subject = members.get("provider"), members.get("subject")
    if not isinstance(provider, str) or not isinstance(subject, str):
        raise ValueError("the response has no valid identities")
    return Identity(provider, subject)


def _instant(answer: dict[str, object], name: str) -> float:
    value = answer.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"the response has no valid {name}")
    return value


def _audience(answer: dict[str, object]) -> tuple[str, ...]:
    """The member `aud` is a string or an array of strings. RFC 7519 §4.1.3."""
    if "aud" not in answer:
        return ()
    value = answer["aud"]
    named = cast("list[object]", value) if isinstance(value, list) else [value]
    texts = tuple(one for one in named if isinstance(one, str))
    if len(texts) != len(named):
        raise ValueError("the aud of the response is not a string")
    return texts
