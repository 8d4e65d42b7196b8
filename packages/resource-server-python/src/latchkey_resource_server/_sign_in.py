"""The part of a product that signs people in for the service.

It answers each request with a signed assertion about the person. docs/your-login.md explains it.
"""

import math
import re
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from ._resource import address_of
from ._sign_in_key import signer_of

_SECONDS = 60
# The service reads no more of a query.
_MAX_URL_LENGTH = 8192
# A person who comes back from the form of the product needs not fill it in again.
_GRACE_SECONDS = 30
_PROVIDER = re.compile(r"[A-Za-z0-9_.~-]+")
_AGE = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class SignInPerson:
    """The person who is signed in to the product. A member without a value is left out."""

    sub: str
    """The id of the user in the product, which never changes and is never given to another user."""
    username: str | None = None
    name: str | None = None
    email: str | None = None
    email_verified: bool | None = None
    """Whether the product has confirmed the address. Without it the address counts as unconfirmed."""
    groups: Sequence[str] | None = None
    auth_time: float | None = None
    """When the person last proved who they are, in seconds since 1970."""
    amr: Sequence[str] | None = None
    """How they proved it: values of RFC 8176, such as `pwd` or `otp`."""


class SignInRequestError(ValueError):
    """The request did not come from the service. Answer it with 400."""


def sign_in_url(
    query: Mapping[str, str],
    person: SignInPerson,
    *,
    issuer: str,
    provider: str,
    secret: str | None = None,
    private_key: str | None = None,
    key_id: str | None = None,
    now: Callable[[], float] = time.time,
) -> str:
    """Return the URL to which the product redirects.

    It is always the callback of the service, and carries an assertion that is valid once, for a minute, in this
    browser. Raise SignInRequestError if the service did not make this request, and ValueError for wrong options and for
    a person whose members are not valid.

    :param query: The query of the request.
    :param issuer: The base URL of the service.
    :param provider: The name of the product in `sign_in_providers` of the service.
    :param secret: The text of `secret_file`, at least 32 bytes. White space around it does not count.
    :param private_key: In place of `secret`: a private key in PEM, of kind P-256, Ed25519 or RSA. It needs
        `cryptography`.
    :param key_id: The `kid` of the public key, if `jwks_uri` of the provider has several.
    """
    address_of(issuer, "issuer")
    if not _PROVIDER.fullmatch(provider):
        raise ValueError("provider: it is not the name of a provider")
    # The service publishes its issuer without a trailing slash.
    audience = issuer.removesuffix("/")
    signer = signer_of(secret=secret, private_key=private_key, key_id=key_id)
    seconds = math.floor(now())
    claims = _claims_of(person, seconds)
    callback = f"{audience}/sign-in/with/{provider}/callback"
    if query.get("return_to") != callback:
        raise SignInRequestError(f"return_to is not {callback}")
    challenge = query.get("challenge") or ""
    if challenge == "":
        raise SignInRequestError("challenge is missing")
    assertion = signer.sign(
        {
            "iss": provider,
            "aud": audience,
            **claims,
            "challenge": challenge,
            "iat": seconds,
            "exp": seconds + _SECONDS,
            "jti": str(uuid4()),
        }
    )
    url = f"{callback}?assertion={assertion}"
    if len(url) > _MAX_URL_LENGTH:
        raise ValueError("the person has too many groups, or too long names")
    return url


def needs_new_sign_in(
    query: Mapping[str, str], auth_time: float | None, now: Callable[[], float] = time.time
) -> bool:
    """Return whether the product must ask for the password or passkey of a person who is signed in.

    The service demands it (`max_age`), and `auth_time`, in seconds since 1970, is longer ago. Ask before `sign_in_url`.
    """
    max_age = query.get("max_age") or ""
    if max_age == "":
        return False
    seconds = int(max_age) if _AGE.fullmatch(max_age) else 0
    return auth_time is None or not now() - auth_time <= max(seconds, _GRACE_SECONDS)


def _is_unseen(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf")


def _claims_of(person: SignInPerson, now: int) -> dict[str, object]:
    # Programs without type checks pass the number of a row, or None for a person who is not signed in.
    sub: object = person.sub
    if not isinstance(sub, str) or sub == "" or len(sub) > 255 or any(map(_is_unseen, sub)):
        raise ValueError("sub: it is not a text of 1 to 255 visible characters without white space")
    auth_time = person.auth_time
    if auth_time is not None and not auth_time <= now + _SECONDS:
        raise ValueError("auth_time: it is in the future; it counts seconds since 1970")
    claims = {
        "sub": sub,
        "username": person.username,
        "name": person.name,
        "email": person.email,
        "email_verified": None if person.email is None else person.email_verified is True,
        "groups": None if person.groups is None else list(person.groups),
        "auth_time": None if auth_time is None else math.floor(auth_time),
        "amr": None if person.amr is None else list(person.amr),
    }
    return {name: value for name, value in claims.items() if value is not None}
