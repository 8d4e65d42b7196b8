"""Two clocks that a test moves."""


class FakeClock:
    def __init__(self, now: float) -> None:
        self._now = now
        self._monotonic = 0.0

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now += seconds
        self._monotonic += seconds

    def set_wall(self, seconds: float) -> None:
        """Move the wall clock alone."""
        self._now += seconds
