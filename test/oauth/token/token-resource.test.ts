import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId } from "../../../src/kernel/ids.ts"
import type { Browser } from "../../support/browser.ts"
import {
  authorizePath,
  codeFor,
  exchange,
  newVerifier,
  own,
  refresh,
  send,
  signedInBrowser,
} from "../../support/connect.ts"
import { answerDevice, DEVICE_GRANT, fetched, openCode, startDevice } from "../device/device.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { call, introspected } from "../../support/signed-in.ts"
import { eventKinds } from "../../support/stored.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { assertRefused } from "../../support/answers.ts"

const FILES = "https://files.example/"
const MAIL = "https://mail.example/api"
const OTHER = "https://other.example/"

let ada: Browser

const { testServer, app, server } = await fixture({
  resourceServers: new Map([
    [FILES, { name: "Team files", jwt: null }],
    [MAIL, { name: MAIL, jwt: null }],
  ]),
  rateLimit: "off",
  accounts: ["ada"],
  apps: { app: {}, server: { type: "confidential", resourceServer: true } },
})
await testServer.addServiceAccount("ci")
const bound = await testServer.addBoundApp("ci")
beforeEach(async () => {
  testServer.clock.advance(60)
  ada = await signedInBrowser(testServer, "ada")
})

async function audience(body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const answer = await introspected(testServer, server, String(body["access_token"]))
  assert.equal(answer.body["active"], true)
  return answer.body["aud"]
}

function authorized(resources: readonly string[]) {
  const path = authorizePath(app, newVerifier().challenge)
  return ada.get(`${path}${resources.map((one) => `&resource=${encodeURIComponent(one)}`).join("")}`)
}

describe("RES-1: the operator's list of resource servers", () => {
  test("a listed resource and the base URL are known, another one is invalid_target at authorize", async () => {
    const known = [FILES, MAIL, testServer.issuer, `${testServer.issuer}/`]
    const consent = await authorized(known)
    assert.equal(consent.status, 200)
    assert.ok(textOf(consent.text).includes(`Works at Team files and ${MAIL}`))
    assert.doesNotMatch(textOf((await authorized([])).text), /Works at/)
    for (const resources of [[OTHER], [FILES, OTHER], ["https://files.example/x"]]) {
      const back = new URL((await authorized(resources)).location ?? "")
      assert.equal(back.searchParams.get("error"), "invalid_target", resources.join(" "))
    }
  })

  test("so it is for client_credentials", async () => {
    const ask = (resource: string) =>
      send(testServer, "/oauth/token", { ...own(bound), grant_type: "client_credentials", resource })
    assert.deepEqual(await audience((await ask(FILES)).body), [FILES])
    assertRefused(await ask(OTHER), 400, "invalid_target")
  })

  test("so it is for a device authorization, and the page names the servers", async () => {
    const ask = (resource: string) =>
      send(testServer, "/oauth/device-authorization", { ...own(app), resource })
    for (const resource of [OTHER, "files#x"]) assertRefused(await ask(resource), 400, "invalid_target")
    const { userCode } = await startDevice(testServer, app, { resource: FILES })
    const page = await openCode(ada, userCode)
    assert.ok(textOf(page.text).includes("Works at Team files"))
  })

  test("without a list any is known", async (t) => {
    const { testServer: open } = await fixture({ accounts: ["bob"], span: t })
    const bob = await signedInBrowser(open, "bob")
    const held = await grant(open, bob, await open.addApp(), { resource: OTHER })
    assert.notEqual(held.access_token, "")
  })
})

