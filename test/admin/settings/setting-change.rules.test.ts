import { test } from "node:test"
import assert from "node:assert/strict"
import {
  parseSetting,
  settingChanges,
  unknownSetting,
} from "../../../src/admin/settings/setting-change.rules.ts"
import { NOW, sampleCatalog, USER_ID } from "../../support/core-sample.ts"

test("RATE-3 a setting is checked, and its change and its reset are recorded with the value", () => {
  const parsed = parseSetting("token.access_seconds", " 600 ", sampleCatalog, ["en"])
  assert.ok(parsed.ok)
  assert.equal(parsed.value.value, "600")
  const changed = (value: string | null) =>
    settingChanges(parsed.value.row, value, sampleCatalog, { at: NOW, address: null, actorId: USER_ID }).map(
      (one) => (one.change === "eventRecorded" ? [one.event.kind, one.event.detail, one.event.actorId] : one),
    )
  assert.deepEqual(changed("600"), [
    { change: "settingSet", key: "token.access_seconds", value: "600" },
    ["setting-changed", "token.access_seconds = 600", USER_ID],
  ])
  assert.deepEqual(changed(null), [
    { change: "settingUnset", key: "token.access_seconds" },
    ["setting-changed", "token.access_seconds = 3600 (default)", USER_ID],
  ])
  for (const [key, value] of [
    ["token.access_seconds", "1"],
    ["languages.default", "xx"],
    ["token.acces_seconds", "600"],
  ])
    assert.equal(parseSetting(key ?? "", value ?? "", sampleCatalog, ["en"]).ok, false)
  assert.match(unknownSetting("token.acces_seconds").error, /Did you mean token.access_seconds/)
})
