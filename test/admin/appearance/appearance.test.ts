/** Tests how the appearance is stored, and what becomes of a logo. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { changeAppearance, setLogo, storedAppearance } from "../../../src/admin/appearance/appearance.ts"
import { findSetting, listSettings, setSetting } from "../../../src/admin/settings/setting.ts"
import { defaultAppearance } from "../../../src/model/appearance.rules.ts"
import { fixture } from "../../support/fixture.ts"
import { png } from "../../support/picture.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer } = await fixture()
const services = testServer.latchkey

const details = async () =>
  (await services.store.events({ kinds: ["setting-changed"] }, { limit: 100 })).map(({ detail }) => detail)

/** The width and the height in the header of a PNG. */
const sizeOf = (bytes: Uint8Array) => [
  Buffer.from(bytes).readUInt32BE(16),
  Buffer.from(bytes).readUInt32BE(20),
]

test("LOOK-2 members are set and unset together or not at all, with an event each", async () => {
  const wrong = await changeAppearance(services, { name: "Acme", terms: "http://acme.example/" }, OPERATOR)
  assert.deepEqual(!wrong.ok && Object.keys(wrong.error), ["terms"])
  assert.deepEqual(await storedAppearance(services), defaultAppearance)

  const set = await changeAppearance(services, { name: "Acme", color: "#1A56DB" }, OPERATOR)
  assert.deepEqual(set, { ok: true, value: { ...defaultAppearance, name: "Acme", color: "#1a56db" } })
  const unset = await changeAppearance(services, { name: "Acme", color: null }, OPERATOR)
  assert.deepEqual(unset, { ok: true, value: { ...defaultAppearance, name: "Acme" } })
  assert.deepEqual((await details()).toSorted(), [
    "appearance.color (default)",
    "appearance.color = #1a56db",
    "appearance.name = Acme",
  ])
})

test("LOOK-2 settings neither list nor accept the members", async () => {
  assert.ok((await listSettings(services)).every(({ key }) => !key.startsWith("appearance.")))
  assert.equal((await findSetting(services, "appearance.name")).ok, false)
  assert.equal((await setSetting(services, "appearance.name", "Other", OPERATOR)).ok, false)
})

test("LOOK-3 a logo keeps its shape, gets smaller and never larger, and is removed with its digest", async () => {
  const wide = await setLogo(services, "logo", png(1024, 256), OPERATOR)
  assert.ok(wide.ok && wide.value.logo !== null)
  const { logo } = await services.store.read({ logo: "appearance.logo" })
  assert.equal(logo?.hash, wide.value.logo)
  assert.deepEqual(sizeOf(logo?.png ?? new Uint8Array(24)), [512, 128])

  const small = await setLogo(services, "logoDark", png(40, 20), OPERATOR)
  assert.ok(small.ok)
  assert.deepEqual(
    sizeOf((await services.store.read({ logo: "appearance.logo-dark" })).logo?.png ?? new Uint8Array(24)),
    [40, 20],
  )

  const removed = await changeAppearance(services, { logo: null }, OPERATOR)
  assert.deepEqual(removed, { ok: true, value: { ...small.value, logo: null } })
  assert.equal((await services.store.read({ logo: "appearance.logo" })).logo, null)
})

test("LOOK-3 an SVG file is refused, and the stored logo stays", async () => {
  const before = await storedAppearance(services)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  assert.deepEqual(await setLogo(services, "logoDark", svg, OPERATOR), {
    ok: false,
    error: { logoDark: "A logo is a PNG, JPEG, WebP or GIF picture." },
  })
  assert.deepEqual(await storedAppearance(services), before)
})
