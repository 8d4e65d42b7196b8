import { beforeEach, test } from "node:test"
import assert from "node:assert/strict"
import type { UserId } from "../../src/kernel/ids.ts"
import { OWN_APPS_AT_MOST } from "../../src/kernel/limits.ts"
import type { Problem, Result } from "../../src/kernel/result.ts"
import type { RegistrationInput } from "../../src/model/clients/registration.rules.ts"
import { removeAccount, renameAccount, setAccountEnabled } from "../../src/accounts/accounts.ts"
import { addApp } from "../../src/apps/add-app.ts"
import {
  findApp,
  findManagedApp,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from "../../src/apps/app.ts"
import { connect, exchange, own, refresh, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"

const from = { address: "192.0.2.1", owner: null }
const by = ({ userId }: { readonly userId: UserId }) => ({ ...from, owner: { userId, openSchemes: [] } })
const asked: RegistrationInput = {
  type: "confidential",
  name: "Ada's notes",
  redirectUris: ["https://app.example/callback"],
  permissions: ["account:read", "files:write"],
}

let number = 0
let ada: { readonly userId: UserId; readonly name: string }
let eve: { readonly userId: UserId }

const { testServer } = await fixture()
beforeEach(async () => {
  number += 1
  const name = `ada${number}`
  ada = { userId: (await testServer.addAccount(name)) as UserId, name }
  eve = { userId: (await testServer.addAccount(`eve${number}`)) as UserId }
})

function value<T>(outcome: Result<T, Problem>): T {
  if (!outcome.ok) throw new Error(outcome.error)
  return outcome.value
}

function problem(outcome: Result<unknown, Problem>): string {
  return outcome.ok ? "" : outcome.error
}

async function registered(more: Partial<RegistrationInput> = {}) {
  const { client, secret } = value(await addApp(testServer.latchkey, { ...asked, ...more }, by(ada)))
  return { clientId: client.clientId, secret, client }
}

test("SVC-8, CLIENT-1, CLIENT-3: a user registers an app and owns it", async () => {
  const { client, secret } = await registered()
  assert.match(secret ?? "", /^lks_/)
  assert.deepEqual(
    [client.registeredBy, client.ownerId, client.verified, client.resourceServer, client.deleteAfter],
    ["user", ada.userId, false, false, null],
  )
  const [event] = await testServer.store.events({ clientId: client.clientId }, { limit: 1 })
  assert.deepEqual([event?.kind, event?.userId, event?.address], ["app-registered", ada.userId, from.address])
  const { scope } = await connect(testServer, { clientId: client.clientId, secret }, ada.name)
  assert.equal(scope, "account:read workers:read files:read files:write")
})

test("SVC-8: an app of another account is answered like one that does not exist", async () => {
  const { clientId } = await registered()
  const unknown = "01k3v7m2q8xj5c9d4e6f7g8h9j"
  const verbs = [
    (id: string) => findManagedApp(testServer.latchkey, id, by(eve)),
    (id: string) => updateApp(testServer.latchkey, id, { name: "Mine" }, by(eve)),
    (id: string) => setAppEnabled(testServer.latchkey, id, false, by(eve)),
    (id: string) => rotateAppSecret(testServer.latchkey, id, by(eve)),
    (id: string) => removeApp(testServer.latchkey, id, by(eve)),
  ]
  for (const verb of verbs) {
    assert.equal(problem(await verb(clientId)).replace(clientId, unknown), problem(await verb(unknown)))
    assert.equal(problem(await verb("__proto__")), 'There is no app "__proto__".')
  }
  assert.deepEqual(await testServer.store.clients({ limit: 10 }, { ownerId: eve.userId }), [])
  assert.equal(value(await findApp(testServer.latchkey, clientId)).client.name, asked.name)
})

test("SVC-8: the list holds one's own apps, a page at a time, also after a new name", async () => {
  const ids = []
  for (const name of ["One", "Two", "Three"]) ids.push((await registered({ name })).clientId)
  value(await renameAccount(testServer.latchkey, ada.name, `${ada.name}-renamed`, from))
  const [first, second] = await testServer.store.clients({ limit: 2 }, { ownerId: ada.userId })
  const rest = await testServer.store.clients({ limit: 2, after: second?.clientId }, { ownerId: ada.userId })
  assert.deepEqual(
    [first, second, ...rest].map((client) => client?.clientId),
    ids,
  )
  assert.equal(
    value(await findManagedApp(testServer.latchkey, ids[0] ?? "", by(ada))).owner?.username,
    `${ada.name}-renamed`,
  )
})

test("SVC-8, LIM: an account has at most a hundred apps, however many it registers at once", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: OWN_APPS_AT_MOST + 20 }, () => addApp(testServer.latchkey, asked, by(ada))),
  )
  assert.equal(outcomes.filter(({ ok }) => ok).length, OWN_APPS_AT_MOST)
  assert.equal(
    (await testServer.store.clients({ limit: 500 }, { ownerId: ada.userId })).length,
    OWN_APPS_AT_MOST,
  )
  const [client] = await testServer.store.clients({ limit: 1 }, { ownerId: ada.userId })
  value(await removeApp(testServer.latchkey, client?.clientId ?? "", by(ada)))
  value(await addApp(testServer.latchkey, asked, by(ada)))
  assert.match(problem(await addApp(testServer.latchkey, asked, by(ada))), /at most 100 apps/)
})

