"""Fills the cache, and then checks many more tokens than it holds. Prints the memory after each step, in MiB."""

import gc
import json
import time

from answering import OPTIONS, client, token
from latchkey_resource_server import Access, ResourceServer

ENTRIES = 10_000


def memory() -> float:
    gc.collect()
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


api = ResourceServer(client_factory=client, **OPTIONS)
while not api.is_live:
    api.verify(None)
    time.sleep(0.001)
for number in range(100):
    api.verify(f"Bearer {token(number)}")
steps = [memory()]
for step in range(4):
    for number in range(step * ENTRIES, (step + 1) * ENTRIES):
        assert isinstance(api.verify(f"Bearer {token(number)}"), Access)
    steps.append(memory())
print(json.dumps(steps))
