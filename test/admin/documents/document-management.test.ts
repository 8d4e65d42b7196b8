import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { DAY, MINUTE } from "../../../src/kernel/time.ts"
import {
  allowDocument,
  denyDocument,
  findDocument,
  listDocuments,
  pinDocument,
  refreshDocument,
  unpinDocument,
} from "../../../src/oauth/documents/document.ts"
import { assertRefused } from "../../support/answers.ts"
import {
  authorizePath,
  exchange,
  newVerifier,
  REDIRECT_URI,
  refresh,
  send,
  signedInBrowser,
} from "../../support/connect.ts"
import { grant, issueCode } from "../../support/grant.ts"
import { setAppEnabled } from "../../../src/apps/app.ts"
import { Signer } from "../../support/signer.ts"
import type { TestApp } from "../../support/test-server.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { openDocumentSite, publish } from "../../oauth/documents/document-app.ts"

const BY = { address: null, actorId: null }
const { challenge } = newVerifier()

const { server, documents } = await openDocumentSite({ accounts: ["ada"] })
let ada = await signedInBrowser(server, "ada")

function services() {
  return { ...server.latchkey, current: () => server.latchkey.settings.current() }
}

async function stateOf({ clientId }: TestApp) {
  const found = await findDocument(services(), clientId)
  assert.ok(found.ok)
  return found.value
}

const fetches = (path: string) => documents.asked.filter((asked) => asked === path).length
const statusFor = async (app: TestApp) => (await ada.get(authorizePath(app, challenge))).status

function documentOf(clientId: string, more: object = {}): string {
  return JSON.stringify({
    client_id: clientId,
    client_name: "Pinned",
    redirect_uris: [REDIRECT_URI],
    ...more,
  })
}

describe("CD-11 the record of a document", () => {
  test("CD-11 says where it comes from, what went wrong, what comes next, and who holds credentials", async () => {
    const app = publish(documents, "/record", {}, { "cache-control": "max-age=600" })
    await grant(server, ada, app)
    const now = server.clock.now()
    assert.deepEqual(await stateOf(app), {
      client_id: app.clientId,
      client_name: "Paperclip",
      host: `app.documents.test:${documents.port}`,
      state: "fresh",
      fetched_at: now,
      next_fetch_at: now + 600,
      last_error: null,
      left_out: [],
      credentials: 1,
    })
    server.clock.advance(601)
    assert.equal((await stateOf(app)).state, "stale")
    documents.fail("/record", 503)
    assert.equal(await statusFor(app), 200)
    const failing = await stateOf(app)
    assert.equal(failing.state, "failing")
    assert.equal(failing.last_error, "The host answered with status 503.")
    assert.equal(failing.next_fetch_at, server.clock.now() + 30)
    const listed = await listDocuments(services(), { limit: 10 })
    assert.deepEqual(listed, [failing])
  })

  test("CD-11 an operator's refresh asks at once, whatever failed before, and says what happened", async () => {
    const app = publish(documents, "/ask")
    await grant(server, ada, app)
    documents.fail("/ask", 500)
    const failed = await refreshDocument(services(), app.clientId)
    assert.ok(failed.ok)
    assert.equal(failed.value.state, "failing")
    publish(documents, "/ask", { client_name: "Renamed" })
    const renamed = await refreshDocument(services(), app.clientId)
    assert.ok(renamed.ok)
    assert.deepEqual([renamed.value.state, renamed.value.client_name], ["fresh", "Renamed"])
    assert.equal(fetches("/ask"), 3)
    const unknown = await refreshDocument(services(), documents.url("/never"))
    assert.ok(!unknown.ok)
  })
})

describe("CD-13 a pinned document", () => {
  test("CD-13 stays pinned if a refresh was under way", async () => {
    const app = publish(documents, "/late")
    await grant(server, ada, app)
    documents.on("/late", (_, response) => {
      void pinDocument(services(), app.clientId, documentOf(app.clientId), BY).then(() => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(documentOf(app.clientId, { client_name: "Late" }))
      })
    })
    const refused = await refreshDocument(services(), app.clientId)
    assert.deepEqual(refused, { ok: false, error: "The document is pinned, so it is not fetched." })
    assert.equal((await stateOf(app)).client_name, "Pinned")
  })

  test("CD-13 serves without any request, known before or not, whatever its host", async () => {
    const url = "https://unlisted.example/client.json"
    const app: TestApp = { ...publish(documents, "/unused"), clientId: url }
    assert.equal(await statusFor(app), 400)
    const pinned = await pinDocument(services(), url, documentOf(url), BY)
    assert.ok(pinned.ok)
    assert.equal(pinned.value.state, "pinned")
    const earlier = documents.asked.length
    server.clock.advance(30 * DAY)
    ada = await signedInBrowser(server, "ada")
    const held = await grant(server, ada, app)
    assert.equal((await refresh(server, app, held.refresh_token)).status, 200)
    assert.equal(documents.asked.length, earlier)
    const refused = await refreshDocument(services(), url)
    assert.ok(!refused.ok)
  })

  test("CD-13 replaces the copy, and is fetched again once it is unpinned", async () => {
    const app = publish(documents, "/pin")
    await grant(server, ada, app)
    const other = documentOf(app.clientId, { redirect_uris: ["https://pinned.example/callback"] })
    assert.ok((await pinDocument(services(), app.clientId, other, BY)).ok)
    assert.equal(await statusFor(app), 400)
    server.clock.advance(5 * MINUTE)
    assert.ok((await unpinDocument(services(), app.clientId, BY)).ok)
    assert.equal(await statusFor(app), 200)
    assert.equal(fetches("/pin"), 2)
  })

  test("CD-13 stays pinned after it was denied and allowed", async () => {
    const url = "https://denied-pin.example/client.json"
    assert.ok((await pinDocument(services(), url, documentOf(url), BY)).ok)
    const denied = await denyDocument(services(), url, BY)
    assert.ok(denied.ok)
    assert.ok(!(await setAppEnabled(services(), url, true, { ...BY, owner: null })).ok)
    assert.equal(denied.value.state, "denied")
    const allowed = await allowDocument(services(), url, BY)
    assert.ok(allowed.ok)
    assert.equal(allowed.value.state, "pinned")
  })

  test("CD-12 is refused where it has given up the key of its app, until that is allowed", async () => {
    const url = "https://key-pin.example/client.json"
    const keyed = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://key-pin.example/keys" }
    assert.ok((await pinDocument(services(), url, documentOf(url, keyed), BY)).ok)
    const refused = await pinDocument(services(), url, documentOf(url), BY)
    assert.ok(!refused.ok)
    assert.match(refused.error, /no longer has a key/)
    assert.ok((await allowDocument(services(), url, BY)).ok)
    assert.ok((await pinDocument(services(), url, documentOf(url), BY)).ok)
  })

  test("CD-13 passes the rules of every document", async () => {
    const url = "https://rules.example/client.json"
    for (const text of [
      "",
      "[]",
      documentOf("https://rules.example/other.json"),
      documentOf(url, { redirect_uris: ["javascript:alert(1)"] }),
      documentOf(url, { client_secret: "x" }),
      documentOf(url, { more: "x".repeat(5 * 1024) }),
    ])
      assert.ok(!(await pinDocument(services(), url, text, BY)).ok, text.slice(0, 60))
    assert.ok(!(await findDocument(services(), url)).ok)
  })
})