test("SVC-8: what an administrator disabled, its owner does not enable", async () => {
  const { clientId } = await registered()
  value(await setAppEnabled(testServer.latchkey, clientId, false, by(ada)))
  assert.equal(value(await setAppEnabled(testServer.latchkey, clientId, true, by(ada))).client.enabled, true)
  value(await setAppEnabled(testServer.latchkey, clientId, false, from))
  assert.match(
    problem(await setAppEnabled(testServer.latchkey, clientId, true, by(ada))),
    /^An administrator/,
  )
  value(await setAppEnabled(testServer.latchkey, clientId, true, from))
  value(await setAppEnabled(testServer.latchkey, clientId, false, by(ada)))
  value(await setAppEnabled(testServer.latchkey, clientId, false, from))
  assert.match(
    problem(await setAppEnabled(testServer.latchkey, clientId, true, by(ada))),
    /^An administrator/,
    "also where the owner was first",
  )
  assert.equal(value(await findApp(testServer.latchkey, clientId)).client.enabled, false)
})

test("SVC-8, CLIENT-7, CLIENT-8: what an administrator gave stays, and a new name ends the verification", async () => {
  const { clientId } = await registered()
  value(
    await updateApp(
      testServer.latchkey,
      clientId,
      { verified: true, resourceServer: true, addPermissions: ["admin:events"] },
      from,
    ),
  )
  const changed = value(
    await updateApp(
      testServer.latchkey,
      clientId,
      { stepUp: true, removePermissions: ["account:read"] },
      by(ada),
    ),
  ).client
  assert.deepEqual(
    [changed.verified, changed.resourceServer, changed.stepUp, changed.ceiling],
    [true, true, true, ["admin:events", "files:write"]],
  )
  const renamed = value(await updateApp(testServer.latchkey, clientId, { name: "Bank" }, by(ada))).client
  assert.equal(renamed.verified, false)
  const forged = {
    ...{ verified: true, resourceServer: false, ownerName: "eve" },
    ...{ endsWithSession: true, deviceFlow: false },
  } as object
  const same = value(await updateApp(testServer.latchkey, clientId, forged, by(ada))).client
  assert.deepEqual([same.verified, same.resourceServer, same.ownerId], [false, true, ada.userId])
})

test("CLIENT-3, AUTH-3: a new secret ends the old one at once; a public app has none", async () => {
  const app = await registered()
  const rotated = value(await rotateAppSecret(testServer.latchkey, app.clientId, by(ada)))
  const authorize = (secret: string | null) =>
    send(testServer, "/oauth/device-authorization", own({ clientId: app.clientId, secret }))
  assert.equal((await authorize(app.secret)).status, 401)
  assert.equal((await authorize(rotated.secret)).status, 200)
  const tool = await registered({ type: "public" })
  assert.equal(tool.secret, null)
  assert.match(problem(await rotateAppSecret(testServer.latchkey, tool.clientId, by(ada))), /no secret/)
})

test("SVC-8, ERR-1: removing an app revokes what it holds", async () => {
  const app = await registered()
  const { refresh_token } = await connect(testServer, app, ada.name)
  value(await removeApp(testServer.latchkey, app.clientId, by(ada)))
  assert.equal((await refresh(testServer, app, refresh_token)).status, 401)
  assert.equal((await exchange(testServer, app, "x", "x")).status, 401)
})

test("SVC-8: an account that is disabled or gone changes nothing; its apps go on", async () => {
  const app = await registered()
  const { refresh_token } = await connect(testServer, app, `eve${number}`)
  const verbs = [
    () => addApp(testServer.latchkey, asked, by(ada)),
    () => updateApp(testServer.latchkey, app.clientId, { name: "X" }, by(ada)),
    () => removeApp(testServer.latchkey, app.clientId, by(ada)),
  ]
  value(await setAccountEnabled(testServer.latchkey, ada.name, false, from))
  for (const verb of verbs) assert.match(problem(await verb()), /not available/)
  assert.equal((await refresh(testServer, app, refresh_token)).status, 200)
  const removed = value(await removeAccount(testServer.latchkey, ada.name, from))
  assert.deepEqual(
    removed.appsWithoutOwner.map(({ clientId }) => clientId),
    [app.clientId],
  )
  for (const verb of verbs) assert.match(problem(await verb()), /not available/)
  assert.equal(value(await findApp(testServer.latchkey, app.clientId)).owner, null)
})

test("SVC-7: an administrator gives an app to another account, and takes it away", async () => {
  const { clientId } = await registered()
  value(await updateApp(testServer.latchkey, clientId, { ownerName: `EVE${number}` }, from))
  assert.ok((await findManagedApp(testServer.latchkey, clientId, by(eve))).ok)
  assert.ok(!(await findManagedApp(testServer.latchkey, clientId, by(ada))).ok)
  value(await updateApp(testServer.latchkey, clientId, { name: "Without owner" }, from))
  assert.ok((await findManagedApp(testServer.latchkey, clientId, by(eve))).ok, "left out, the owner stays")
  value(await updateApp(testServer.latchkey, clientId, { ownerName: null }, from))
  assert.ok(!(await findManagedApp(testServer.latchkey, clientId, by(eve))).ok)
  assert.match(
    problem(await updateApp(testServer.latchkey, clientId, { ownerName: "unknown" }, from)),
    /no account/,
  )
})