describe("RES-2: a token request narrows the audience of its access token", () => {
  test("a refresh, and the one after it has the audience of the consent again", async () => {
    const first = await granted([FILES, MAIL])
    assert.deepEqual(await audience(first), [FILES, MAIL])
    const second = (await refresh(testServer, app, String(first["refresh_token"]), { resource: MAIL })).body
    assert.deepEqual(await audience(second), [MAIL])
    assert.deepEqual(await audience(first), [FILES, MAIL])
    await testServer.restart()
    assert.deepEqual(await audience(second), [MAIL])
    const third = (await refresh(testServer, app, String(second["refresh_token"]), { scope: "files:read" }))
      .body
    assert.deepEqual(await audience(third), [FILES, MAIL])
    assert.deepEqual(await testServer.store.verify(), [])
  })

  test("with a narrower scope at once", async () => {
    const first = await granted([FILES, MAIL])
    const narrow = { resource: FILES, scope: "account:read" }
    const second = (await refresh(testServer, app, String(first["refresh_token"]), narrow)).body
    assert.deepEqual([second["scope"], await audience(second)], ["account:read", [FILES]])
  })

  test("RES-2, CRED-6 a repeat that names a resource gets the pair only with the audience that was answered first", async () => {
    const [none, one] = [await granted([]), await granted([FILES, MAIL])]
    const cases = [
      // The first answer is valid everywhere, so a repeat for one server would get more than it asks for.
      { held: none, first: null, refused: [[FILES], [FILES, MAIL]], repeated: [null] },
      { held: none, first: FILES, refused: [[MAIL], [FILES, MAIL]], repeated: [null, [FILES]] },
      { held: one, first: MAIL, refused: [[FILES], [MAIL, FILES]], repeated: [null, [MAIL]] },
      {
        held: one,
        first: null,
        refused: [[FILES], [MAIL]],
        repeated: [null, [MAIL, FILES], [FILES, MAIL, FILES]],
      },
    ] as const
    const held = new Map<object, string>()
    for (const { held: of, first, refused, repeated } of cases) {
      const token = held.get(of) ?? String(of["refresh_token"])
      const answer = await refresh(testServer, app, token, first === null ? {} : { resource: first })
      const earlier = await stored(of)
      for (const resources of refused)
        assertRefused(await refreshFor(token, resources), 400, "invalid_target")
      assert.deepEqual(await stored(of), earlier)
      for (const resources of repeated)
        assert.equal((await refreshFor(token, resources)).body["access_token"], answer.body["access_token"])
      held.set(of, String(answer.body["refresh_token"]))
      testServer.clock.advance(120)
    }
  })

  test("an exchange; and the service's own API heeds it", async () => {
    const { verifier, challenge } = newVerifier()
    const code = await codeFor(ada, app, challenge)
    const answer = await exchange(testServer, app, code, verifier, { resource: FILES })
    assert.deepEqual(await audience(answer.body), [FILES])
    assert.equal((await call(testServer, "/api/account", String(answer.body["access_token"]))).status, 401)
    const next = (await refresh(testServer, app, String(answer.body["refresh_token"]))).body
    assert.equal(await audience(next), undefined)
    assert.equal((await call(testServer, "/api/account", String(next["access_token"]))).status, 200)
  })

  test("a device: the credential keeps the audience of its request, and a poll narrows that of the first token", async () => {
    const plain = await startDevice(testServer, app, { resource: FILES })
    await answerDevice(ada, plain, "authorize")
    const first = { ...(await fetched(testServer, app, plain)) }
    assert.deepEqual(await audience(first), [FILES])
    const second = (await refresh(testServer, app, first.refresh_token)).body
    assert.deepEqual(await audience(second), [FILES])

    const narrowed = await startDevice(testServer, app)
    await answerDevice(ada, narrowed, "authorize")
    const ask = (resource: string) =>
      send(testServer, "/oauth/token", {
        ...own(app),
        grant_type: DEVICE_GRANT,
        device_code: narrowed.deviceCode,
        resource,
      })
    for (const resource of [OTHER, "files#x"]) assertRefused(await ask(resource), 400, "invalid_target")
    const third = (await ask(MAIL)).body
    assert.deepEqual(await audience(third), [MAIL])
    const fourth = (await refresh(testServer, app, String(third["refresh_token"]))).body
    assert.equal(await audience(fourth), undefined)
    assert.deepEqual(await testServer.store.verify(), [])
  })

  test("what was not granted, is unknown or malformed is invalid_target, and nothing is consumed", async () => {
    const { verifier, challenge } = newVerifier()
    const code = await codeFor(ada, app, challenge, { resource: FILES })
    for (const resource of [MAIL, OTHER, testServer.issuer, "files#x"])
      assertRefused(await exchange(testServer, app, code, verifier, { resource }), 400, "invalid_target")
    const first = (await exchange(testServer, app, code, verifier, { resource: FILES })).body
    const token = String(first["refresh_token"])
    for (const resource of [MAIL, OTHER, "files#x"])
      assertRefused(await refresh(testServer, app, token, { resource }), 400, "invalid_target")
    const second = (await refresh(testServer, app, token)).body
    assertRefused(await refresh(testServer, app, token, { resource: MAIL }), 400, "invalid_target")
    assert.equal(
      (await refresh(testServer, app, token, { resource: FILES })).body["access_token"],
      second["access_token"],
    )
  })
})

/** Returns what is stored of a credential, and every event. */
async function stored(of: Readonly<Record<string, unknown>>) {
  const { credential } = await testServer.store.read({ credential: of["token_id"] as TokenId })
  return { credential, events: await eventKinds(testServer) }
}

/** Refreshes and names resources, or none. */
function refreshFor(token: string, resources: readonly string[] | null) {
  const form = { ...own(app), grant_type: "refresh_token", refresh_token: token }
  const named = (resources ?? []).map((one) => `&resource=${encodeURIComponent(one)}`)
  return send(testServer, "/oauth/token", `${new URLSearchParams(form).toString()}${named.join("")}`)
}

async function granted(resources: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { verifier, challenge } = newVerifier()
  const query = resources.map((one) => `&resource=${encodeURIComponent(one)}`).join("")
  const page = await ada.get(`${authorizePath(app, challenge)}${query}`)
  const answer = await ada.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
  return (await exchange(testServer, app, code, verifier)).body
}
