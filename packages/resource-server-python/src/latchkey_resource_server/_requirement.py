"""The requirements of a route: permissions, elevation and audience."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# The `scope` of a challenge may contain only names with the syntax of RFC 6749 §3.3.
_PERMISSION = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


@dataclass(frozen=True, slots=True)
class Requirement:
    permissions: tuple[str, ...] = ()
    """The token must have all of these permissions."""
    elevation: bool = False
    """Whether the credential must be elevated."""
    audience: bool = False
    """Whether the token must name this API."""


def require_permission(*permissions: str) -> Requirement:
    """Require that the token has all `permissions`."""
    for name in permissions:
        if _PERMISSION.fullmatch(name) is None:
            raise ValueError(f"{name!r} is not a permission's name")
    return Requirement(permissions=permissions)


def require_elevation() -> Requirement:
    """Require a recent confirmation with a second factor. RFC 9470."""
    return Requirement(elevation=True)


def require_audience() -> Requirement:
    """Refuse a token that names no resource. RFC 8707 §2."""
    return Requirement(audience=True)


_NOTHING = Requirement()


def combine(requirements: Sequence[Requirement]) -> Requirement:
    """Combine requirements into one."""
    if len(requirements) == 1:
        return requirements[0]
    if not requirements:
        return _NOTHING
    names = dict.fromkeys(name for one in requirements for name in one.permissions)
    return Requirement(
        tuple(names),
        any(one.elevation for one in requirements),
        any(one.audience for one in requirements),
    )
