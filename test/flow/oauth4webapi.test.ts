/** The whole code flow through oauth4webapi, which checks every answer against the RFCs, against the real command. */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import * as oauth from "oauth4webapi"
import { type AppIdentity, decide, REDIRECT_URI, signedInBrowser } from "../support/connect.ts"
import { addAccount, addApp, addResourceServer } from "../support/furnish.ts"
import { newDirectory, SpawnedServer, wholeFile } from "../support/spawn.ts"

/** The one relaxation: plain http, because the server is on loopback. */
const plainHttp = { [oauth.allowInsecureRequests]: true }

type ClientKind = { readonly app: AppIdentity; readonly authentication: oauth.ClientAuth }

const file = wholeFile()
let server: SpawnedServer
let service: oauth.AuthorizationServer
let clients: Readonly<Record<"public" | "basic" | "post" | "resourceServer", ClientKind>>

before(async () => {
  const dir = newDirectory(file)
  await addAccount(dir, "alice")
  const basic = await addApp(dir, { type: "confidential", name: "Ba:sic" })
  const post = await addApp(dir, { type: "confidential" })
  const resourceServer = await addResourceServer(dir)
  clients = {
    public: { app: await addApp(dir, { type: "public" }), authentication: oauth.None() },
    basic: { app: basic, authentication: oauth.ClientSecretBasic(basic.secret ?? "") },
    post: { app: post, authentication: oauth.ClientSecretPost(post.secret ?? "") },
    resourceServer: {
      app: resourceServer,
      authentication: oauth.ClientSecretBasic(resourceServer.secret ?? ""),
    },
  }
  server = await SpawnedServer.start(file, dir)
  const issuer = new URL(server.url)
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plainHttp })
  service = await oauth.processDiscoveryResponse(issuer, response)
})

test("SVC-1, DISC-1, DISC-3, DISC-4: the metadata pass the library's checks and name what it needs", () => {
  assert.equal(service.issuer, server.url)
  assert.equal(service.authorization_response_iss_parameter_supported, true)
  assert.deepEqual(service.code_challenge_methods_supported, ["S256"])
  assert.equal(service.registration_endpoint, undefined)
  assert.equal(service.authorization_endpoint, `${server.url}/oauth/authorize`)
  assert.equal(service.token_endpoint, `${server.url}/oauth/token`)
  assert.equal(service.revocation_endpoint, `${server.url}/oauth/revoke`)
  assert.equal(service.introspection_endpoint, `${server.url}/oauth/introspect`)
})

test("DISC-2: the protected resource's metadata lead to the service", async () => {
  const resource = new URL(server.url)
  const response = await oauth.resourceDiscoveryRequest(resource, plainHttp)
  const metadata = await oauth.processResourceDiscoveryResponse(resource, response)
  assert.deepEqual(metadata.authorization_servers, [server.url])
})

test("SVC-1, SVC-3, AUTH-2, TOKEN-5: a public app gets through the whole flow", () =>
  wholeFlow(clients.public))

test("SVC-1, TOKEN-4, AUTH-3: a confidential app with HTTP Basic gets through the whole flow", () =>
  wholeFlow(clients.basic))

test("SVC-1, TOKEN-4, AUTH-3: a confidential app with its secret in the body gets through the whole flow", () =>
  wholeFlow(clients.post))

test("AUTHZ-11: refused consent is the library's own authorization error", async () => {
  const asked = await askFor(clients.public)
  const returned = await decide(await signedInBrowser(server, "alice"), asked.address, "refuse")
  assert.throws(
    () => oauth.validateAuthResponse(service, client(clients.public), returned, asked.state),
    (error) => error instanceof oauth.AuthorizationResponseError && error.error === "access_denied",
  )
})

test("AUTHZ-4, ERR-12: an answer with another issuer, without one, or with another state is not taken", async () => {
  const asked = await askFor(clients.public)
  const returned = await decide(await signedInBrowser(server, "alice"), asked.address, "authorize")
  const altered = (change: (parameters: URLSearchParams) => void) => {
    const url = new URL(returned)
    change(url.searchParams)
    return () => oauth.validateAuthResponse(service, client(clients.public), url, asked.state)
  }
  assert.doesNotThrow(altered(() => undefined))
  assert.throws(
    altered((parameters) => parameters.set("iss", "https://id.example")),
    oauth.OperationProcessingError,
  )
  assert.throws(
    altered((parameters) => parameters.delete("iss")),
    oauth.OperationProcessingError,
  )
  assert.throws(
    altered((parameters) => parameters.set("state", "other")),
    oauth.OperationProcessingError,
  )
})

