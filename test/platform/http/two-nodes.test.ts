/** Tests two servers on one database. A change applies to both, whether one of them or another process makes it. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { start, stop } from "../../../src/main.ts"
import { setSetting } from "../../../src/admin/settings/setting.ts"
import { connect, send, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { wholeFile } from "../../support/spawn.ts"
import { OPERATOR } from "../../support/test-server.ts"

const file = wholeFile()
const { testServer } = await fixture({ admins: ["ada"], span: file })
const store = await testServer.database.open()
const { catalog, keys, log } = testServer.latchkey
const options = { catalog, trustedProxies: [], host: "127.0.0.1", port: 0, baseUrl: null }
const other = await start(options, store, { clock: testServer.clock, keys, log })
file.after(async () => {
  await stop(other, testServer.latchkey.log)
  await store.close()
})

/** Returns for each server whether apps may register themselves. */
async function isOpen(): Promise<readonly boolean[]> {
  const urls = [testServer.url, `http://localhost:${other.port}`]
  return Promise.all(
    urls.map(async (url) => {
      const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`)
      return "registration_endpoint" in ((await metadata.json()) as object)
    }),
  )
}

test("REG-1, DISC-4: a setting changed in the console of one node, or by command, is in force on both within a second", async () => {
  assert.deepEqual(await isOpen(), [false, false])
  const ada = await signedInBrowser(testServer, "ada")
  const path = "/console/setting"
  const saved = await ada.submit(await ada.get(`${path}?key=registration.open`), path, { value: "on" })
  assert.equal(saved.location, "/console/settings?done=saved")
  testServer.clock.advance(1)
  assert.deepEqual(await isOpen(), [true, true])

  const beside = await testServer.database.open()
  const command = { store: beside, clock: testServer.clock, catalog: testServer.latchkey.catalog }
  await setSetting(command, "registration.open", "off", OPERATOR)
  await beside.close()
  testServer.clock.advance(1)
  assert.deepEqual(await isOpen(), [false, false])
})

test("OIDC-1, DISC-4: a node without requests reaches openid once another switched it on, and no more once it is off", async () => {
  await testServer.set("openid.enabled", "on")
  await testServer.latchkey.settings.current()
  const app = await testServer.addApp({ permissions: ["account:read", "openid"] })
  const files = await testServer.addApp({ type: "confidential", resourceServer: true, permissions: [] })
  const held = await connect(testServer, app, "ada", { scope: "openid account:read" })
  const elsewhere = { url: `http://localhost:${other.port}` }
  const reached = async () => {
    const fields = { client_id: files.clientId, client_secret: files.secret ?? "", token: held.access_token }
    const { body } = await send(elsewhere, "/oauth/introspect", fields)
    const headers = { authorization: `Bearer ${held.access_token}` }
    const own = (await (await fetch(`${elsewhere.url}/api/credential`, { headers })).json()) as {
      reach: string
    }
    return [body["scope"], own.reach]
  }
  assert.deepEqual(await reached(), Array(2).fill("account:read openid"))
  await testServer.set("openid.enabled", "off")
  assert.deepEqual(await reached(), Array(2).fill("account:read"))
  await testServer.set("openid.enabled", "on")
  const { access_token } = held
  const own = await fetch(`${elsewhere.url}/api/credential`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  assert.equal(((await own.json()) as { reach: string }).reach, "account:read openid")
})
