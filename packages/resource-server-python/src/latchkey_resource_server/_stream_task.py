"""Reads the event stream of the service in a task. It reconnects with growing pauses."""

import asyncio
from contextvars import Context

import httpx

from ._event_stream import SILENCE_SECONDS
from ._service import Service, UnexpectedStatusError
from ._state import State


class StreamTask:
    def __init__(self, state: State, service: Service, client: httpx.AsyncClient) -> None:
        self._state = state
        self._service = service
        self._client = client
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._task is None:
            # The task does not belong to the request that happens to start it.
            self._task = Context().run(asyncio.create_task, self._run())

    def close(self) -> None:
        self._state.lost()
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as cause:
                self._service.report("stream", cause)
            finally:
                self._state.lost()
            await asyncio.sleep(self._state.pause())

    async def _listen(self) -> None:
        """Read one connection until it ends or becomes silent."""
        self._state.connecting()
        headers = self._service.stream_headers(self._state.last_event_id)
        async with self._client.stream(
            "GET",
            self._service.stream_url,
            headers=headers,
            timeout=SILENCE_SECONDS,
            follow_redirects=False,
        ) as response:
            if response.status_code != 200:
                raise UnexpectedStatusError(response.status_code)
            async for part in response.aiter_bytes():
                self._state.received(part)
