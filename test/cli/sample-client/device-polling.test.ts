/** Tests how the sample client waits. The test controls the time. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { AppRefused } from "../../../src/cli/sample-client/sample-client.ts"
import { pollUntilAnswered } from "../../../src/cli/sample-client/device-polling.ts"

type Answered = { readonly status: number; readonly body: unknown; readonly retryAfter?: string }
type Said = Answered | "unreachable"

const pending: Said = { status: 400, body: { error: "authorization_pending" } }
const tooFast = (interval?: number): Said => ({ status: 400, body: { error: "slow_down", interval } })
const tokens: Answered = { status: 200, body: { access_token: "lka_x" } }

/** Polls a service that gives these responses in turn. Returns the time of each poll. */
async function polled(said: readonly Said[], { interval = 5, expiresIn = 600 } = {}) {
  const at: number[] = []
  let now = 0
  const poll = () => {
    at.push(now)
    const next = said[at.length - 1] ?? pending
    if (next === "unreachable")
      return Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") }))
    const headers = next.retryAfter === undefined ? {} : { "retry-after": next.retryAfter }
    return Promise.resolve(Response.json(next.body, { status: next.status, headers }))
  }
  const time = {
    now: () => now,
    wait: (seconds: number) => {
      now += seconds
      return Promise.resolve()
    },
  }
  try {
    const response = await pollUntilAnswered(poll, { interval, expiresIn }, time)
    return { at, answer: await response.json() }
  } catch (error) {
    if (error instanceof AppRefused) return { at, refusal: error.message }
    throw error
  }
}

test("DEV-6, DG-1 it polls once an interval, the first time after one, until there are tokens", async () => {
  assert.deepEqual(await polled([pending, pending, tokens]), { at: [5, 10, 15], answer: tokens.body })
  assert.deepEqual((await polled([pending, tokens], { interval: 20 })).at, [20, 40])
})

test("DG-2, LIM-3 slow_down adds five seconds for good, or as many as the service says", async () => {
  assert.deepEqual((await polled([tooFast(), pending, tokens])).at, [5, 15, 25])
  assert.deepEqual((await polled([tooFast(10), tooFast(15), pending, tokens])).at, [5, 15, 30, 45])
  assert.deepEqual((await polled([tooFast(30), pending, tokens])).at, [5, 35, 65])
  assert.deepEqual((await polled([tooFast(-1), tokens])).at, [5, 15])
})

test("ERR-7, ERR-8 a refusal and an end are printed at once", async () => {
  const denied = { error: "access_denied", error_description: "The account holder refused." }
  assert.deepEqual(await polled([pending, { status: 400, body: denied }, tokens]), {
    at: [5, 10],
    refusal: "access_denied: The account holder refused.",
  })
  const expired = { status: 400, body: { error: "expired_token" } }
  assert.match((await polled([expired, tokens])).refusal ?? "", /^The code has expired/)
  assert.match((await polled([{ status: 404, body: "x" }, tokens])).refusal ?? "", /answered 404/)
})

test("DEV-5 it stops by itself when the code has expired", async () => {
  const { at, refusal } = await polled([], { expiresIn: 30 })
  assert.deepEqual(at, [5, 10, 15, 20, 25, 30])
  assert.match(refusal ?? "", /^The code has expired/)
})

test("ERR-9 a spent budget, a service that is down and a network that is gone are waited out", async () => {
  const spent = { status: 429, body: { error: "slow_down" }, retryAfter: "42" }
  assert.deepEqual((await polled([spent, pending, tokens])).at, [5, 47, 52])
  const down = { status: 503, body: "down", retryAfter: "1" }
  assert.deepEqual((await polled([down, tokens])).at, [5, 10])
  assert.deepEqual((await polled(["unreachable", "unreachable", pending, tokens])).at, [5, 15, 30, 45])
})
