import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { RefusalLog } from "../../../src/platform/http/refusal-log.ts"
import { fixture } from "../../support/fixture.ts"
import { recordLog } from "../../support/record-log.ts"

type Line = {
  readonly msg: string
  readonly refusal: string
  readonly client_id?: string
  readonly more?: number
}

function opened(): { readonly log: RefusalLog; readonly lines: Line[] } {
  const { log, lines } = recordLog<Line>()
  return { log: new RefusalLog(log), lines }
}

test("a flood of refusals is logged as a number, and hides no refusal of another reason", () => {
  const { log, lines } = opened()
  for (let i = 0; i < 1000; i++) log.note(`r${i}`, null, { reason: "clientUnknown" })
  log.note("last", null, { reason: "refreshTokenUnknown" })
  const logged = lines.filter(({ refusal }) => refusal === "clientUnknown").length
  assert.ok(logged > 0 && logged < 100, String(logged))
  assert.equal(lines.at(-1)?.refusal, "refreshTokenUnknown")
  log.endSecond()
  assert.deepEqual(
    lines.slice(logged + 1).map(({ refusal, more }) => [refusal, more]),
    [["clientUnknown", 1000 - logged]],
  )
})

test("each second starts over", () => {
  const { log, lines } = opened()
  for (let second = 0; second < 3; second++) {
    log.note("r", null, { reason: "clientUnknown" })
    log.endSecond()
  }
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ["refused", "refused", "refused"],
  )
})

test("HELP-1 a noisy app hides no refusal of another app", () => {
  const { log, lines } = opened()
  for (let i = 0; i < 1000; i++) log.note("r", "noisy" as ClientId, { reason: "scopeUnknown" })
  log.note("last", "quiet" as ClientId, { reason: "scopeUnknown" })
  assert.equal(lines.at(-1)?.client_id, "quiet")
  const before = lines.length
  log.endSecond()
  assert.deepEqual(
    lines.slice(before).map(({ client_id, more }) => [client_id, more]),
    [["noisy", 1001 - before]],
  )
})

test("HELP-1 however many apps are refused or invented, the lines of a second are bounded", () => {
  const { log, lines } = opened()
  for (let i = 0; i < 5000; i++) log.note("r", `app${i}` as ClientId, { reason: "clientUnknown" })
  assert.ok(lines.length < 100, String(lines.length))
  for (let i = 0; i < 5000; i++) log.note("r", `app${i}` as ClientId, { reason: "scopeUnknown" })
  assert.ok(lines.length < 1000, String(lines.length))
})

test("HELP-1 a refused line has the address", async (t) => {
  const { log, lines } = recordLog<{ readonly msg: string; readonly address?: string }>()
  const { testServer } = await fixture({ span: t, log })
  await fetch(`${testServer.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "none" }),
  })
  assert.equal(lines.find(({ msg }) => msg === "refused")?.address, "127.0.0.1")
})
