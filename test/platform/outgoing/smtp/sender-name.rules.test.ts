import { test } from "node:test"
import assert from "node:assert/strict"
import { parseSenderName } from "../../../../src/platform/outgoing/smtp/sender-name.rules.ts"

test("MAIL-1 a sender has up to 60 visible characters, counted as a person counts", () => {
  for (const name of ["Example Ltd.", "", "Ünïted 🔑", "🔑".repeat(60)])
    assert.deepEqual(parseSenderName(name), { ok: true, value: name })
  assert.equal(parseSenderName("🔑".repeat(61)).ok, false)
})

test("MAIL-8 a sender cannot add a header, a line or hidden text", () => {
  for (const name of [
    "a\r\nBcc: b@c.example",
    "a\nb",
    "a\u0000",
    "a\u2028b",
    "a\u202eb",
    "a\u200bb",
    "\ud800",
  ])
    assert.deepEqual(parseSenderName(name), {
      ok: false,
      error: "expected a name of at most 60 visible characters on one line",
    })
})
