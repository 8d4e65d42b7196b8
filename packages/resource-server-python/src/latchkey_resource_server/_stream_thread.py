"""Reads the event stream of the service in a thread. It reconnects with growing pauses."""

import socket
from contextlib import suppress
from threading import Event, Thread

import httpx

from ._event_stream import SILENCE_SECONDS
from ._service import Service, UnexpectedStatusError
from ._state import State


class StreamThread:
    def __init__(self, state: State, service: Service, client: httpx.Client) -> None:
        self._state = state
        self._service = service
        self._client = client
        self._closed = Event()
        self._response: httpx.Response | None = None
        # The process may exit although the stream is open.
        Thread(target=self._run, name="latchkey-stream", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._state.lost()
        response = self._response
        if response is not None:
            _shut_down(response)

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._listen()
            except Exception as cause:
                if not self._closed.is_set():
                    self._service.report("stream", cause)
            self._state.lost()
            self._closed.wait(self._state.pause())

    def _listen(self) -> None:
        """Read one connection until it ends or becomes silent."""
        self._state.connecting()
        headers = self._service.stream_headers(self._state.last_event_id)
        with self._client.stream(
            "GET",
            self._service.stream_url,
            headers=headers,
            timeout=SILENCE_SECONDS,
            follow_redirects=False,
        ) as response:
            if response.status_code != 200:
                raise UnexpectedStatusError(response.status_code)
            self._response = response
            try:
                for part in response.iter_bytes():
                    if self._closed.is_set():
                        return
                    self._state.received(part)
            finally:
                self._response = None


def _shut_down(response: httpx.Response) -> None:
    """Wake the thread that reads. Closing the response would wait for it."""
    network = response.extensions.get("network_stream")
    connection = None if network is None else network.get_extra_info("socket")
    if isinstance(connection, socket.socket):
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
