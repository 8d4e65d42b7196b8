/** Tests real clients that have a document. Their libraries know only the URL of this service. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { called, connected, Program } from "../../clients/mcp-program.ts"
import { served } from "../../clients/mcp-sdk.ts"
import {
  connectIn,
  decide,
  newVerifier,
  REDIRECT_URI,
  refresh,
  signedInBrowser,
} from "../../support/connect.ts"
import { CERTIFICATE } from "../../support/document-server.ts"
import { addAccount } from "../../support/seed.ts"
import { Signer } from "../../support/signer.ts"
import { latchkey, newDirectory, SpawnedServer } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"
import { systemClock } from "../../../src/kernel/clock.ts"
import { openDocumentSite, publish } from "./document-app.ts"

const { server, documents } = await openDocumentSite({
  // The libraries sign and check with the clock of the machine.
  clock: { ...systemClock, advance: () => undefined, setWall: () => undefined },
  permissions: { "notes:read": { title: "Read notes" }, "notes:write": { title: "Change notes" } },
  accounts: ["ada"],
})
await server.set("registration.permissions", "account:read notes:read notes:write")
const { settings } = server.latchkey
await until(async () => (await settings.current()).openPermissions?.length === 3, "settings are in force")
const ada = await signedInBrowser(server, "ada")

const insecure = { [oauth.allowInsecureRequests]: true }

async function discovered(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server.issuer)
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
  return oauth.processDiscoveryResponse(issuer, response)
}

async function connectBy(clientId: string, authentication: oauth.ClientAuth) {
  const service = await discovered()
  assert.equal(service["client_id_metadata_document_supported"], true)
  const client = { client_id: clientId }
  const { verifier, challenge } = newVerifier()
  const address = new URL(service.authorization_endpoint ?? "")
  address.search = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  }).toString()
  const returned = oauth.validateAuthResponse(service, client, await decide(ada, address, "authorize"), "s")
  const answer = await oauth.authorizationCodeGrantRequest(
    service,
    client,
    authentication,
    returned,
    REDIRECT_URI,
    verifier,
    insecure,
  )
  const first = await oauth.processAuthorizationCodeResponse(service, client, answer)
  const refreshed = await oauth.refreshTokenGrantRequest(
    service,
    client,
    authentication,
    first.refresh_token ?? "",
    insecure,
  )
  const second = await oauth.processRefreshTokenResponse(service, client, refreshed)
  const revoked = await oauth.revocationRequest(
    service,
    client,
    authentication,
    second.access_token,
    insecure,
  )
  await oauth.processRevocationResponse(revoked)
  return second
}

test("CD-6 oauth4webapi connects, refreshes and revokes as a client by document", async () => {
  const app = publish(documents, "/oauth4webapi")
  assert.ok((await connectBy(app.clientId, oauth.None())).refresh_token)
})

test("CD-12 oauth4webapi does so with a private key, as ChatGPT's document has it", async () => {
  const signer = await Signer.make("RS256")
  documents.serve("/chatgpt-keys", { keys: [signer.publicJwk] })
  const app = publish(documents, "/chatgpt", {
    client_name: "ChatGPT",
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    token_endpoint_auth_signing_alg: "RS256",
    jwks_uri: documents.url("/chatgpt-keys"),
  })
  const key = oauth.PrivateKeyJwt({ key: signer.privateKey, kid: signer.kid })
  assert.ok((await connectBy(app.clientId, key)).refresh_token)
  await assert.rejects(connectBy(app.clientId, oauth.None()), { status: 401 })
})

test("CD-6 openid-client connects and refreshes as a client by document", async () => {
  const app = publish(documents, "/openid-client")
  const config = await openid.discovery(new URL(server.issuer), app.clientId, undefined, openid.None(), {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  })
  const { verifier, challenge } = newVerifier()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  })
  const returned = await decide(ada, address, "authorize")
  const tokens = await openid.authorizationCodeGrant(config, returned, {
    pkceCodeVerifier: verifier,
    expectedState: "s",
  })
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "")
  assert.notEqual(next.refresh_token, tokens.refresh_token)
})

test("CD-1 the MCP SDK takes the URL of its document in place of a registration, and calls a tool", async (t) => {
  const program = Object.assign(new Program(), { clientMetadataUrl: "" })
  const app = publish(documents, "/mcp", { ...program.clientMetadata, client_name: "MCP client" })
  program.clientMetadataUrl = app.clientId
  await server.set("registration.open", "on")
  const api = await server.addApp({ type: "confidential", resourceServer: true })
  const url = await served({ url: server.issuer, resourceServer: api, span: t })
  const client = await connected(program, url, ada)
  const { username } = (await called(client, "list_notes")) as { username: string }
  await client.close()
  assert.equal(username, "ada")
  assert.equal((program.registered as { client_id: string } | undefined)?.client_id, app.clientId)
  const names = (await server.store.clients({ limit: 100 }, { registeredBy: "itself" })).map(
    ({ name }) => name,
  )
  assert.deepEqual(names, [])
})

test("CD-6, CD-11, OUT-3 the served command reaches a named host on loopback by its configuration", async (t) => {
  const dir = newDirectory(t)
  writeFileSync(join(dir, "ca.pem"), CERTIFICATE)
  writeFileSync(
    join(dir, "latchkey.yaml"),
    "outgoing: { allowed_ranges: [127.0.0.0/8, '::1/128'], ca_file: ca.pem }\n",
  )
  await addAccount(dir, "alice")
  for (const [key, value] of [
    ["clients.documents", "on"],
    ["clients.document_domains", "localhost"],
  ] as const)
    assert.equal((await latchkey(["setting", "set", key, value, "--data", dir])).code, 0)
  const running = await SpawnedServer.start(t, dir)
  const clientId = documents.url("/served", "localhost")
  documents.serve("/served", { client_id: clientId, client_name: "Served", redirect_uris: [REDIRECT_URI] })
  const app = { clientId, secret: null }
  const alice = await signedInBrowser(running, "alice")
  const held = await connectIn(alice, running, app)
  documents.fail("/served", 503)
  assert.equal((await refresh(running, app, held.refresh_token)).status, 200)
  const shown = await latchkey(["document", "refresh", clientId, "--data", dir, "--json"])
  assert.equal(shown.code, 0)
  const record = JSON.parse(shown.stdout) as Record<string, unknown>
  assert.deepEqual([record["state"], record["credentials"]], ["failing", 1])
  assert.equal(record["last_error"], "The host answered with status 503.")
})
