"""Problems with the service, for a log.

During an outage every check fails, but each kind of problem is reported only once a second.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Literal

from ._clock import Clock

_log = logging.getLogger("latchkey_resource_server")

_INTERVAL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Trouble:
    of: Literal["introspection", "stream"]
    status: int | None
    """The status of the response, or None if there was none.

    A status of 401 or 403 means that the app of this API is not set up correctly.
    """
    cause: Exception
    """An error with a readable message."""
    times: int
    """The number of problems of this kind since the last report."""


def log_trouble(trouble: Trouble) -> None:
    """Write a problem to the log `latchkey_resource_server`."""
    cause = str(trouble.cause) or type(trouble.cause).__name__
    _log.warning("%s: %s (%d times)", trouble.of, cause, trouble.times)


class TroubleReports:
    def __init__(self, report: Callable[[Trouble], None], clock: Clock) -> None:
        self._report = report
        self._clock = clock
        self._lock = Lock()
        # When a problem of this kind was last reported, and how many were not since then.
        self._kinds: dict[tuple[str, int | None], tuple[float, int]] = {}

    def add(self, of: Literal["introspection", "stream"], status: int | None, cause: Exception) -> None:
        """Report the first problem of each kind in a second. The others are counted for the next report."""
        now = self._clock.monotonic()
        with self._lock:
            reported_at, skipped = self._kinds.get((of, status), (None, 0))
            if reported_at is not None and now - reported_at < _INTERVAL_SECONDS:
                self._kinds[(of, status)] = (reported_at, skipped + 1)
                return
            self._kinds[(of, status)] = (now, 0)
        try:
            self._report(Trouble(of, status, cause, skipped + 1))
        except Exception:
            _log.exception("on_trouble failed")
