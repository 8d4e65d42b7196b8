"""What one process remembers: cached responses, and what the event stream reported. Threads share it."""

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from ._access import Access
from ._answer_cache import Answer, AnswerCache
from ._clock import Clock
from ._concurrent_changes import ConcurrentChanges
from ._event_stream import EventStream

# The maximum number of requests to get a response that is not outdated. If the last one is outdated, it is used but not
# cached.
MAX_ATTEMPTS = 3

_MAX_KNOWN = 10_000


class Attempt(NamedTuple):
    """A request to the service that is running."""

    session: int | None
    asked_at: float
    begun: int
    is_last: bool


class State:
    def __init__(self, clock: Clock, cache_entries: int) -> None:
        self._clock = clock
        self._lock = Lock()
        self._answers = AnswerCache(cache_entries)
        self._changes = ConcurrentChanges()
        self._stream = EventStream(clock, self._answers, self._changes)
        # The tokens that were active at their last check, the latest one last.
        self._known: OrderedDict[bytes, None] = OrderedDict()

    @property
    def is_live(self) -> bool:
        return self._stream.session is not None

    @property
    def last_event_id(self) -> str | None:
        return self._stream.last_id

    def kept(self, key: bytes) -> Answer | None:
        """Return the cached response if it may be used."""
        monotonic = self._clock.monotonic()
        with self._lock:
            answer = None
            if self._stream.session is not None:
                answer = self._answers.live(key, self._clock.now(), monotonic)
            return self._answers.refused(key, monotonic) if answer is None else answer

    def is_known(self, key: bytes) -> bool:
        """Whether the token was active at its last check. Anyone can make up tokens that were never active."""
        with self._lock:
            return key in self._known

    def begin(self, is_last: bool) -> Attempt:
        """Call this before a request, and then `settle` with its response, or `abandon`."""
        with self._lock:
            return Attempt(self._stream.session, self._clock.monotonic(), self._changes.begin(), is_last)

    def settle(self, attempt: Attempt, key: bytes, access: Access | None) -> Answer | None:
        """Cache a response if it may be cached. Return None if it is outdated and the service must be asked again."""
        session, asked_at, begun, is_last = attempt
        with self._lock:
            is_outdated = self._changes.is_outdated(begun, access)
            self._changes.end()
            if is_outdated and not is_last:
                return None
            self._note(key, access is not None)
            if access is None:
                return self._answers.keep_refused(key, asked_at)
            if not is_outdated and session is not None and session == self._stream.session:
                return self._answers.keep_live(key, access, asked_at)
            self._answers.forget(key)
            return Answer(access, asked_at, asked_at)

    def _note(self, key: bytes, is_active: bool) -> None:
        self._known.pop(key, None)
        if is_active:
            self._known[key] = None
            if len(self._known) > _MAX_KNOWN:
                self._known.popitem(last=False)

    def abandon(self) -> None:
        with self._lock:
            self._changes.end()

    def connecting(self) -> None:
        """Call this before the stream is opened, `received` with every piece, and `lost` at the end."""
        with self._lock:
            self._stream.connecting()

    def received(self, data: bytes) -> None:
        with self._lock:
            self._stream.received(data)

    def lost(self) -> None:
        with self._lock:
            self._stream.lost()

    def pause(self) -> float:
        return self._stream.pause()
