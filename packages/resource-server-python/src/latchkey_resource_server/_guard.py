"""Decides on a request: its header, the form of its token, the token, the audience, permissions and elevation."""

from hashlib import sha256
from typing import NamedTuple

from ._access import Access
from ._bearer_header import Authorization, NoToken, presented_by
from ._clock import Clock
from ._refusal import Refusal, RefusalReason, refusal_of
from ._requirement import Requirement
from ._resource import Resource
from ._state import State
from ._token_form import is_access_token_form

# If a cached response lacks a permission or an elevation and is older than this, the service is asked again before the
# refusal.
_RECHECK_AFTER_SECONDS = 1.0


class Question(NamedTuple):
    """Only the service can decide on this token."""

    key: bytes
    """The digest of the token, so that the memory of an API contains tokens only briefly."""
    token: str


class Guard:
    def __init__(self, resource: Resource, clock: Clock, *, require_audience: bool) -> None:
        self._resource = resource
        self._clock = clock
        self._require_audience = require_audience

    def known(
        self, state: State, authorization: Authorization, needed: Requirement
    ) -> Access | Refusal | Question:
        """Decide without a request to the service, if that is possible."""
        token = presented_by(authorization)
        if token is NoToken.MISSING:
            return self.refuse("token_missing", needed)
        if token is NoToken.MALFORMED:
            return self.refuse("token_malformed", needed)
        if not is_access_token_form(token):
            return self.refuse("token_invalid", needed)
        key = sha256(token.encode("ascii")).digest()
        kept = state.kept(key)
        if kept is None:
            return Question(key, token)
        verdict = self.decide(kept.access, needed)
        may_have_changed = isinstance(verdict, Refusal) and verdict.reason in (
            "permission_lacking",
            "elevation_lacking",
        )
        if may_have_changed and self._clock.monotonic() - kept.asked_at >= _RECHECK_AFTER_SECONDS:
            return Question(key, token)
        return verdict

    def decide(self, access: Access | None, needed: Requirement) -> Access | Refusal:
        if access is None:
            return self.refuse("token_invalid", needed)
        # Without the option, a token that names no resource is valid at every resource (RFC 8707 §2).
        if not access.audience and (self._require_audience or needed.audience):
            return self.refuse("audience_missing", needed)
        if access.audience and not self._resource.is_named_by(access.audience):
            return self.refuse("audience_other", needed)
        if not all(name in access.permissions for name in needed.permissions):
            return self.refuse("permission_lacking", needed)
        if needed.elevation and (access.elevated_until or 0) <= self._clock.now():
            return self.refuse("elevation_lacking", needed)
        return access

    def refuse(self, reason: RefusalReason, needed: Requirement, retry_after_seconds: int = 2) -> Refusal:
        return refusal_of(
            reason,
            needed=needed.permissions,
            metadata_url=self._resource.metadata_url,
            retry_after_seconds=retry_after_seconds,
        )
