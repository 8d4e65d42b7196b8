"""Plays a sequence of conduct.json against both kits."""

import asyncio
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

from fake_clock import FakeClock
from scripted_service import ScriptedService
from vector_files import options, requirements

from latchkey_resource_server import Access, AsyncResourceServer, Refusal, Requirement, ResourceServer

PATIENCE_SECONDS = 15.0
LOOK_SECONDS = 0.001

Result = Access | Refusal


class SyncKit:
    """The synchronous kit. Each check runs in its own thread."""

    def __init__(self, service: ScriptedService, clock: FakeClock, given: dict[str, Any]) -> None:
        self.api = ResourceServer(client_factory=service.client, clock=clock, **given)
        self._threads = ThreadPoolExecutor(128, thread_name_prefix="check")

    async def verify(self, authorization: str | None, needed: list[Requirement]) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: self.api.verify(authorization, *needed))

    async def settled(self, count: int) -> None:
        """Wait until `count` checks wait for an answer or for another check, so that their order is known."""
        await until(lambda: _waiting_threads() == count, f"{count} checks wait")

    def close(self) -> None:
        self.api.close()
        self._threads.shutdown()


class AsyncKit:
    def __init__(self, service: ScriptedService, clock: FakeClock, given: dict[str, Any]) -> None:
        self.api = AsyncResourceServer(client_factory=service.async_client, clock=clock, **given)

    async def verify(self, authorization: str | None, needed: list[Requirement]) -> Result:
        return await self.api.verify(authorization, *needed)

    async def settled(self, count: int) -> None:
        """Let every check arrive in the queue. Up to Python 3.11 it is the third of three tasks that waits there."""
        for _ in range(10):
            await asyncio.sleep(0)

    def close(self) -> None:
        self.api.close()


AnyKit = SyncKit | AsyncKit
KITS: dict[str, type[SyncKit] | type[AsyncKit]] = {"sync": SyncKit, "async": AsyncKit}


async def until(is_so: Callable[[], bool], what: str) -> None:
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() - begun < PATIENCE_SECONDS, f"not within {PATIENCE_SECONDS} s: {what}"
        await asyncio.sleep(LOOK_SECONDS)


def _waiting_threads() -> int:
    """Return how many checks wait in the transport, for their turn, or for the request of another check."""
    checks = {thread.ident for thread in threading.enumerate() if thread.name.startswith("check")}
    stacks = {ident: frame for ident, frame in sys._current_frames().items() if ident in checks}
    return sum(_is_waiting(frame) for frame in stacks.values())


def _is_waiting(frame: FrameType | None) -> bool:
    names = set()
    while frame is not None:
        names.add(frame.f_code.co_name)
        frame = frame.f_back
    return "verify" in names and not names.isdisjoint({"handle_request", "acquire", "result"})


async def play(kind: str, world: dict[str, Any], sequence: dict[str, Any]) -> None:
    player = Player(KITS[kind], world, sequence)
    try:
        for at, step in enumerate(sequence["steps"]):
            try:
                await player.take(step)
            except BaseException as error:
                raise AssertionError(f"step {at}: {str(step)[:300]}: {error!r}") from error
    finally:
        player.close()


