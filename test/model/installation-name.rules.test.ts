import { test } from "node:test"
import assert from "node:assert/strict"
import { parseInstallationName } from "../../src/model/installation-name.rules.ts"

const malformed = { ok: false, error: { reason: "parameterMalformed", parameter: "installation_name" } }

test("AUTHZ-8 a label is trimmed, and an empty one counts as omitted", () => {
  assert.deepEqual(parseInstallationName("  Work laptop "), { ok: true, value: "Work laptop" })
  for (const omitted of [undefined, "", "   ", "\n\t"])
    assert.deepEqual(parseInstallationName(omitted), { ok: true, value: null })
})

test("AUTHZ-8 a label has up to 100 characters, counted as a person counts", () => {
  assert.equal(parseInstallationName("🔑".repeat(100)).ok, true)
  assert.deepEqual(parseInstallationName("🔑".repeat(101)), malformed)
  assert.equal(parseInstallationName(` ${"a".repeat(100)} `).ok, true)
})

test("AUTHZ-8 a label with an invisible character is refused; a joined emoji is not", () => {
  for (const text of ["a\u200bb", "a\u202eb", "a\u0000b", "a\nb", "\ud800", "a\u2800", "a\u200db"])
    assert.deepEqual(parseInstallationName(text), malformed, JSON.stringify(text))
  assert.equal(parseInstallationName("👩\u200d💻 laptop").ok, true)
})
