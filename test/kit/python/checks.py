"""Checks tokens with the Python kits. Each step is a line of JSON, and so is its result.

{"do": "open", "kit": "sync", "options": {...}}
{"do": "check", "kit": "sync", "token": ..., "permissions": [...], "elevation": true}
{"do": "many", "kit": "sync", "token": ..., "times": 50}   checks at once; returns how often each result came
{"do": "live", "kit": "sync"}
{"do": "fork", "kit": "sync", "token": ...}                checks in a child process until its stream is live
{"do": "close", "kit": "sync"}
"""

import asyncio
import json
import os
import sys
import time
from collections import Counter

from latchkey_resource_server import (
    AsyncResourceServer,
    Refusal,
    ResourceServer,
    require_elevation,
    require_permission,
)

CLASSES = {"sync": ResourceServer, "async": AsyncResourceServer}
PATIENCE_SECONDS = 15
kits = {}


async def verify(step):
    needed = [require_permission(*step.get("permissions", []))]
    if step.get("elevation", False):
        needed.append(require_elevation())
    token = step["token"]
    authorization = None if token is None else f"Bearer {token}"
    if step["kit"] == "sync":
        result = await asyncio.to_thread(kits["sync"].verify, authorization, *needed)
    else:
        result = await kits["async"].verify(authorization, *needed)
    if isinstance(result, Refusal):
        return {"reason": result.reason, "status": result.status, "headers": dict(result.headers)}
    return {"reason": "ok", "username": result.username, "permissions": result.permissions}


def in_a_child(kit, authorization):
    """A child has its own stream. It is live only if the child has opened it."""
    begun = time.monotonic()
    was_live = kit.is_live
    while time.monotonic() - begun < PATIENCE_SECONDS:
        kit.verify(authorization)
        if kit.is_live:
            return {"was_live": was_live, "reason": getattr(kit.verify(authorization), "reason", "ok")}
        time.sleep(0.01)
    return {"was_live": was_live, "reason": "the stream of the child is not live"}


def fork(step):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        result = in_a_child(kits[step["kit"]], f"Bearer {step['token']}")
        os.write(writing, json.dumps(result).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        result = json.load(pipe)
    os.waitpid(child, 0)
    return result


async def take(step):
    kind = step["kit"]
    match step["do"]:
        case "open":
            kits[kind] = CLASSES[kind](**step["options"])
            return {}
        case "check":
            return await verify(step)
        case "many":
            results = await asyncio.gather(*[verify(step) for _ in range(step["times"])])
            return dict(Counter(result["reason"] for result in results))
        case "live":
            return {"live": kits[kind].is_live}
        case "fork":
            return fork(step)
        case "close":
            kits[kind].close()
            return {}


async def main():
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await take(json.loads(line))), flush=True)


asyncio.run(main())
