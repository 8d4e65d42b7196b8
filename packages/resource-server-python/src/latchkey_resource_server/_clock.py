"""The two clocks that the package uses. Tests replace them."""

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Return the time in seconds since 1970."""
        ...

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start. The value never goes back."""
        ...


class SystemClock:
    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()
