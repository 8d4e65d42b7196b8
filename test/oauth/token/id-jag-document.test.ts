/** An app by document connects by the word of an organization, before any person saw a consent page. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { linkAccount } from "../../../src/accounts/providers/link.ts"
import { CREDENTIAL_SECONDS } from "../../../src/kernel/limits.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { DAY } from "../../../src/kernel/time.ts"
import type { SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { denyDocument } from "../../../src/oauth/documents/document.ts"
import { assertRefused } from "../../support/answers.ts"
import { testClock } from "../../support/clock.ts"
import { send } from "../../support/connect.ts"
import { CERTIFICATE, LOOPBACK_ALLOWED } from "../../support/document-server.ts"
import { IdentityProvider } from "../../support/identity-provider.ts"
import { PROVIDER_CA, providerAt } from "../../support/oidc.ts"
import { Signer } from "../../support/signer.ts"
import { wholeFile } from "../../support/spawn.ts"
import { OPERATOR, type TestApp } from "../../support/test-server.ts"
import { openDocumentSite, publish } from "../documents/document-app.ts"

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
const clock = testClock()
const idp = await IdentityProvider.open(() => clock.now())
wholeFile().after(() => idp.host.close())
const providers = new Map<string, SignInProvider>()
const { server, documents } = await openDocumentSite({
  rateLimit: "off",
  clock,
  providers,
  accounts: ["ada"],
  outgoing: { ...LOOPBACK_ALLOWED, certificates: CERTIFICATE + PROVIDER_CA },
})
const keys = await Signer.make()
const withKeys = (signer: Signer) => ({
  token_endpoint_auth_method: "private_key_jwt",
  jwks: { keys: [signer.publicJwk] },
})

function list(...apps: readonly TestApp[]): SignInProvider {
  const clients = apps.map(({ clientId }) => clientId as ClientId)
  const assertions = { clients, permissions: ["files:read"] as never }
  const entry = providerAt(idp.url, { name: "work", label: "Acme", assertions })
  providers.set("work", entry)
  return entry
}
assert.ok((await linkAccount(server.latchkey, list(), "ada", "ada", OPERATOR)).ok)

async function ask({ clientId }: TestApp, signer = keys, more: Readonly<Record<string, string>> = {}) {
  const claims = { aud: server.url, sub: "ada", resource: "https://notes.example/mcp", client_id: clientId }
  return send(server, "/oauth/token", {
    ...(await signer.authenticates(clientId, server.url, clock.now())),
    client_id: clientId,
    grant_type: GRANT,
    assertion: await idp.assertion(claims),
    ...more,
  })
}

/** Returns the paths that were asked for since the last call. */
const asked = () => documents.asked.splice(0)
const stored = async ({ clientId }: TestApp) =>
  (await server.store.read({ client: clientId as ClientId })).client

test("ORG-2, CD-6 the first request of a listed app fetches its document, stores it and is answered", async () => {
  const app = publish(documents, "/first.json", withKeys(keys))
  list(app)
  assertRefused(await ask(app, keys, { grant_type: "client_credentials" }), 401, "invalid_client")
  assert.deepEqual(asked(), [], "another grant type fetches nothing")
  const answer = await ask(app)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.body["scope"], "workers:read files:read")
  assert.equal((await ask(app)).status, 200)
  assert.deepEqual(asked(), ["/first.json"], "a fresh copy is used")
  const client = await stored(app)
  assert.equal(client?.registeredBy, "document")
  assert.ok((client?.deleteAfter ?? 0) > clock.now() + CREDENTIAL_SECONDS, "as after a consent")
})

test("ORG-2, CD-7 keys in the document and at jwks_uri turn with it", async () => {
  const inline = publish(documents, "/inline.json", withKeys(keys))
  documents.serve("/keys.json", { keys: [keys.publicJwk] })
  const jwks_uri = documents.url("/keys.json")
  const elsewhere = publish(documents, "/elsewhere.json", {
    token_endpoint_auth_method: "private_key_jwt",
    jwks_uri,
  })
  list(inline, elsewhere)
  for (const app of [inline, elsewhere]) assert.equal((await ask(app)).status, 200)
  const next = await Signer.make()
  publish(documents, "/inline.json", withKeys(next))
  documents.serve("/keys.json", { keys: [next.publicJwk] })
  clock.advance(DAY + 1)
  for (const app of [inline, elsewhere]) {
    assert.equal((await ask(app, next)).status, 200)
    assertRefused(await ask(app, keys), 401, "invalid_client")
  }
  asked()
})

test("ORG-2, CD-8 no stranger causes a request, and what the operator does not admit stays refused", async () => {
  const stranger = publish(documents, "/stranger.json", withKeys(keys))
  const denied = publish(documents, "/denied.json", withKeys(keys))
  const thief = publish(documents, "/thief.json", withKeys(keys))
  const open = publish(documents, "/open.json")
  list(denied, thief, open)
  assert.ok((await denyDocument(server.latchkey, denied.clientId, OPERATOR)).ok)
  for (const app of [stranger, denied]) assertRefused(await ask(app), 401, "invalid_client")
  assert.deepEqual(asked(), [])
  assert.equal(await stored(stranger), null)
  for (let count = 0; count < 3; count += 1)
    assertRefused(await ask(thief, await Signer.make()), 401, "invalid_client")
  assert.deepEqual(asked(), ["/thief.json"], "wrong keys cost one request")
  const proof = { client_id: open.clientId, grant_type: GRANT, assertion: "x" }
  assertRefused(await send(server, "/oauth/token", proof), 400, "unauthorized_client")
  providers.clear()
  assertRefused(await ask(publish(documents, "/late.json", withKeys(keys))), 401, "invalid_client")
  assert.deepEqual(asked(), ["/open.json"])
})
