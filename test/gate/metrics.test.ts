/** The metrics of the gate, which a real service and questions of a proxy change. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { GateUnderTest } from "./gate-under-test.ts"
import { spawnSync } from "node:child_process"
import { environmentWith, LATCHKEY } from "../support/spawn.ts"

const answers = (host: string, family: string, status: number) =>
  `latchkey_gate_answers_total{host="${host}",family="${family}",status="${status}"}`
const refused = (reason: string) => `latchkey_gate_refused_callers_total{reason="${reason}"}`
const checks = (source: string) => `latchkey_gate_check_duration_seconds_count{source="${source}"}`

describe("GATE-14 metrics", () => {
  let gate: GateUnderTest
  before(async () => (gate = await GateUnderTest.open()))
  after(() => gate.close())

  const difference = async (lines: readonly string[], cause: () => Promise<unknown>) => {
    const earlier = await Promise.all(lines.map((line) => gate.metric(line)))
    await cause()
    const later = await Promise.all(lines.map((line) => gate.metric(line)))
    return later.map((value, at) => (value ?? 0) - (earlier[at] ?? 0))
  }

  test("answers are counted by host, family and status, and hosts that are not declared together", async () => {
    const { access_token: token } = await gate.api.grant()
    const lines = [
      answers("api.example", "nginx", 200),
      answers("api.example", "nginx", 401),
      answers("api.example", "nginx", 403),
      answers("other", "nginx", 403),
    ]
    const grown = await difference(lines, async () => {
      await gate.ask({}, token)
      await gate.ask({ path: "/status" })
      await gate.ask({})
      await gate.ask({ path: "/nothing" })
      await gate.ask({ path: "/../x" }, token)
      for (const host of ["a.example", "b.example", "api.example.evil", "", "{}"]) await gate.ask({ host })
    })
    assert.deepEqual(grown, [2, 1, 2, 5])
  })

  test("checks are counted by whether the service was asked, and cached tokens are", async () => {
    const { access_token: token } = await gate.api.grant()
    const lines = [checks("asked"), checks("cache"), "latchkey_gate_cached_tokens"]
    const grown = await difference(lines, async () => {
      for (let n = 0; n < 3; n++) await gate.ask({}, token)
      await gate.ask({}, "nonsense")
      await gate.ask({ path: "/status" }, token)
    })
    assert.deepEqual(grown, [1, 2, 1])
  })

  test("callers that are refused are counted by reason", async () => {
    const lines = [refused("secretMissing"), refused("secretWrong"), refused("noFamily"), refused("notHttp")]
    const grown = await difference(lines, async () => {
      await gate.send("/auth/nginx")
      await gate.send("/auth/nginx", { "latchkey-gate-secret": "wrong" })
      await gate.send("/auth/nginx", { "latchkey-gate-secret": ["wrong", "wrong"] })
      await gate.ask({})
    })
    assert.deepEqual(grown, [2, 1, 0, 0])
  })

  test("the stream is connected, and the process has its own metrics", async () => {
    assert.equal(await gate.metric("latchkey_gate_stream_connected"), 1)
    assert.ok(((await gate.metric("process_resident_memory_bytes")) ?? 0) > 0)
  })

  test("the address of the gate has no metrics", async () => {
    assert.equal((await gate.send("/metrics")).status, 404)
  })
})

test("GATE-14 metrics have an address of their own: --metrics public is refused", () => {
  for (const given of ["public", "x", "70000"]) {
    const { status, stderr } = spawnSync(LATCHKEY, ["gate", "--metrics", given], {
      env: environmentWith({}),
      encoding: "utf8",
    })
    assert.equal(status, 2, stderr)
    assert.match(stderr, /--metrics is PORT or HOST:PORT, not/)
  }
})
