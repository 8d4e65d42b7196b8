"""The asynchronous kit, for asyncio."""

import asyncio
import os
from typing import NamedTuple

import httpx

from ._access import Access
from ._async_questions import AsyncQuestions
from ._bearer_header import Authorization
from ._guard import Question
from ._kit import Kit
from ._refusal import Refusal
from ._requirement import Requirement, combine
from ._service import ServiceUnavailableError
from ._state import State
from ._stream_task import StreamTask


class AsyncResourceServer(Kit[httpx.AsyncClient, "_Loop"]):
    """Checks the token of each request against cached responses. Changes apply within a second."""

    _closed = False
    _loop: "_Loop | None" = None

    async def verify(self, authorization: Authorization, *requirements: Requirement) -> Access | Refusal:
        """Return the access of a request that meets every requirement, or the refusal with its HTTP response."""
        here = self._here()
        if self._uses_stream and not self._closed:
            here.stream.start()
        needed = combine(requirements)
        known = self._guard.known(here.state, authorization, needed)
        if not isinstance(known, Question):
            return known
        try:
            answer = await here.questions.ask(known)
        except ServiceUnavailableError as error:
            return self._guard.refuse("service_unavailable", needed, error.retry_after_seconds)
        return self._guard.decide(answer.access, needed)

    @property
    def is_live(self) -> bool:
        """Whether the event stream is connected and responses are cached."""
        return self._loop is not None and self._loop.state.is_live

    def close(self) -> None:
        """End the event stream of this event loop. Every later check sends a request to the service."""
        self._closed = True
        if self._loop is not None:
            self._loop.stream.close()

    def _here(self) -> "_Loop":
        running = asyncio.get_running_loop()
        here = self._loop
        if here is None or here.loop is not running or here.pid != os.getpid():
            here = self._loop = self._enter(running)
        return here

    def _enter(self, running: asyncio.AbstractEventLoop) -> "_Loop":
        pid = os.getpid()
        for key, other in list(self._places.items()):
            if other.pid != pid or other.loop.is_closed():
                self._places.pop(key, None)
        here = self._places.get(running)
        if here is None:
            here = self._places[running] = self._new_loop(running, pid)
        return here

    def _new_loop(self, running: asyncio.AbstractEventLoop, pid: int) -> "_Loop":
        state = self._new_state()
        service = self._new_service()
        make = self._client_factory
        client = httpx.AsyncClient(limits=self._limits()) if make is None else make()
        questions = AsyncQuestions(state, service, client, self._concurrency, self._timeout_seconds)
        return _Loop(pid, running, state, questions, StreamTask(state, service, client))


class _Loop(NamedTuple):
    pid: int
    loop: asyncio.AbstractEventLoop
    state: State
    questions: AsyncQuestions
    stream: StreamTask
