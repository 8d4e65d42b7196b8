"""What the event stream of the service says. Responses are cached only while it reports every change."""

import codecs
import random

from ._answer_cache import AnswerCache
from ._clock import Clock
from ._concurrent_changes import ConcurrentChanges
from ._event_parser import EventParser, StreamEvent
from ._invalidation import read_invalidation

# If no data arrives for this long, the connection counts as lost. The service sends data at least every ten seconds.
SILENCE_SECONDS = 25.0

_FIRST_PAUSE_SECONDS = 0.1
_MAX_PAUSE_SECONDS = 10.0
_MAX_DOUBLINGS = 10


class EventStream:
    def __init__(self, clock: Clock, answers: AnswerCache, changes: ConcurrentChanges) -> None:
        self._clock = clock
        self._answers = answers
        self._changes = changes
        self._session: int | None = None
        self._sessions = 0
        self._heard_at = 0.0
        self._failures = 0
        self.last_id: str | None = None

    @property
    def session(self) -> int | None:
        """A number while the stream reports every change, and None during an interruption.

        Each connection has a new number.
        """
        return None if self._is_silent() else self._session

    def connecting(self) -> None:
        self._heard_at = self._clock.monotonic()
        self._parser = EventParser()
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")

    def received(self, data: bytes) -> None:
        """Take a piece of the stream. Raise an exception if the connection must not be used any longer."""
        if self._is_silent():
            raise TimeoutError("the stream was silent for too long")
        self._heard_at = self._clock.monotonic()
        for event in self._parser.take(self._decoder.decode(data)):
            self._take(event)

    def lost(self) -> None:
        self._session = None

    def pause(self) -> float:
        """Return the seconds to wait before the next attempt.

        The pause doubles after each failure. A random part prevents many APIs from reconnecting at the same moment.
        """
        longest = min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * (1 << self._failures))
        self._failures = min(_MAX_DOUBLINGS, self._failures + 1)
        return longest * random.uniform(0.5, 1)

    def _take(self, event: StreamEvent) -> None:
        if event.event == "ready":
            self._ready()
        else:
            subject = read_invalidation(event.event, event.data)
            if subject is None:
                self._missed()
            else:
                self._changes.note(subject)
                self._answers.invalidate(subject)
        if event.id is not None:
            self.last_id = event.id

    def _ready(self) -> None:
        """The service sends `ready` after all missed changes. Without a last id, what was missed is unknown."""
        if self.last_id is None:
            self._missed()
        self._failures = 0
        self._sessions += 1
        self._session = self._sessions

    def _missed(self) -> None:
        """Forget every cached response, because changes were missed."""
        self._changes.note_all()
        self._answers.clear()

    def _is_silent(self) -> bool:
        return self._clock.monotonic() - self._heard_at >= SILENCE_SECONDS
