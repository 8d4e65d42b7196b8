"""Parses the part of server-sent events that the service uses. HTML standard §9.2.6."""

from collections.abc import Iterator
from typing import NamedTuple

# Longer lines are invalid. Events of the service have only a few dozen characters.
_MAX_LINE_LENGTH = 4096


class StreamEvent(NamedTuple):
    id: str | None
    event: str
    data: str


class EventParser:
    """Parses a stream piece by piece."""

    def __init__(self) -> None:
        self._rest = ""
        self._start()

    def _start(self) -> None:
        self._id: str | None = None
        self._event = ""
        self._data: list[str] = []

    def take(self, text: str) -> Iterator[StreamEvent]:
        """Add a piece of the stream and return the events that it completes.

        Raise ValueError if a line is too long.
        """
        *lines, self._rest = (self._rest + text).split("\n")
        if len(self._rest) > _MAX_LINE_LENGTH:
            raise ValueError("a line of the stream is too long")
        for line in lines:
            event = self._line(line.removesuffix("\r"))
            if event is not None:
                yield event

    def _line(self, line: str) -> StreamEvent | None:
        if line == "":
            return self._complete()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self._id = value
        elif name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        return None

    def _complete(self) -> StreamEvent | None:
        event = StreamEvent(self._id, self._event, "\n".join(self._data))
        self._start()
        return None if event.event == "" else event
