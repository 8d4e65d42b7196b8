/** Tests apps that authenticate with a token of their platform. Its keys are on a real https server. */
import assert from "node:assert/strict"
import { after, afterEach, before, beforeEach, test } from "node:test"
import { removeAccount } from "../../../src/accounts/accounts.ts"
import { updateApp } from "../../../src/apps/app.ts"
import type { ClientKeys } from "../../../src/model/clients/client.rules.ts"
import { parseClientKeys } from "../../../src/model/clients/key-set.rules.ts"
import { parseJson } from "../../../src/kernel/json.ts"
import { assertRefused } from "../../support/answers.ts"
import { testClock } from "../../support/clock.ts"
import { send } from "../../support/connect.ts"
import {
  DocumentServer,
  LOOPBACK_ALLOWED,
  ONLY_CERTIFICATE,
  toLoopback,
} from "../../support/document-server.ts"
import { asWorkload, githubToken, podToken, publishIssuer } from "../../support/platform-issuer.ts"
import { Signer } from "../../support/signer.ts"
import { everything } from "../../support/stored.ts"
import { OPERATOR, type TestApp, TestServer } from "../../support/test-server.ts"

const AUDIENCE = "https://auth.example.com"
const MAIN = "repo:acme/app:ref:refs/heads/main"

let documents: DocumentServer
let testServer: TestServer
let signer: Signer
let issuer: string
let app: TestApp

before(async () => {
  documents = await DocumentServer.open()
  signer = await Signer.make("RS256")
})
after(() => documents.close())

const opened = async (outgoing = LOOPBACK_ALLOWED) => {
  const server = await TestServer.open({ outgoing, resolveName: toLoopback, clock: testClock() })
  await server.set("rate_limit.oauth_anonymous", "off")
  await server.addServiceAccount("ci")
  return server
}

function keysFor(subject: string, differing: { issuer?: string; jwks?: object } = {}): ClientKeys {
  const workload = { issuer: differing.issuer ?? issuer, audience: AUDIENCE, subject }
  const jwks = differing.jwks && parseJson(JSON.stringify(differing.jwks))
  const parsed = parseClientKeys({ jwks, jwksUri: undefined, workload })
  if (!parsed.ok || parsed.value === null) throw new Error(JSON.stringify(parsed))
  return parsed.value
}

const addApp = (keys = keysFor(MAIN), more = {}) => testServer.addBoundApp("ci", { keys, ...more })

afterEach(() => testServer.close())
beforeEach(async () => {
  testServer = await opened()
  issuer = publishIssuer(documents, [signer])
  app = await addApp()
  documents.asked.length = 0
})

const push = (claims = {}, from = signer) =>
  githubToken(from, issuer, testServer.clock.now(), { aud: AUDIENCE, ...claims })

const authenticate = (token: string, by = app) =>
  send(testServer, "/oauth/token", {
    grant_type: "client_credentials",
    ...asWorkload(by.clientId, token),
  })

async function assertIssued(token: string, by = app) {
  const answer = await authenticate(token, by)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.body["username"], "ci")
  return String(answer.body["access_token"])
}

const assertStranger = async (token: string, by = app) =>
  assertRefused(await authenticate(token, by), 401, "invalid_client")

test("WORK-3 a push on GitHub gets an access token of the service account, again and again until exp", async () => {
  const token = await push()
  for (let i = 0; i < 3; i++) await assertIssued(token)
  assert.deepEqual(documents.asked, ["/.well-known/openid-configuration", "/jwks"])
  assert.deepEqual((await everything(testServer))["spent_assertion"], [])
  testServer.clock.advance(329)
  await assertIssued(token)
  testServer.clock.advance(1)
  await assertStranger(token)
})

