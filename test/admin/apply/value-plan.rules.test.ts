import { test } from "node:test"
import assert from "node:assert/strict"
import {
  catalogAfter,
  planAppearance,
  planSetting,
  unset,
} from "../../../src/admin/apply/value-plan.rules.ts"
import { appearanceWord } from "../../../src/admin/apply/set-up.rules.ts"
import type { Part } from "../../../src/admin/apply/part.rules.ts"
import type { Appearance } from "../../../src/model/appearance.rules.ts"
import type { Icon } from "../../../src/model/clients/client.rules.ts"
import { openidCatalog } from "../../../src/model/permissions/openid-permissions.rules.ts"
import { catalog, hash, sampleCatalog } from "../../support/core-sample.ts"
import { emptySetUp, planning } from "./set-up-sample.ts"

const stored = new Map([
  ["token.access_seconds", "600"],
  ["appearance.name", "Acme"],
  ["appearance.logo", hash("logo")],
])
const of = (key: string, value: string) => ({ key, line: 5, lines: new Map([["value", 5]]), members: value })
type AppearanceValue = { readonly member: keyof Appearance; readonly value: string | Icon | null }
const look = ({ member, value }: AppearanceValue) => ({
  key: appearanceWord(member),
  line: 6,
  lines: new Map([["value", 6]]),
  members: value,
})
const planned = (part: Part) => {
  assert.ok(part.ok)
  return part.value
}
const kinds = (part: Part) => planned(part).changes.map(({ change }) => change)
const problemIn = (part: Part) => (part.ok ? null : part.error)

test("RATE-3 a setting is added, changed or left alone, by the rules of the single command", () => {
  const now = planning({ settings: stored })
  const added = planSetting(planning(), of("token.access_seconds", " 700 "))
  assert.deepEqual(planned(added).members, [{ member: "value", before: null, after: "700" }])
  assert.deepEqual(kinds(added), ["settingSet", "eventRecorded", "appliedSet"])
  const changed = planSetting(now, of("token.access_seconds", "700"))
  assert.deepEqual([planned(changed).change, kinds(changed)], ["update", ["settingSet", "eventRecorded"]])
  assert.deepEqual(kinds(planSetting(now, of("token.access_seconds", "600"))), [])
  const problem = (key: string, value: string) => problemIn(planSetting(now, of(key, value)))
  assert.deepEqual(problem("token.access_seconds", "x"), {
    line: 5,
    problem: "settings: token.access_seconds: Write a whole number of seconds from 60 to 86400.",
  })
  assert.match(problem("token.access", "x")?.problem ?? "", /^settings: There is no setting "token.access"/)
  assert.match(problem("languages.default", "fr")?.problem ?? "", /The service has no language "fr"/)
})

test("LOOK-2 a member of the appearance is added, changed, unset or left alone", () => {
  const now = planning({ settings: stored })
  const logo = (name: string) => ({ png: new Uint8Array(), hash: hash(name) })
  const row = (value: AppearanceValue, stage = now) => {
    const part = planAppearance(stage, look(value))
    return [planned(part).change, ...kinds(part)]
  }
  const set = ["settingSet", "eventRecorded"]
  assert.deepEqual(row({ member: "name", value: "Other" }), ["update", ...set])
  assert.deepEqual(row({ member: "name", value: "Other" }, planning()), ["add", ...set, "appliedSet"])
  assert.deepEqual(row({ member: "name", value: "Acme" }), ["keep"])
  assert.deepEqual(row({ member: "name", value: null }), ["update", "settingUnset", "eventRecorded"])
  assert.deepEqual(row({ member: "color", value: null }), ["keep"])
  assert.deepEqual(row({ member: "logo", value: logo("logo") }), ["keep"])
  assert.deepEqual(row({ member: "logo", value: logo("new") }), ["update", ...set, "logoSet"])
  assert.deepEqual(problemIn(planAppearance(now, look({ member: "color", value: "red" }))), {
    line: 6,
    problem: "appearance: color: Write a color as #RRGGBB, such as #1a56db.",
  })
})

test("APPLY-4 what has its default already is not reset again", () => {
  const now = planning({ settings: stored })
  const reset = (made: string) => unset(now, made)?.map(({ change }) => change) ?? null
  assert.deepEqual(reset("token.access_seconds"), ["settingUnset", "eventRecorded"])
  assert.deepEqual(reset("appearance.logo"), ["settingUnset", "eventRecorded", "logoSet"])
  assert.equal(reset("step_up.window_seconds"), null)
  assert.equal(reset("a setting of a later version"), null)
  assert.equal(reset("color"), null)
  assert.equal(reset("sound"), null)
})

test("APPLY-2, OIDC-1 the permissions are those of the settings after the file, whatever they were before", () => {
  const whole = openidCatalog(sampleCatalog) ?? assert.fail("the catalog takes them")
  const applied = [
    { set: "default", what: "setting", key: "openid.enabled", made: "openid.enabled" },
  ] as const
  const after = (before: string | null, inFile: string | null, isPruning = false) => {
    const settings = new Map(before === null ? [] : [["openid.enabled", before]])
    const now = { ...planning({ settings, applied }), catalog: before === "on" ? whole : sampleCatalog }
    const setUp = { ...emptySetUp, settings: inFile === null ? [] : [openid(inFile)] }
    // A plan over the API takes the permissions of the configuration file alone.
    assert.equal(
      catalogAfter({ ...now, catalog: sampleCatalog }, setUp, isPruning),
      catalogAfter(now, setUp, isPruning),
    )
    return catalogAfter(now, setUp, isPruning)
  }
  const openid = (value: string) => of("openid.enabled", value)
  for (const isPruning of [false, true])
    for (const before of [null, "off", "on"]) {
      assert.equal(after(before, " on ", isPruning), whole)
      assert.equal(after(before, "off", isPruning), sampleCatalog)
      assert.equal(after(before, null, isPruning), before === "on" && !isPruning ? whole : sampleCatalog)
    }
  const own = catalog({ email: { title: "Mail" } })
  const setUp = { ...emptySetUp, settings: [openid("on")] }
  assert.equal(catalogAfter({ ...planning(), catalog: own }, setUp, false), own)
})
