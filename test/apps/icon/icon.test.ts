/** Tests GET /oauth/apps/<client_id>/icon: who gets which response, and what counts against the rate limit. */
import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import type { UserId } from "../../../src/kernel/ids.ts"
import { addApp } from "../../../src/apps/add-app.ts"
import { removeApp, setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { drawIcon, iconOf, removeIcon, setIcon, storeIcon } from "../../../src/apps/icon/icon.ts"
import { authorizePath, newVerifier, own, send, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestApp } from "../../support/test-server.ts"
import { png } from "../../support/picture.ts"
import { assertRefused } from "../../support/answers.ts"
import { OPERATOR } from "../../support/test-server.ts"

const BUDGET = "rate_limit.oauth_anonymous"
const byOwner = (userId: string) => ({ ...OPERATOR, owner: { userId: userId as UserId, openSchemes: [] } })

let app: TestApp

const { testServer } = await fixture()

/** Every drawing starts a process, so the icon that all tests use is drawn once. */
const icon = await drawIcon(png(40, 20))
assert.ok(icon.ok)
const drawn = icon.value

beforeEach(async () => {
  app = await testServer.addApp({ verified: true })
  await iconed(app.clientId)
})

async function iconed(id: string): Promise<void> {
  assert.ok((await storeIcon(testServer.latchkey, id, drawn, OPERATOR)).ok)
}

const pathOf = (id: string): string => `/oauth/apps/${id}/icon`

function get(id: string, init: RequestInit = {}): Promise<Response> {
  return fetch(testServer.url + pathOf(id), init)
}

/** Returns everything by which two responses could differ. */
async function whole(answer: Response): Promise<unknown> {
  const headers = [...answer.headers].filter(([name]) => name !== "date" && name !== "x-request-id")
  return { status: answer.status, headers, body: await answer.text() }
}

test("ICON-1, CLIENT-5: the stored icon of a verified app, public, as a picture and nothing else", async () => {
  const answer = await get(app.clientId)
  assert.equal(answer.status, 200)
  const { iconHash } = (await testServer.store.read({ client: app.client.clientId })).client ?? {}
  const expected = {
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
    etag: `"${iconHash}"`,
    "set-cookie": null,
    "access-control-allow-origin": null,
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(answer.headers.get(name), value, name)
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(bytes.toString("latin1", 1, 4), "PNG")
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [256, 256])
  const head = await get(app.clientId, { method: "HEAD" })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get("content-length"), String(bytes.length))
})

test("ICON-1: a current copy gets 304, and an earlier copy gets the new icon", async () => {
  const tag = (await get(app.clientId)).headers.get("etag") ?? ""
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const again = await get(app.clientId, { headers: { "if-none-match": known } })
    assert.equal(again.status, 304, known)
    assert.equal(again.headers.get("etag"), tag)
    assert.equal(await again.text(), "")
  }
  const red = png(30, 30, { color: [200, 0, 0, 255] })
  assert.ok((await setIcon(testServer.latchkey, app.clientId, red, OPERATOR)).ok)
  const changed = await get(app.clientId, { headers: { "if-none-match": tag } })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.get("etag"), tag)
})

describe("ICON-2: without a verified app and an icon there is a 404 that does not say why", () => {
  const absent: Record<string, () => Promise<string> | string> = {
    "an id that no app has": () => "01k3v7m2q8xj5c9d4e6f7g8h9j",
    "what is no id": () => "__proto__",
    "what is far too long for one": () => "a".repeat(5000),
    "an app that is not verified": async () => {
      await updateApp(testServer.latchkey, app.clientId, { verified: false }, OPERATOR)
      return app.clientId
    },
    "a disabled app": async () => {
      await setAppEnabled(testServer.latchkey, app.clientId, false, OPERATOR)
      return app.clientId
    },
    "a verified app without an icon": async () => (await testServer.addApp({ verified: true })).clientId,
    "an app whose icon was taken away": async () => {
      assert.ok((await removeIcon(testServer.latchkey, app.clientId, OPERATOR)).ok)
      return app.clientId
    },
    "a removed app": async () => {
      await removeApp(testServer.latchkey, app.clientId, OPERATOR)
      return app.clientId
    },
  }
  for (const [name, made] of Object.entries(absent)) {
    test(name, async () => {
      const tag = (await get(app.clientId)).headers.get("etag") ?? ""
      const unknown = await whole(await get("01k3v7m2q8xj5c9d4e6f7g8h9j"))
      const id = await made()
      assert.deepEqual(await whole(await get(id)), unknown)
      assert.deepEqual(await whole(await get(id, { headers: { "if-none-match": tag } })), unknown)
      assert.equal((unknown as { status: number }).status, 404)
    })
  }
})

test("ICON-2: verified again or enabled again, it is back, also after a restart", async () => {
  const was = await whole(await get(app.clientId))
  await updateApp(testServer.latchkey, app.clientId, { verified: false }, OPERATOR)
  assert.equal((await get(app.clientId)).status, 404)
  await updateApp(testServer.latchkey, app.clientId, { verified: true, name: "Other" }, OPERATOR)
  await setAppEnabled(testServer.latchkey, app.clientId, false, OPERATOR)
  await setAppEnabled(testServer.latchkey, app.clientId, true, OPERATOR)
  await testServer.restart()
  assert.deepEqual(await whole(await get(app.clientId)), was)
})

