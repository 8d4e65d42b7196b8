import { test } from "node:test"
import assert from "node:assert/strict"
import type { Hash, UserId } from "../../src/kernel/ids.ts"
import { appearanceChanges } from "../../src/model/appearance-changes.rules.ts"
import { event } from "../../src/model/event.rules.ts"

const by = { at: 1_800_000_000, address: "203.0.113.1", actorId: "01k3v7m2q8xj5c9d4e6f7g8h9j" as UserId }
const { at, ...from } = by
const recorded = (detail: string) =>
  ({ change: "eventRecorded", event: event("setting-changed", at, { ...from, detail }) }) as const

test("LOOK-2 a patch sets and unsets members, each with an event, and leaves the others", () => {
  const stored = new Map([
    ["appearance.name", "Acme"],
    ["appearance.terms", "https://acme.example/terms"],
    ["appearance.privacy", "https://acme.example/privacy"],
  ])
  const patch = { name: "Acme", color: "#00FF00", support: null, terms: null }
  assert.deepEqual(appearanceChanges(patch, stored, by), {
    ok: true,
    value: [
      { change: "settingSet", key: "appearance.color", value: "#00ff00" },
      recorded("appearance.color = #00ff00"),
      { change: "settingUnset", key: "appearance.terms" },
      recorded("appearance.terms (default)"),
    ],
  })
})

test("LOOK-2 one wrong member refuses the whole patch and is named", () => {
  const refused = appearanceChanges({ name: "Acme", terms: "http://acme.example" }, new Map(), by)
  assert.deepEqual(refused, {
    ok: false,
    error: { terms: "Write an address that begins with https://." },
  })
})

test("LOOK-3 a logo and its digest are written together", () => {
  const hash = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU" as Hash
  const logo = { png: new Uint8Array([1]), hash }
  const stored = new Map([["appearance.logo", hash]])
  assert.deepEqual(appearanceChanges({ logo: null, logoDark: logo }, stored, by), {
    ok: true,
    value: [
      { change: "settingUnset", key: "appearance.logo" },
      recorded("appearance.logo (default)"),
      { change: "logoSet", key: "appearance.logo", logo: null },
      { change: "settingSet", key: "appearance.logo-dark", value: hash },
      recorded(`appearance.logo-dark = ${hash}`),
      { change: "logoSet", key: "appearance.logo-dark", logo },
    ],
  })
  assert.deepEqual(appearanceChanges({ logo }, stored, by), { ok: true, value: [] })
})