test("WORK-3 a pod of Kubernetes authenticates with keys from a file, and nothing is requested", async () => {
  const k8s = "https://kubernetes.default.svc.cluster.local"
  const keys = keysFor("system:serviceaccount:ns:*", { issuer: k8s, jwks: { keys: [signer.publicJwk] } })
  const pod = await addApp(keys)
  const now = testServer.clock.now()
  await assertIssued(await podToken(signer, k8s, now), pod)
  await assertStranger(await podToken(signer, k8s, now, { sub: "system:serviceaccount:other:name" }), pod)
  await assertStranger(await podToken(signer, k8s, now, { aud: [AUDIENCE, k8s] }), pod)
  await assertStranger(await podToken(await Signer.make("RS256"), k8s, now), pod)
  assert.deepEqual(documents.asked, [])
})

test("WORK-3 the token authenticates at introspection and revocation, as any client is", async () => {
  const server = await addApp(keysFor(MAIN), { resourceServer: true })
  const as = async () => asWorkload(server.clientId, await push())
  const accessToken = await assertIssued(await push(), server)
  const introspect = async () =>
    send(testServer, "/oauth/introspect", { token: accessToken, ...(await as()) })
  const { body } = await introspect()
  assert.deepEqual([body["active"], body["account_type"]], [true, "service"])
  const revoked = await send(testServer, "/oauth/revoke", { token: accessToken, ...(await as()) })
  assert.equal(revoked.status, 200)
  assert.equal((await introspect()).body["active"], false)
  const another = await send(testServer, "/oauth/introspect", {
    token: accessToken,
    ...asWorkload(app.clientId, await push()),
  })
  assert.equal(another.status, 403, "not a resource server")
})

test("WORK-3 the wrong subject, audience, issuer or key is no authentication, each alone", async () => {
  const now = testServer.clock.now()
  for (const claims of [
    { sub: "repo:acme/app:pull_request" },
    { sub: "repo:acme/app:ref:refs/heads/other" },
    { sub: "repo:evil/app:ref:refs/heads/main" },
    { sub: `${MAIN}\n` },
    { sub: undefined },
    { aud: "https://github.com/acme" },
    { aud: [AUDIENCE, "https://github.com/acme"] },
    { aud: testServer.issuer },
    { iss: `${issuer}/` },
    { iss: app.clientId, sub: app.clientId },
    { exp: now + 86_401 },
    { exp: now - 30 },
    { exp: undefined },
    { iat: undefined },
    { nbf: now + 60 },
  ])
    await assertStranger(await push(claims))
  const kid = signer.kid
  const stranger = await Signer.make("RS256")
  const token = await githubToken(signer, issuer, now, { aud: AUDIENCE })
  const [header = "", claims = ""] = token.split(".")
  const forged = await stranger.sign({ ...JSON.parse(decoded(claims)) }, { typ: "JWT", kid })
  for (const wrong of [
    forged,
    `${header}.${claims}.`,
    `${encoded({ alg: "none" })}.${claims}.x`,
    await signer.sign(JSON.parse(decoded(claims)), { typ: "client-authentication+jwt" }),
    await signer.sign(JSON.parse(decoded(claims)), { typ: "at+jwt" }),
  ])
    await assertStranger(wrong)
  await assertIssued(token)
})

const decoded = (part: string) => Buffer.from(part, "base64url").toString()
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

test("WORK-3 client_id is needed, names one app, and there is no second method", async () => {
  const grant = { grant_type: "client_credentials", ...asWorkload(app.clientId, await push()) }
  const { client_id: _, ...nameless } = grant
  for (const fields of [
    nameless,
    { ...grant, client_id: "unknown" },
    { ...grant, client_assertion_type: "x" },
  ])
    assertRefused(await send(testServer, "/oauth/token", fields), 401, "invalid_client")
  assertRefused(
    await send(testServer, "/oauth/token", { ...grant, client_secret: "x" }),
    400,
    "invalid_request",
  )
  const plain = { grant_type: "client_credentials", client_id: app.clientId }
  assertRefused(await send(testServer, "/oauth/token", plain), 401, "invalid_client")
  // An app with keys of its own does not take the token of a platform, and one with a workload no other assertion.
  const own = await testServer.addBoundApp("ci", { keys: signer.keys })
  await assertStranger(await push(), own)
  const signed = await signer.authenticates(app.clientId, testServer.issuer, testServer.clock.now())
  assertRefused(await send(testServer, "/oauth/token", { ...plain, ...signed }), 401, "invalid_client")
})

