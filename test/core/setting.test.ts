import { test } from "node:test"
import assert from "node:assert/strict"
import { readSettings, settingOf, settings } from "../../src/core/setting.ts"

test("RATE-3, LIM-7 what is not stored has its default", () => {
  assert.deepEqual(readSettings(new Map()), {
    anonymousBudget: { requests: 600, seconds: 60 },
    accessSeconds: 3600,
    stepUpSeconds: 900,
  })
})

test("RATE-3, LIM-7 what is stored is in force", () => {
  const stored = new Map([
    ["rate_limit.oauth_anonymous", "off"],
    ["token.access_seconds", "60"],
    ["step_up.window_seconds", "300"],
    ["something.else", "1"],
  ])
  assert.deepEqual(readSettings(stored), { anonymousBudget: null, accessSeconds: 60, stepUpSeconds: 300 })
})

test("a stored value that cannot be read stops nothing: the default holds", () => {
  const stored = new Map([["token.access_seconds", "an hour"]])
  assert.equal(readSettings(stored).accessSeconds, 3600)
})

test("LIM-7 an access token lives a minute at the least and a day at the most", () => {
  const { parse } = settings.accessSeconds
  for (const text of ["60", "3600", "86400"]) assert.deepEqual(parse(text), { ok: true, value: Number(text) })
  for (const text of ["", "59", "86401", "-60", "1h", "3600.5", "3600 ", "1e3", "0x100"]) {
    assert.equal(parse(text).ok, false, text)
  }
})

test("every setting has a key of its own, a default that it takes, and a sentence", () => {
  for (const row of Object.values(settings)) {
    assert.equal(settingOf(row.key), row)
    assert.equal(row.parse(row.default).ok, true)
    assert.match(row.explain, /\.$/)
    const refused = row.parse("nonsense")
    assert.match(refused.ok ? "" : refused.problem, /^Write .*\.$/)
  }
  assert.equal(settingOf("__proto__"), undefined)
  assert.equal(settingOf("toString"), undefined)
})
