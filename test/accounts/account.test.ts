/** Tests accounts on a real store when two requests arrive at the same moment. */
import { test } from "node:test"
import assert from "node:assert/strict"
import {
  addAccount,
  addServiceAccount,
  listAccounts,
  removeAccount,
  renameAccount,
  setAccountEnabled,
  setPassword,
} from "../../src/accounts/accounts.ts"
import { removeAccountOfId, updateAccount } from "../../src/accounts/account-by-id.ts"
import { decided } from "../../src/model/change.rules.ts"
import { addApp } from "../../src/apps/add-app.ts"
import { findApp } from "../../src/apps/app.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { sampleCatalog } from "../support/core-sample.ts"
import { databaseIn } from "../support/database.ts"
import { newDirectory, type Span } from "../support/spawn.ts"
import { findAccount } from "../../src/accounts/find-account.ts"
import { OPERATOR } from "../support/test-server.ts"

const password = "correct horse battery"

async function opened(t: Span) {
  const store = await (await databaseIn(newDirectory(t))).open()
  t.after(() => store.close())
  return { store, clock: systemClock, catalog: sampleCatalog }
}

test("of two administrators who disable each other at the same moment, one stays", async (t) => {
  const services = await opened(t)
  for (const username of ["ada", "bob"])
    await addAccount(services, { username, password, admin: true, ...OPERATOR })
  const answers = await Promise.all(
    ["ada", "bob"].map((name) => setAccountEnabled(services, name, false, OPERATOR)),
  )
  assert.deepEqual(answers.map(({ ok }) => ok).toSorted(), [false, true])
  assert.equal((await listAccounts(services)).filter(({ enabled }) => enabled).length, 1)
})

test("a password goes to whom the name meant when it was asked for, not to who has it once it is hashed", async (t) => {
  const services = await opened(t)
  for (const username of ["ada", "bob"])
    await addAccount(services, { username, password, admin: false, ...OPERATOR })
  const before = await findAccount(services, "bob")
  const setting = setPassword(services, "ada", "another good password", { ...OPERATOR, except: null })
  await renameAccount(services, "ada", "carol", OPERATOR)
  await renameAccount(services, "bob", "ada", OPERATOR)
  const set = await setting
  assert.ok(set.ok && before.ok)
  assert.equal(set.value.username, "carol")
  const after = await findAccount(services, "ada")
  assert.ok(after.ok)
  assert.equal(after.value.passwordHash, before.value.passwordHash)
})

test("of twenty accounts of one name at the same moment, one is added", async (t) => {
  const services = await opened(t)
  const input = { username: "ada", password, admin: false, ...OPERATOR }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      addAccount(services, { ...input, username: i % 2 === 0 ? "ada" : "ADA" }),
    ),
  )
  assert.equal(answers.filter(({ ok }) => ok).length, 1)
  assert.equal((await listAccounts(services)).length, 1)
})

test("LOGIN-21 a removal is judged by the account of its own change", async (t) => {
  const services = await opened(t)
  for (const username of ["ada", "bob"])
    await addAccount(services, { username, password, admin: true, ...OPERATOR })
  const ada = await findAccount(services, "ada")
  assert.ok(ada.ok)
  const { userId } = ada.value
  const remove = () => removeAccountOfId(services, userId, OPERATOR, ({ admin }) => !admin)
  const refused = await remove()
  assert.equal(refused.ok ? null : refused.error.why, "unknown")
  assert.ok((await findAccount(services, "ada")).ok)
  assert.ok((await updateAccount(services, userId, { admin: false }, OPERATOR)).ok)
  assert.ok((await remove()).ok)
  assert.equal((await findAccount(services, "ada")).ok, false)
})

test("a removed account leaves its apps without an owner, and the answer names them", async (t) => {
  const services = await opened(t)
  await addAccount(services, { username: "ada", password, admin: false, ...OPERATOR })
  const added = await addApp(
    services,
    {
      type: "public",
      name: "Notes",
      redirectUris: [],
      permissions: [],
      verified: false,
      stepUp: false,
      resourceServer: false,
      ownerName: "ada",
    },
    OPERATOR,
  )
  assert.ok(added.ok)
  const { clientId } = added.value.client
  const removed = await removeAccount(services, "ada", OPERATOR)
  assert.deepEqual(removed.ok && removed.value.appsWithoutOwner.map((client) => client.clientId), [clientId])
  const found = await findApp(services, clientId)
  assert.deepEqual(found.ok && [found.value.owner, found.value.client.ownerId], [null, null])
})

test("NAME-1 a new name mixes no scripts that look alike in any way of giving it; a name that exists stays", async (t) => {
  const services = await opened(t)
  const mixed = "r\u043e\u043et"
  const person = { username: mixed, password, admin: false, ...OPERATOR }
  assert.equal((await addAccount(services, person)).ok, false)
  assert.equal((await addServiceAccount(services, { ...person, ownerName: null })).ok, false)
  const ada = await addAccount(services, { ...person, username: "ada" })
  assert.ok(ada.ok)
  const { userId } = ada.value
  assert.equal((await renameAccount(services, "ada", mixed, OPERATOR)).ok, false)
  const refused = await updateAccount(services, userId, { username: mixed }, OPERATOR)
  assert.equal(refused.ok ? null : refused.error.why, "malformed")

  const existing = { ...ada.value, username: mixed, usernameKey: mixed }
  await services.store.change({}, () => decided(null, { change: "accountChanged", account: existing }))
  assert.ok((await findAccount(services, mixed)).ok)
  assert.ok((await updateAccount(services, userId, { username: mixed, admin: true }, OPERATOR)).ok)
  assert.ok((await renameAccount(services, mixed, mixed, OPERATOR)).ok)
  assert.ok((await renameAccount(services, mixed, "root", OPERATOR)).ok)
})