describe("CD-13 a denied document", () => {
  test("CD-13 ends authorizations, refreshes and introspection at once, until it is allowed", async () => {
    const app = publish(documents, "/deny")
    const held = await grant(server, ada, app)
    assert.ok((await denyDocument(services(), app.clientId, BY)).ok)
    const earlier = fetches("/deny")
    const page = await ada.get(authorizePath(app, challenge))
    assert.equal(page.status, 400)
    assert.match(textOf(page.text), /not allowed here/)
    assertRefused(await refresh(server, app, held.refresh_token), 401, "invalid_client")
    assert.equal(fetches("/deny"), earlier)
    assert.ok((await allowDocument(services(), app.clientId, BY)).ok)
    assert.equal((await refresh(server, app, held.refresh_token)).status, 200)
    assert.equal(await statusFor(app), 200)
  })

  test("CD-13 is refused before it was ever fetched, and forgotten once it is allowed", async () => {
    const app = publish(documents, "/deny-first")
    assert.ok((await denyDocument(services(), app.clientId, BY)).ok)
    assert.equal(await statusFor(app), 400)
    assert.equal(fetches("/deny-first"), 0)
    assert.ok((await allowDocument(services(), app.clientId, BY)).ok)
    assert.ok(!(await findDocument(services(), app.clientId)).ok)
    assert.equal(await statusFor(app), 200)
    assert.deepEqual(await server.store.verify(), [])
  })
})

describe("CD-12 a document that declares a key", () => {
  test("CD-12 is held to it on every endpoint, and does not go back to none by itself", async () => {
    const signer = await Signer.make()
    const keyed = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: documents.url("/keys") }
    documents.serve("/keys", { keys: [signer.publicJwk] })
    const app = publish(documents, "/keyed", keyed)
    const { code, verifier } = await issueCode(ada, app)
    assertRefused(await exchange(server, app, code, verifier), 401, "invalid_client")
    const proof = () => signer.authenticates(app.clientId, server.issuer, server.clock.now())
    const held = await exchange(server, app, code, verifier, await proof())
    assert.equal(held.status, 200)
    const refresh_token = held.body["refresh_token"] as string
    assertRefused(await refresh(server, app, refresh_token), 401, "invalid_client")

    publish(documents, "/keyed", { token_endpoint_auth_method: "none" })
    server.clock.advance(2 * 60 * MINUTE)
    assert.equal(await statusFor(app), 200)
    assert.match((await stateOf(app)).last_error ?? "", /gave up its key/)
    assertRefused(await refresh(server, app, refresh_token), 401, "invalid_client")
    const again = await refresh(server, app, refresh_token, await proof())
    assert.equal(again.status, 200)

    assert.ok((await allowDocument(services(), app.clientId, BY)).ok)
    server.clock.advance(MINUTE)
    assert.equal(await statusFor(app), 200)
    assert.equal((await stateOf(app)).last_error, null)
    assert.equal((await refresh(server, app, again.body["refresh_token"] as string)).status, 200)
    const { client } = await server.store.read({ client: app.clientId as ClientId })
    assert.equal(client?.type, "public")
  })

  test("CD-12 that gains a key demands it from credentials of before, too", async () => {
    const signer = await Signer.make()
    const app = publish(documents, "/gains")
    const held = await grant(server, ada, app)
    publish(documents, "/gains", {
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [signer.publicJwk] },
    })
    server.clock.advance(2 * 60 * MINUTE)
    assert.match(textOf((await ada.get(authorizePath(app, challenge))).text), /it changed the keys/)
    assertRefused(await refresh(server, app, held.refresh_token), 401, "invalid_client")
    assertRefused(
      await send(server, "/oauth/revoke", { client_id: app.clientId, token: held.access_token }),
      401,
      "invalid_client",
    )
    const proof = await signer.authenticates(app.clientId, server.issuer, server.clock.now())
    assert.equal((await refresh(server, app, held.refresh_token, proof)).status, 200)
  })
})
