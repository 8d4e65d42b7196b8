"""Tests which checks go first where many wait."""

import asyncio
from typing import Any
from urllib.parse import parse_qs

import pytest
from conduct import KITS, until
from fake_clock import FakeClock
from scripted_service import ScriptedService
from vector_files import options, vectors

from latchkey_resource_server import Access, Refusal, _async_questions, _questions
from latchkey_resource_server._token_form import checksum

CONDUCT = vectors("conduct.json")
KNOWN = CONDUCT["tokens"]["alice"]
WAITING = 5


def made_token(number: int) -> str:
    body = f"lka_{number:026d}Vq7nL2pXw9Zb4Rk8Tm1Yc6Ud3Jf5Hg0Es-AiOoQv_NxkT9fQ2_mZ-a"
    return body + checksum(body)


@pytest.mark.parametrize("kind", list(KITS))
def test_tokens_that_were_active_before_go_first(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_questions, "MAX_WAITING", WAITING)
    monkeypatch.setattr(_async_questions, "MAX_WAITING", WAITING)

    def respond(token: str) -> dict[str, Any]:
        return {"status": 200, "body": CONDUCT["answers"]["alice"] if token == KNOWN else {"active": False}}

    async def play() -> None:
        service = ScriptedService(respond, FakeClock(CONDUCT["now"]))
        given = options({"stream": False, "concurrency": 1, "timeout_seconds": 60.0})
        kit = KITS[kind](service, service.clock, given)
        assert isinstance(await kit.verify(f"Bearer {KNOWN}", []), Access)
        service.is_holding = True
        tokens = [made_token(number) for number in range(WAITING + 2)]
        checks = [asyncio.create_task(kit.verify(f"Bearer {token}", [])) for token in tokens]
        await until(lambda: any(check.done() for check in checks), "all places to wait are taken")
        await until(lambda: len(service.introspections) == 2, "a request is running")
        known = asyncio.create_task(kit.verify(f"Bearer {KNOWN}", []))
        await kit.settled(WAITING + 2)
        service.release()
        await until(lambda: len(service.introspections) == 3, "the next request")
        assert parse_qs(service.introspections[2].content.decode())["token"] == [KNOWN]
        service.is_holding = False
        service.release()
        assert isinstance(await known, Access)
        reasons = [one.reason for one in await asyncio.gather(*checks) if isinstance(one, Refusal)]
        assert sorted(reasons) == ["service_unavailable"] + ["token_invalid"] * (WAITING + 1)
        kit.close()

    asyncio.run(play())