test("WORK-3 an app whose service account was removed is authenticated, and gets nothing", async () => {
  assert.ok((await removeAccount(testServer.latchkey, "ci", OPERATOR)).ok)
  assertRefused(await authenticate(await push()), 400, "unauthorized_client")
  const revoked = await send(testServer, "/oauth/revoke", {
    token: "x",
    ...asWorkload(app.clientId, await push()),
  })
  assert.equal(revoked.status, 200)
})

test("WORK-3 a changed workload counts from the next request on", async () => {
  const token = await push()
  await assertIssued(token)
  const keys = keysFor("repo:acme/app:environment:production")
  await updateApp(testServer.latchkey, app.clientId, { keys }, OPERATOR)
  await assertStranger(token)
  await assertIssued(await push({ sub: "repo:acme/app:environment:production" }))
})

test("WORK-4 a rotated key is found by its kid, and the one before ends with its copy", async () => {
  await assertIssued(await push())
  const next = await Signer.make("RS256")
  publishIssuer(documents, [next])
  testServer.clock.advance(60)
  await assertIssued(await push({}, next))
  await assertStranger(await push())
})

test("WORK-4 tokens of strangers cause no request, and unknown kids one a minute", async () => {
  for (const claims of [{ sub: "repo:evil/app:pull_request" }, { iss: "https://evil.example" }])
    await assertStranger(await push(claims))
  assertRefused(
    await send(testServer, "/oauth/token", {
      grant_type: "client_credentials",
      ...asWorkload("unknown", await push()),
    }),
    401,
    "invalid_client",
  )
  await assertStranger(await push(), await testServer.addBoundApp("ci"))
  assert.deepEqual(documents.asked, [])
  const stranger = await Signer.make("RS256")
  for (let minute = 1; minute <= 3; minute++) {
    for (let i = 0; i < 10; i++) await assertStranger(await push({}, stranger))
    assert.equal(documents.asked.filter((path) => path === "/jwks").length, minute)
    testServer.clock.advance(60)
  }
})

test("WORK-4 while the issuer is away its kept keys serve, for a week and also after a restart", async () => {
  await assertIssued(await push())
  documents.fail("/.well-known/openid-configuration", 503)
  const { fetchedKeys } = await testServer.store.read({ fetchedKeys: app.client.clientId })
  assert.notEqual(fetchedKeys?.copy ?? null, null, "a node that starts finds the copy")
  for (let day = 1; day < 7; day++) {
    testServer.clock.advance(86_400)
    await assertIssued(await push())
  }
  testServer.clock.advance(86_400)
  await assertStranger(await push())
  publishIssuer(documents, [signer])
  testServer.clock.advance(60)
  await assertIssued(await push())
})

test("WORK-4 the metadata name the issuer byte for byte, with the slash at its end or without", async () => {
  const withSlash = publishIssuer(documents, [signer], { path: "/tenant", slash: "/" })
  const tenant = await addApp(keysFor(MAIN, { issuer: withSlash }))
  await assertIssued(await push({ iss: withSlash }), tenant)
  await assertStranger(await push({ iss: withSlash.slice(0, -1) }), tenant)
  const without = await addApp(keysFor(MAIN, { issuer: withSlash.slice(0, -1) }))
  await assertStranger(await push({ iss: withSlash.slice(0, -1) }), without)
  const { fetchedKeys } = await testServer.store.read({ fetchedKeys: without.client.clientId })
  assert.equal(fetchedKeys?.problem, "The metadata do not name this issuer.")
})

test("WORK-4 an issuer within the network of the service is reached only where the operator allows it", async () => {
  await testServer.close()
  testServer = await opened(ONLY_CERTIFICATE)
  app = await addApp()
  await assertStranger(await push())
  assert.deepEqual(documents.asked, [])
})
