"""Kits of Python in one process: see host.ts."""

import asyncio
import json
import sys
import time

from latchkey_resource_server import AsyncResourceServer, Refusal, require_permission


async def main() -> None:
    options = json.loads(await line())
    needed = require_permission(options["permission"])
    kits = [
        AsyncResourceServer(
            issuer=options["issuer"],
            client_id=api["clientId"],
            client_secret=api["clientSecret"],
            resource="https://api.example",
        )
        for api in options["apis"]
    ]

    async def until(kit: AsyncResourceServer, token: str, expected: bool) -> float:
        while True:
            checked = await kit.verify(f"Bearer {token}", needed)
            is_accepted = not isinstance(checked, Refusal)
            # At first, the stream must be connected too.
            if is_accepted == expected and (kit.is_live or not expected):
                return time.time() * 1000
            await asyncio.sleep(options["askedEvery"] / 1000)

    while asked := await line():
        token = json.loads(asked)["token"]
        await asyncio.gather(*(until(kit, token, True) for kit in kits))
        print("{}", flush=True)
        refused = await asyncio.gather(*(until(kit, token, False) for kit in kits))
        print(json.dumps({"refused": refused}), flush=True)
    for kit in kits:
        kit.close()


async def line() -> str:
    return await asyncio.to_thread(sys.stdin.readline)


asyncio.run(main())
