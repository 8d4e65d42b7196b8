import { test } from "node:test"
import assert from "node:assert/strict"
import type { UserId } from "../../../src/kernel/ids.ts"
import {
  abandonImport,
  beginImport,
  finishImport,
  removeLeftover,
  silenceWatch,
  stage,
} from "../../../src/admin/moving-in/staging.ts"
import { ALREADY_RUNNING, LOST, TAKEN } from "../../../src/admin/moving-in/staging.rules.ts"
import { addAccount, setAccountEnabled, removeAccount } from "../../../src/accounts/accounts.ts"
import { findAccount } from "../../../src/accounts/find-account.ts"
import { filteredAccount } from "../../../src/admin/console/list-filters.ts"
import { hashPassword } from "../../../src/platform/services/password.ts"
import { Browser } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { account } from "../../store/samples.ts"

const { testServer } = await fixture()

async function begun(): Promise<number> {
  const answer = await beginImport(testServer.latchkey, "csv", null)
  if (!answer.ok) throw new Error(answer.error)
  return answer.value.importId
}

const rows = (number: number) => ({
  accounts: [{ account: account(number, { userId: `old-${number}` as UserId }), factors: [] }],
  tokens: [],
})
/** A round of housekeeping. */
const isSilent = silenceWatch(testServer.clock)
const leftovers = () => removeLeftover(testServer.latchkey, isSilent)
const found = async (number: number) =>
  (await testServer.store.read({ account: `old-${number}` as UserId })).account?.userId

test("MOVE-5 one import runs at a time, and a finished one stays", async () => {
  const importId = await begun()
  assert.equal(await leftovers(), false)
  assert.deepEqual(await beginImport(testServer.latchkey, "csv", null), { ok: false, error: ALREADY_RUNNING })
  assert.equal((await stage(testServer.latchkey, importId, rows(1))).ok, true)
  testServer.clock.advance(15)
  assert.equal(await leftovers(), false)
  assert.equal((await stage(testServer.latchkey, importId, rows(2))).ok, true)
  testServer.clock.advance(15)
  assert.equal(await leftovers(), false, "staging shows that the import still runs")
  assert.deepEqual([await found(1), await found(2)], [undefined, undefined])
  assert.equal((await finishImport(testServer.latchkey, importId, [], "csv: 2")).ok, true)
  testServer.clock.advance(1000)
  assert.equal(await leftovers(), false)
  assert.deepEqual([await found(1), await found(2)], ["old-1", "old-2"])
})

test("MOVE-5 an import that stopped is deleted, and its process cannot continue", async () => {
  const importId = await begun()
  await stage(testServer.latchkey, importId, rows(3))
  testServer.clock.advance(16)
  const next = await begun()
  assert.deepEqual(await stage(testServer.latchkey, importId, rows(4)), { ok: false, error: LOST })
  assert.deepEqual(await finishImport(testServer.latchkey, importId, [], ""), { ok: false, error: LOST })
  assert.equal((await stage(testServer.latchkey, next, rows(3))).ok, true, "its rows are free again")
  await abandonImport(testServer.latchkey, next)
  const { stagedRows, openImport } = await testServer.store.read({ stagedRows: next, openImport: true })
  assert.deepEqual([stagedRows, openImport], [{ count: 0 }, null])
})

test("MOVE-5 housekeeping ends an import that shows nothing for 15 seconds, whatever the clocks say", async () => {
  const { clock } = testServer
  const importId = await begun()
  const now = clock.now()
  for (const wall of [now + 31_536_000, now, now - 31_536_000, now + 20]) {
    clock.setWall(wall)
    assert.equal(await leftovers(), false, "a clock that is set ends nothing")
    assert.equal((await stage(testServer.latchkey, importId, { accounts: [], tokens: [] })).ok, true)
  }
  assert.equal(await leftovers(), false)
  clock.advance(16)
  clock.setWall(now + 20)
  assert.equal(await leftovers(), true)
  assert.deepEqual(await finishImport(testServer.latchkey, importId, [], ""), { ok: false, error: LOST })
})

test("MOVE-5 a name that was taken since the check ends the import", async () => {
  const importId = await begun()
  await testServer.addAccount("Ada 9")
  assert.deepEqual(await stage(testServer.latchkey, importId, rows(9)), { ok: false, error: TAKEN })
  await abandonImport(testServer.latchkey, importId)
  assert.deepEqual(await testServer.store.verify(), [])
})

test("MOVE-5 no sign-in, command or list finds a staged account; its name cannot be taken", async () => {
  const importId = await begun()
  const passwordHash = await hashPassword(PASSWORD)
  const staged = account(20, {
    userId: "old-20" as UserId,
    username: "Zoe",
    usernameKey: "zoe",
    passwordHash,
  })
  await stage(testServer.latchkey, importId, { accounts: [{ account: staged, factors: [] }], tokens: [] })
  const browser = new Browser(testServer.url)
  assert.equal((await browser.signIn("Zoe", PASSWORD)).status, 403)
  const from = { address: null }
  for (const look of [
    await findAccount(testServer.latchkey, "Zoe"),
    await filteredAccount(testServer.latchkey, "Zoe"),
    await filteredAccount(testServer.latchkey, "old-20"),
    await setAccountEnabled(testServer.latchkey, "Zoe", true, from),
    await removeAccount(testServer.latchkey, "Zoe", from),
  ])
    assert.match(look.ok ? "found" : look.error, /^There is no account/)
  const taken = { username: "zoe", password: PASSWORD, admin: false, ...from }
  assert.equal((await addAccount(testServer.latchkey, taken)).ok, false)
  await abandonImport(testServer.latchkey, importId)
  const events = await testServer.store.events({}, { limit: 50 })
  assert.deepEqual(
    events.filter(({ userId }) => userId === "old-20"),
    [],
  )
})
