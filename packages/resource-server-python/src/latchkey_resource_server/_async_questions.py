"""Asks the service about tokens, in an event loop. Concurrent checks of one token share one request."""

import asyncio

import httpx

from ._access import Access
from ._answer_cache import Answer
from ._guard import Question
from ._kit import MAX_WAITING
from ._service import (
    CONNECTION_LOST,
    MAX_ANSWER_BYTES,
    Service,
    ServiceUnavailableError,
    UnexpectedStatusError,
)
from ._state import MAX_ATTEMPTS, State
from ._turns import AsyncTurns


class AsyncQuestions:
    def __init__(
        self,
        state: State,
        service: Service,
        client: httpx.AsyncClient,
        concurrency: int,
        timeout_seconds: float,
    ) -> None:
        self._state = state
        self._service = service
        self._client = client
        self._timeout_seconds = timeout_seconds
        self._turns = AsyncTurns(concurrency)
        self._max_asking = concurrency + MAX_WAITING
        self._running: dict[bytes, asyncio.Task[Answer]] = {}
        # Whether the tokens of running requests were active before. Both kinds have their own places to wait.
        self._asking = {True: 0, False: 0}

    async def ask(self, question: Question) -> Answer:
        """Ask the service. Raise ServiceUnavailableError."""
        task = self._running.get(question.key)
        if task is None:
            is_first = self._state.is_known(question.key)
            if self._asking[is_first] >= self._max_asking:
                raise ServiceUnavailableError(1)
            task = asyncio.create_task(self._ask(question, is_first))
            self._running[question.key] = task
            self._asking[is_first] += 1
            task.add_done_callback(lambda done: self._end(question, is_first, done))
        # The others still wait for the answer when this request is cancelled.
        return await asyncio.shield(task)

    def _end(self, question: Question, is_first: bool, done: "asyncio.Task[Answer]") -> None:
        del self._running[question.key]
        self._asking[is_first] -= 1
        if not done.cancelled():
            # Otherwise asyncio logs an exception that no check waited for.
            done.exception()

    async def _ask(self, question: Question, is_first: bool) -> Answer:
        answer: Answer | None = None
        for number in range(1, MAX_ATTEMPTS + 1):
            attempt = self._state.begin(is_last=number == MAX_ATTEMPTS)
            try:
                access = await self._introspect(question.token, is_first)
            except BaseException:
                self._state.abandon()
                raise
            answer = self._state.settle(attempt, question.key, access)
            if answer is not None:
                break
        assert answer is not None, "the last attempt has an answer"
        return answer

    async def _introspect(self, token: str, is_first: bool) -> Access | None:
        try:
            return await asyncio.wait_for(self._in_turn(token, is_first), self._timeout_seconds)
        except ServiceUnavailableError:
            raise
        except Exception as error:
            raise self._service.unavailable(error) from error

    async def _in_turn(self, token: str, is_first: bool) -> Access | None:
        await self._turns.acquire(is_first)
        try:
            return await self._exchange(token)
        finally:
            self._turns.release()

    async def _exchange(self, token: str) -> Access | None:
        response = await self._send(token)
        try:
            if response.status_code == 200:
                return self._service.read(await _read(response))
        finally:
            await response.aclose()
        cause = UnexpectedStatusError(response.status_code)
        raise self._service.unavailable(cause, response.headers.get("retry-after"))

    async def _send(self, token: str) -> httpx.Response:
        async def send() -> httpx.Response:
            request = self._client.build_request(
                "POST",
                self._service.introspection_url,
                headers=self._service.introspection_headers,
                content=self._service.form(token),
                timeout=self._timeout_seconds,
            )
            return await self._client.send(request, stream=True, follow_redirects=False)

        try:
            return await send()
        except CONNECTION_LOST:
            return await send()


async def _read(response: httpx.Response) -> bytes:
    body = b""
    async for part in response.aiter_bytes():
        body += part
        if len(body) > MAX_ANSWER_BYTES:
            raise ValueError("the response is too long")
    return body
