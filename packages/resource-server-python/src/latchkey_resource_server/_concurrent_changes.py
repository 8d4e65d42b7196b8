"""Detects outdated responses.

A response is outdated if the event stream reported a change after its request was sent. Changes are recorded only while
requests are running.
"""

from ._access import Access
from ._invalidation import Subject, subjects_of

_MAX_REMEMBERED = 10_000


class ConcurrentChanges:
    def __init__(self) -> None:
        self._count = 0
        self._running = 0
        # Responses to all requests that were sent before this change are outdated.
        self._floor = 0
        # The last change that may have made a token active again.
        self._revival = 0
        self._changes: dict[Subject, int] = {}

    def begin(self) -> int:
        """Call this before a request, `is_outdated` with its response, and `end` at the end."""
        self._running += 1
        return self._count

    def is_outdated(self, begun: int, access: Access | None) -> bool:
        if begun < self._floor:
            return True
        if access is None:
            return begun < self._revival
        return any(self._changes.get(subject, 0) > begun for subject in subjects_of(access))

    def end(self) -> None:
        self._running -= 1
        if self._running == 0:
            self._changes.clear()

    def note(self, subject: Subject) -> None:
        self._count += 1
        # A credential never becomes active again, but an account or an app can be enabled again.
        if subject[0] != "credential":
            self._revival = self._count
        if self._running == 0:
            return
        if len(self._changes) >= _MAX_REMEMBERED:
            self.note_all()
        else:
            self._changes[subject] = self._count

    def note_all(self) -> None:
        """Mark every running request as outdated."""
        self._count += 1
        self._floor = self._count
        self._changes.clear()
