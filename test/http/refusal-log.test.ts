import { test } from "node:test"
import assert from "node:assert/strict"
import { Writable } from "node:stream"
import { pino } from "pino"
import { RefusalLog } from "../../src/http/refusal-log.ts"

type Line = { readonly msg: string; readonly refusal: string; readonly more?: number }

function opened(): { readonly log: RefusalLog; readonly lines: Line[] } {
  const lines: Line[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(String(chunk)) as Line)
      done()
    },
  })
  return { log: new RefusalLog(pino(stream)), lines }
}

test("a flood of refusals is told as a number, and hides no refusal of another reason", () => {
  const { log, lines } = opened()
  for (let i = 0; i < 1000; i++) log.note(`r${i}`, { reason: "clientUnknown" })
  log.note("last", { reason: "refreshTokenUnknown" })
  const told = lines.filter(({ refusal }) => refusal === "clientUnknown").length
  assert.ok(told > 0 && told < 100, String(told))
  assert.equal(lines.at(-1)?.refusal, "refreshTokenUnknown")
  log.endSecond()
  assert.deepEqual(
    lines.slice(told + 1).map(({ refusal, more }) => [refusal, more]),
    [["clientUnknown", 1000 - told]],
  )
})

test("each second begins anew", () => {
  const { log, lines } = opened()
  for (let second = 0; second < 3; second++) {
    log.note("r", { reason: "clientUnknown" })
    log.endSecond()
  }
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ["refused", "refused", "refused"],
  )
})