test("AUTH-5, ERR-2: a code is no good with another verifier, in the library's own error", async () => {
  const asked = await askFor(clients.public)
  const returned = await decide(await signedInBrowser(server, "alice"), asked.address, "authorize")
  const wrong = { ...asked, verifier: oauth.generateRandomCodeVerifier() }
  await assert.rejects(exchange(clients.public, wrong, returned), isRefusal("invalid_grant"))
})

test("ERR-1: a wrong secret is invalid_client, in the library's own error", async () => {
  const wrong = { app: clients.basic.app, authentication: oauth.ClientSecretBasic("lks_wrong") }
  const asked = await askFor(wrong)
  const returned = await decide(await signedInBrowser(server, "alice"), asked.address, "authorize")
  await assert.rejects(
    exchange(wrong, asked, returned),
    (error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401,
  )
})

async function wholeFlow(kind: ClientKind): Promise<void> {
  const asked = await askFor(kind)
  const returned = await decide(await signedInBrowser(server, "alice"), asked.address, "authorize")
  const first = await exchange(kind, asked, returned)
  assert.equal(first.scope, "account:read credentials:read")
  assert.equal(await usernameBehind(first.access_token), "alice")
  assert.equal((await introspected(first.access_token)).active, true)

  const second = await refreshed(kind, first.refresh_token)
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.notEqual(second.access_token, first.access_token)
  assert.equal(await usernameBehind(second.access_token), "alice")
  const narrow = await refreshed(kind, second.refresh_token, "account:read")
  assert.equal(narrow.scope, "account:read")
  await assert.rejects(refreshed(kind, narrow.refresh_token, "admin:events"), isRefusal("invalid_scope"))

  const told = await introspected(narrow.access_token)
  assert.equal(told.client_id, kind.app.clientId)
  assert.equal(told.scope, "account:read")
  assert.equal(told.username, "alice")
  await revoke(kind, narrow.refresh_token)
  assert.deepEqual(await introspected(narrow.access_token), { active: false })
  await assert.rejects(usernameBehind(narrow.access_token), oauth.WWWAuthenticateChallengeError)
  await assert.rejects(refreshed(kind, narrow.refresh_token), isRefusal("invalid_grant"))
  await revoke(kind, narrow.refresh_token)
}

type Asked = { readonly address: URL; readonly state: string; readonly verifier: string }

async function askFor({ app }: ClientKind): Promise<Asked> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(service.authorization_endpoint ?? "")
  const parameters = {
    client_id: app.clientId,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return { address, state, verifier }
}

async function exchange(kind: ClientKind, asked: Asked, returned: URL) {
  const parameters = oauth.validateAuthResponse(service, client(kind), returned, asked.state)
  const response = await oauth.authorizationCodeGrantRequest(
    service,
    client(kind),
    kind.authentication,
    parameters,
    REDIRECT_URI,
    asked.verifier,
    plainHttp,
  )
  return oauth.processAuthorizationCodeResponse(service, client(kind), response)
}

async function refreshed(kind: ClientKind, refreshToken = "", scope?: string) {
  const options = { ...plainHttp, ...(scope !== undefined && { additionalParameters: { scope } }) }
  const response = await oauth.refreshTokenGrantRequest(
    service,
    client(kind),
    kind.authentication,
    refreshToken,
    options,
  )
  return oauth.processRefreshTokenResponse(service, client(kind), response)
}

async function revoke(kind: ClientKind, token = ""): Promise<void> {
  const response = await oauth.revocationRequest(service, client(kind), kind.authentication, token, plainHttp)
  await oauth.processRevocationResponse(response)
}

async function introspected(token: string): Promise<oauth.IntrospectionResponse> {
  const { resourceServer } = clients
  const asker = client(resourceServer)
  const { authentication } = resourceServer
  const response = await oauth.introspectionRequest(service, asker, authentication, token, plainHttp)
  return oauth.processIntrospectionResponse(service, asker, response)
}

async function usernameBehind(accessToken: string): Promise<unknown> {
  const address = new URL(`${server.url}/api/account`)
  const response = await oauth.protectedResourceRequest(
    accessToken,
    "GET",
    address,
    undefined,
    undefined,
    plainHttp,
  )
  return ((await response.json()) as { username: unknown }).username
}

function client({ app }: ClientKind): oauth.Client {
  return { client_id: app.clientId }
}

function isRefusal(code: string): (error: unknown) => boolean {
  return (error) => error instanceof oauth.ResponseBodyError && error.error === code
}
