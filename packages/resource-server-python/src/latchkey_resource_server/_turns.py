"""Limits how many requests run at the same time. Those of tokens that were active before do not wait behind others."""

import asyncio
from collections import deque
from contextlib import suppress
from threading import Event, Lock


class Turns:
    """For threads."""

    def __init__(self, free: int) -> None:
        self._free = free
        self._lock = Lock()
        self._first: deque[Event] = deque()
        self._others: deque[Event] = deque()

    def acquire(self, is_first: bool, timeout: float) -> bool:
        """Wait for a turn. Call `release` after a result of True."""
        queue = self._first if is_first else self._others
        turn = Event()
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return True
            queue.append(turn)
        try:
            if turn.wait(timeout):
                return True
        except BaseException:
            # This thread is being stopped.
            if not self._withdraw(queue, turn):
                self.release()
            raise
        return not self._withdraw(queue, turn)

    def _withdraw(self, queue: deque[Event], turn: Event) -> bool:
        """Stop waiting. Return False if the turn came at the same moment."""
        with self._lock:
            if turn.is_set():
                return False
            queue.remove(turn)
            return True

    def release(self) -> None:
        with self._lock:
            queue = self._first or self._others
            if queue:
                queue.popleft().set()
            else:
                self._free += 1


class AsyncTurns:
    """For tasks of one event loop."""

    def __init__(self, free: int) -> None:
        self._free = free
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    async def acquire(self, is_first: bool) -> None:
        """Wait for a turn. Call `release` after it."""
        if self._free > 0:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        queue = self._first if is_first else self._others
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            with suppress(ValueError):
                queue.remove(turn)
            # The turn may have come at the same moment.
            if not turn.cancelled():
                self.release()
            raise

    def release(self) -> None:
        for queue in (self._first, self._others):
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    return turn.set_result(None)
        self._free += 1
