"""The synchronous kit. Threads share it."""

import os
from collections.abc import Callable
from threading import Lock

import httpx

from ._access import Access
from ._bearer_header import Authorization
from ._guard import Question
from ._kit import Kit
from ._questions import Questions
from ._refusal import Refusal
from ._requirement import Requirement, combine
from ._service import ServiceUnavailableError
from ._state import State
from ._stream_thread import StreamThread


class ResourceServer(Kit[httpx.Client, "_Process"]):
    """Checks the token of each request against cached responses. Changes apply within a second."""

    _closed = False
    _process: "_Process | None" = None

    def verify(self, authorization: Authorization, *requirements: Requirement) -> Access | Refusal:
        """Return the access of a request that meets every requirement, or the refusal with its HTTP response."""
        process = self._here()
        if self._uses_stream and not self._closed:
            process.start_stream()
        needed = combine(requirements)
        known = self._guard.known(process.state, authorization, needed)
        if not isinstance(known, Question):
            return known
        try:
            answer = process.questions.ask(known)
        except ServiceUnavailableError as error:
            return self._guard.refuse("service_unavailable", needed, error.retry_after_seconds)
        return self._guard.decide(answer.access, needed)

    @property
    def is_live(self) -> bool:
        """Whether the event stream is connected and responses are cached."""
        return self._here().state.is_live

    def close(self) -> None:
        """End the event stream. Every later check sends a request to the service."""
        self._closed = True
        self._here().close_stream()

    def _here(self) -> "_Process":
        process = self._process
        if process is None or process.pid != os.getpid():
            process = self._enter()
        return process

    def _enter(self) -> "_Process":
        pid = os.getpid()
        # Of several threads, one makes it. A lock could be held by a thread that the fork did not copy.
        process = self._places.setdefault(pid, self._new_process(pid))
        for other in [one for one in self._places if one != pid]:
            self._places.pop(other, None)
        self._process = process
        return process

    def _new_process(self, pid: int) -> "_Process":
        state = self._new_state()
        service = self._new_service()
        client = (
            httpx.Client(limits=self._limits()) if self._client_factory is None else self._client_factory()
        )
        questions = Questions(state, service, client, self._concurrency, self._timeout_seconds)
        return _Process(pid, state, questions, lambda: StreamThread(state, service, client))


class _Process:
    def __init__(
        self, pid: int, state: State, questions: Questions, new_stream: Callable[[], StreamThread]
    ) -> None:
        self.pid = pid
        self.state = state
        self.questions = questions
        self._new_stream = new_stream
        self._lock = Lock()
        self._stream: StreamThread | None = None
        self._is_closed = False

    def start_stream(self) -> None:
        if self._stream is not None:
            return
        with self._lock:
            if self._stream is None and not self._is_closed:
                self._stream = self._new_stream()

    def close_stream(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._stream is not None:
                self._stream.close()