class Player:
    def __init__(self, kit: "type[AnyKit]", world: dict[str, Any], sequence: dict[str, Any]) -> None:
        self._world = world
        self._clock = FakeClock(world["now"])
        self._service = ScriptedService(self._respond, self._clock)
        shared = {name: world[name] for name in ("issuer", "resource", "client_id", "client_secret")}
        given = options({**shared, **sequence.get("options", {})})
        self._kit = kit(self._service, self._clock, given)
        self._answers = {self._token(name): body for name, body in world["answers"].items()}
        self._begun: dict[str, asyncio.Future[list[Result]]] = {}
        self._failure: dict[str, Any] | None = None
        self._asked = 0
        self._opened = 0

    def close(self) -> None:
        self._service.is_holding = False
        self._service.release()
        self._kit.close()

    async def take(self, step: dict[str, Any]) -> None:
        name = next(iter(step))
        action = getattr(self, f"_do_{name}")
        result = action(step)
        if isinstance(result, Awaitable):
            await result
        await self._expect_asks(step)

    async def _do_check(self, step: dict[str, Any]) -> None:
        check = step["check"]
        token = check.get("raw")
        if token is None and check["token"] is not None:
            token = self._token(check["token"])
        expect_result(await self._verify(token, check), step)

    async def _do_begin(self, step: dict[str, Any]) -> None:
        begin = step["begin"]
        checks = [self._verify(self._token(name), begin) for name in begin["tokens"]]
        self._begun[begin["name"]] = asyncio.gather(*checks)
        await self._kit.settled(len(checks))

    async def _do_finish(self, step: dict[str, Any]) -> None:
        for result in await self._begun[step["finish"]]:
            expect_result(result, step)

    def _do_advance(self, step: dict[str, Any]) -> None:
        self._clock.advance(step["advance"])

    def _do_wall(self, step: dict[str, Any]) -> None:
        self._clock.set_wall(step["wall"])

    def _do_answer(self, step: dict[str, Any]) -> None:
        self._answers[self._token(step["answer"]["token"])] = step["answer"]["with"]

    def _do_service(self, step: dict[str, Any]) -> None:
        service = step["service"]
        if "introspection" in service:
            given = service["introspection"]
            self._service.is_unreachable = given == "unreachable"
            self._failure = None if isinstance(given, str) else given
        if "stream" in service:
            given = service["stream"]
            self._service.stream_status = None if given == "up" else given["status"]
        self._service.lost = service.get("lost", self._service.lost)

    def _do_hold(self, step: dict[str, Any]) -> None:
        self._service.is_holding = step["hold"]
        if not step["hold"]:
            self._service.release()

    def _do_release(self, step: dict[str, Any]) -> None:
        self._service.release()

    async def _do_opens(self, step: dict[str, Any]) -> None:
        index = self._opened
        self._opened += 1
        await until(lambda: len(self._service.streams) > index, "a stream is opened")
        assert self._service.streams[index].last_event_id == step["opens"]["last_event_id"]

    async def _do_refused(self, step: dict[str, Any]) -> None:
        await until(lambda: self._service.refused_streams > 0, "a stream is refused")

    async def _do_send(self, step: dict[str, Any]) -> None:
        given = step["send"]
        text = given if isinstance(given, str) else given["text"] * given["times"]
        stream = self._service.streams[-1]
        await until(lambda: stream.is_read, "the kit reads")
        stream.is_read = False
        stream.pieces.append(text.encode())
        await until(lambda: stream.is_read or stream.is_over, "the kit reads on")

    def _do_breaks(self, step: dict[str, Any]) -> None:
        self._service.streams[-1].is_broken = True

    def _do_ends(self, step: dict[str, Any]) -> None:
        self._service.streams[-1].is_over = True

    async def _do_live(self, step: dict[str, Any]) -> None:
        await until(lambda: self._kit.api.is_live == step["live"], f"live is {step['live']}")

    def _do_streams(self, step: dict[str, Any]) -> None:
        assert len(self._service.streams) == step["streams"]

    def _do_close(self, step: dict[str, Any]) -> None:
        self._kit.api.close()

    async def _expect_asks(self, step: dict[str, Any]) -> None:
        """Wait for the introspections of the step. Fail if there are more."""
        expected = step.get("asks")
        if expected is None:
            # A check without `asks` may ask any number of times.
            if "check" in step:
                self._asked = len(self._service.introspections)
            return
        await until(lambda: self._since_last() >= expected, f"{expected} introspections")
        assert self._since_last() == expected, "introspections since the step before"
        self._asked += expected

    def _since_last(self) -> int:
        return len(self._service.introspections) - self._asked

    def _respond(self, token: str) -> dict[str, Any]:
        if self._failure is None:
            return {"status": 200, "body": self._answers.get(token, {"active": False})}
        retry_after = self._failure.get("retry_after")
        headers = {} if retry_after is None else {"retry-after": retry_after}
        return {"status": self._failure["status"], "headers": headers, "text": ""}

    def _token(self, name: str) -> str:
        return str(self._world["tokens"][name])

    def _verify(self, token: str | None, vector: dict[str, Any]) -> Awaitable[Result]:
        authorization = None if token is None else f"Bearer {token}"
        return self._kit.verify(authorization, requirements(vector))


def expect_result(result: Result, step: dict[str, Any]) -> None:
    assert (result.reason if isinstance(result, Refusal) else "ok") == step["expect"]
    if "retry_after" in step:
        assert isinstance(result, Refusal)
        assert result.headers["retry-after"] == str(step["retry_after"])
