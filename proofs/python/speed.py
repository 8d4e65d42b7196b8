"""Measures a cached check beside a verified RS256 token with PyJWT. Prints medians of ten rounds, in microseconds of
processor time."""

import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable

import jwt
from answering import OPTIONS, async_client, client, token
from cryptography.hazmat.primitives.asymmetric import rsa
from latchkey_resource_server import Access, AsyncResourceServer, ResourceServer, require_permission

ROUNDS = 10
TIMES = 20_000
NEEDED = require_permission("notes:read")
AUTHORIZATION = f"Bearer {token(1)}"


def median_of(action: Callable[[], object], times: int) -> float:
    def round_of() -> float:
        begun = time.thread_time()
        for _ in range(times):
            action()
        return (time.thread_time() - begun) / times * 1e6

    return statistics.median(round_of() for _ in range(ROUNDS))


def cached() -> float:
    api = ResourceServer(client_factory=client, **OPTIONS)
    while not api.is_live:
        api.verify(None)
        time.sleep(0.001)
    assert isinstance(api.verify(AUTHORIZATION, NEEDED), Access)
    return median_of(lambda: api.verify(AUTHORIZATION, NEEDED), TIMES)


async def cached_async() -> float:
    api = AsyncResourceServer(client_factory=async_client, **OPTIONS)
    while not api.is_live:
        await api.verify(None)
        await asyncio.sleep(0.001)
    assert isinstance(await api.verify(AUTHORIZATION, NEEDED), Access)

    async def round_of(check: Callable[[], Awaitable[object]]) -> float:
        begun = time.thread_time()
        for _ in range(TIMES):
            await check()
        return (time.thread_time() - begun) / TIMES * 1e6

    return statistics.median(
        [await round_of(lambda: api.verify(AUTHORIZATION, NEEDED)) for _ in range(ROUNDS)]
    )


def signed() -> float:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    claims = {"iss": "https://id.example", "aud": "https://api.example", "exp": 4_000_000_000, "sub": "a"}
    text = jwt.encode(claims, key, algorithm="RS256")
    public = key.public_key()
    options = {"algorithms": ["RS256"], "audience": "https://api.example", "issuer": "https://id.example"}
    return median_of(lambda: jwt.decode(text, public, **options), 2000)


print(json.dumps({"sync": cached(), "async": asyncio.run(cached_async()), "pyjwt": signed()}))