test("CLIENT-5: a change of the icon is in the audit trail; an invalid picture changes nothing", async () => {
  const events = () => testServer.store.events({}, { limit: 1 })
  assert.deepEqual(
    (await events()).map(({ kind, clientId, detail }) => ({ kind, clientId, detail })),
    [{ kind: "app-changed", clientId: app.clientId, detail: "icon" }],
  )
  const [newest] = await events()
  const refused = await setIcon(testServer.latchkey, app.clientId, Buffer.from("<svg/>"), OPERATOR)
  assert.equal(refused.ok, false)
  assert.equal((await events())[0]?.id, newest?.id)
  const bare = await testServer.addApp({ name: "Bare" })
  const [registered] = await events()
  assert.equal((await removeIcon(testServer.latchkey, bare.clientId, OPERATOR)).ok, true)
  assert.equal((await events())[0]?.id, registered?.id)
  assert.equal((await get(app.clientId)).status, 200)
  assert.equal(
    (await setIcon(testServer.latchkey, "01k3v7m2q8xj5c9d4e6f7g8h9j", png(1, 1), OPERATOR)).ok,
    false,
  )
})

test("CLIENT-5, SVC-8: an owner gives an app its icon; a new icon ends the verification", async () => {
  const userId = await testServer.addAccount(`owner-${app.clientId}`)
  const by = byOwner(userId)
  const asked = { type: "public", name: "Mine", redirectUris: [], permissions: [] } as const
  const mine = await addApp(testServer.latchkey, asked, by)
  assert.ok(mine.ok)
  const { clientId } = mine.value.client
  const first = await setIcon(testServer.latchkey, clientId, png(10, 10), by)
  assert.ok(first.ok)
  assert.equal((await get(clientId)).status, 404)
  assert.ok((await iconOf(testServer.latchkey, first.value.client)) !== null)
  await updateApp(testServer.latchkey, clientId, { verified: true }, OPERATOR)
  assert.equal((await get(clientId)).status, 200)

  assert.ok((await updateApp(testServer.latchkey, clientId, { stepUp: true }, by)).ok)
  assert.ok((await setIcon(testServer.latchkey, clientId, png(10, 10), by)).ok)
  assert.equal((await get(clientId)).status, 200, "the very icon that was vouched for")
  assert.ok((await setIcon(testServer.latchkey, clientId, png(10, 20), by)).ok)
  assert.equal((await get(clientId)).status, 404)

  assert.equal((await setIcon(testServer.latchkey, app.clientId, png(1, 1), by)).ok, false)
  assert.equal((await removeIcon(testServer.latchkey, app.clientId, by)).ok, false)
  const bare = await removeIcon(testServer.latchkey, clientId, by)
  assert.equal(bare.ok && bare.value.client.iconHash, null)
})

test("CLIENT-5, SVC-8: an owner's pictures are read one at a time, and keep no other owner waiting", async () => {
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map(async (name) => {
      const by = byOwner(await testServer.addAccount(`${name}-${app.clientId}`))
      const asked = { type: "public", name, redirectUris: [], permissions: [] } as const
      const added = await addApp(testServer.latchkey, asked, by)
      assert.ok(added.ok)
      return () => setIcon(testServer.latchkey, added.value.client.clientId, png(10, 10), by)
    }),
  )
  assert.ok(ada !== undefined && bob !== undefined)
  const flood = Array.from({ length: 20 }, ada)
  assert.equal((await bob()).ok, true)
  assert.equal((await Promise.all(flood)).filter(({ ok }) => ok).length, 1)
  assert.equal((await ada()).ok, true, "when it is done, the next one is read")
})

test("ICON-1: nothing but reading is answered there", async () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const answer = await get(app.clientId, { method })
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get("allow"), "GET, HEAD")
  }
})

describe("RATE-1, RATE-4: icons draw on the one budget of their address", () => {
  test("whatever they answer; spent, there is no icon and no token, until the window ends", async () => {
    await testServer.set(BUDGET, "4/60")
    testServer.clock.advance(100_000)
    const tag = (await get(app.clientId)).headers.get("etag") ?? ""
    assert.equal((await get(app.clientId, { headers: { "if-none-match": tag } })).status, 304)
    assert.equal((await get("unknown")).status, 404)
    assert.equal((await send(testServer, "/oauth/token", own(app))).status, 400)
    const spent = await get(app.clientId)
    assert.equal(spent.headers.get("retry-after"), "60")
    const body = (await spent.json()) as Record<string, unknown>
    assertRefused({ status: spent.status, headers: spent.headers, body }, 429, "slow_down")
    assert.equal((await send(testServer, "/oauth/token", own(app))).status, 429)
    testServer.clock.advance(60)
    assert.equal((await get(app.clientId)).status, 200)
    await testServer.set(BUDGET, "off")
  })
})

test("SVC-11, SVC-12, CLIENT-8: the consent page shows the icon of a verified app, a monogram of any other", async () => {
  await testServer.addAccount("ada")
  const browser = await signedInBrowser(testServer, "ada")
  const images = async (of: TestApp) => {
    const { text } = await browser.get(authorizePath(of, newVerifier().challenge))
    assert.match(text, /<svg class="tile"/, "also below an icon (ICON-3)")
    return Array.from(text.matchAll(/<img src="([^"]*)"/g), ([, address]) => address)
  }
  assert.deepEqual(await images(app), [pathOf(app.clientId)])
  await updateApp(testServer.latchkey, app.clientId, { verified: false }, OPERATOR)
  assert.deepEqual(await images(app), [])
  assert.deepEqual(await images(await testServer.addApp({ verified: true })), [])
})

test("ICON-1: the decoder is never loaded into the process that serves", () => {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: readonly string[] }
  assert.ok(sharedObjects.length > 0)
  assert.deepEqual(
    sharedObjects.filter((file) => /sharp|vips/.test(file)),
    [],
  )
})
