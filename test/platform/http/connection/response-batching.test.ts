import assert from "node:assert/strict"
import type { ServerResponse } from "node:http"
import { describe, it } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { queueResponse } from "../../../../src/platform/http/connection/response-batching.ts"

describe("Answers that are ready in one turn", () => {
  it("leave at its end, in their order", async () => {
    const left: string[] = []
    await turn()
    send(left, "a")
    assert.deepEqual(left, [])
    await turn()
    assert.deepEqual(left, ["a"])
    // Each response is sent in its own callback, as for requests of different connections.
    await callbacks(
      () => send(left, "b"),
      () => send(left, "c"),
      () => assert.deepEqual(left, ["a"]),
    )
    await turn()
    assert.deepEqual(left, ["a", "b", "c"])
  })

  it("leave with the callback that has several, as those of one commit", async () => {
    const left: string[] = []
    await callbacks(
      () => {
        const durable = Promise.resolve()
        void durable.then(() => send(left, "a"))
        void durable.then(() => send(left, "b"))
      },
      () => assert.deepEqual(left, ["a", "b"]),
    )
  })

  it("leave before that once 32 are held, or 64 KiB", async () => {
    const left: string[] = []
    const all = Array.from({ length: 32 }, (_, i) => `${i}`)
    for (const one of all.slice(0, 31)) send(left, one)
    assert.deepEqual(left, [])
    send(left, "31")
    assert.deepEqual(left, all)
    const page = "p".repeat(33_000)
    send(left, page)
    assert.equal(left.length, 32)
    send(left, page)
    assert.equal(left.length, 34)
    await turn()
    assert.equal(left.length, 34)
  })

  it("leave without a body if the response has no body", async () => {
    const ended: unknown[][] = []
    queueResponse(
      recorder((...given) => ended.push(given)),
      undefined,
      "utf8",
    )
    await turn()
    assert.deepEqual(ended, [[]])
  })
})

function send(left: string[], body: string): void {
  queueResponse(
    recorder((text) => left.push(String(text))),
    body,
    "latin1",
  )
}

function recorder(end: (...given: unknown[]) => unknown): ServerResponse {
  return { end } as unknown as ServerResponse
}

/** Runs each function in its own callback, all in one turn of the event loop. Timers that are due together do this. */
function callbacks(...all: (() => void)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    for (const one of all)
      setTimeout(() => {
        try {
          one()
        } catch (error) {
          reject(error as Error)
        }
      }, 1)
    setTimeout(resolve, 1)
  })
}
