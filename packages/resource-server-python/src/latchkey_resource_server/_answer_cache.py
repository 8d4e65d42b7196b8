"""Caches introspection responses by the digest of the token.

If the cache is full, the least recently used response is removed. Inactive tokens have a separate small cache, so that
a flood of them cannot push out active tokens.
"""

from collections import OrderedDict
from typing import NamedTuple

from ._access import Access
from ._invalidation import Subject, subjects_of

# The maximum age of a cached response for an active token.
_LIVE_SECONDS = 60.0

# The time is short, because a refused token becomes active again when its account or app is enabled.
_REFUSED_SECONDS = 1.0
_MAX_REFUSED = 1000


class Answer(NamedTuple):
    access: Access | None
    """None if the token is not active."""
    asked_at: float
    """The time of the request. Both times are monotonic seconds."""
    until: float
    """The time when the response expires."""


class AnswerCache:
    def __init__(self, max_live: int) -> None:
        self._max_live = max_live
        self._live: OrderedDict[bytes, Answer] = OrderedDict()
        self._refused: OrderedDict[bytes, Answer] = OrderedDict()
        # The digests of the tokens whose responses depend on a credential, an app or an account.
        self._by_subject: dict[Subject, set[bytes]] = {}

    def live(self, key: bytes, now: float, monotonic: float) -> Answer | None:
        """Return the cached response for an active token. It is used for up to 60 s, but not after `exp`."""
        answer = self._live.get(key)
        if answer is None or answer.access is None:
            return None
        if monotonic >= answer.until or answer.access.expires_at <= now:
            self._drop(key)
            return None
        self._live.move_to_end(key)
        return answer

    def refused(self, key: bytes, monotonic: float) -> Answer | None:
        answer = self._refused.get(key)
        if answer is None or monotonic < answer.until:
            return answer
        del self._refused[key]
        return None

    def keep_refused(self, key: bytes, asked_at: float) -> Answer:
        answer = Answer(None, asked_at, asked_at + _REFUSED_SECONDS)
        self.forget(key)
        self._refused[key] = answer
        if len(self._refused) > _MAX_REFUSED:
            self._refused.popitem(last=False)
        return answer

    def keep_live(self, key: bytes, access: Access, asked_at: float) -> Answer:
        answer = Answer(access, asked_at, asked_at + _LIVE_SECONDS)
        self.forget(key)
        self._live[key] = answer
        for subject in subjects_of(access):
            self._by_subject.setdefault(subject, set()).add(key)
        if len(self._live) > self._max_live:
            self._drop(next(iter(self._live)))
        return answer

    def forget(self, key: bytes) -> None:
        self._drop(key)
        self._refused.pop(key, None)

    def invalidate(self, subject: Subject) -> None:
        """Remove the responses about a credential, an app or an account."""
        # The account and app of a refused token are unknown. Any refused token may therefore be active again.
        if subject[0] != "credential":
            self._refused.clear()
        for key in tuple(self._by_subject.get(subject, ())):
            self._drop(key)

    def clear(self) -> None:
        self._live.clear()
        self._refused.clear()
        self._by_subject.clear()

    def _drop(self, key: bytes) -> None:
        answer = self._live.pop(key, None)
        if answer is None or answer.access is None:
            return
        for subject in subjects_of(answer.access):
            keys = self._by_subject[subject]
            keys.discard(key)
            if not keys:
                del self._by_subject[subject]
