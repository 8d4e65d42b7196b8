"""Asks the service about tokens, from threads. Concurrent checks of one token share one request."""

from concurrent.futures import Future
from threading import Lock
from time import monotonic

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
from ._turns import Turns


class Questions:
    def __init__(
        self,
        state: State,
        service: Service,
        client: httpx.Client,
        concurrency: int,
        timeout_seconds: float,
    ) -> None:
        self._state = state
        self._service = service
        self._client = client
        self._timeout_seconds = timeout_seconds
        self._turns = Turns(concurrency)
        self._max_asking = concurrency + MAX_WAITING
        self._lock = Lock()
        self._running: dict[bytes, Future[Answer]] = {}
        # Whether the tokens of running requests were active before. Both kinds have their own places to wait.
        self._asking = {True: 0, False: 0}

    def ask(self, question: Question) -> Answer:
        """Ask the service. Raise ServiceUnavailableError."""
        own: Future[Answer] = Future()
        is_first = self._state.is_known(question.key)
        with self._lock:
            shared = self._running.get(question.key)
            if shared is None:
                if self._asking[is_first] >= self._max_asking:
                    raise ServiceUnavailableError(1)
                shared = self._running[question.key] = own
                self._asking[is_first] += 1
        if shared is own:
            self._answer(question, is_first, own)
        return shared.result()

    def _answer(self, question: Question, is_first: bool, own: "Future[Answer]") -> None:
        try:
            answer = self._ask(question, is_first)
        except BaseException as error:
            self._end(question, is_first)
            if isinstance(error, ServiceUnavailableError):
                return own.set_exception(error)
            # This thread is being stopped, and the others get 503.
            own.set_exception(ServiceUnavailableError(1))
            raise
        self._end(question, is_first)
        own.set_result(answer)

    def _end(self, question: Question, is_first: bool) -> None:
        with self._lock:
            del self._running[question.key]
            self._asking[is_first] -= 1

    def _ask(self, question: Question, is_first: bool) -> Answer:
        answer: Answer | None = None
        for number in range(1, MAX_ATTEMPTS + 1):
            attempt = self._state.begin(is_last=number == MAX_ATTEMPTS)
            try:
                access = self._introspect(question.token, is_first)
            except BaseException:
                self._state.abandon()
                raise
            answer = self._state.settle(attempt, question.key, access)
            if answer is not None:
                break
        assert answer is not None, "the last attempt has an answer"
        return answer

    def _introspect(self, token: str, is_first: bool) -> Access | None:
        deadline = monotonic() + self._timeout_seconds
        if not self._turns.acquire(is_first, self._timeout_seconds):
            raise self._service.unavailable(TimeoutError("too many requests are running"))
        try:
            return self._exchange(token, deadline)
        except ServiceUnavailableError:
            raise
        except Exception as error:
            raise self._service.unavailable(error) from error
        finally:
            self._turns.release()

    def _exchange(self, token: str, deadline: float) -> Access | None:
        response = self._send(token, deadline)
        try:
            if response.status_code == 200:
                return self._service.read(_read(response, deadline))
        finally:
            response.close()
        cause = UnexpectedStatusError(response.status_code)
        raise self._service.unavailable(cause, response.headers.get("retry-after"))

    def _send(self, token: str, deadline: float) -> httpx.Response:
        def send() -> httpx.Response:
            request = self._client.build_request(
                "POST",
                self._service.introspection_url,
                headers=self._service.introspection_headers,
                content=self._service.form(token),
                timeout=max(0.001, deadline - monotonic()),
            )
            return self._client.send(request, stream=True, follow_redirects=False)

        try:
            return send()
        except CONNECTION_LOST:
            return send()


def _read(response: httpx.Response, deadline: float) -> bytes:
    body = b""
    for part in response.iter_bytes():
        body += part
        if monotonic() > deadline or len(body) > MAX_ANSWER_BYTES:
            raise TimeoutError("the response is too slow or too long")
    return body
