/**
 * What the modules of the OpenID Foundation's plans demand, which docs/conformance.md lists. Those about `prompt`,
 * `max_age` and hints are in prompt.test.ts.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { returned } from "../../support/answers.ts"
import {
  authorizePath,
  basic,
  codeFor,
  exchange,
  newVerifier,
  REDIRECT_URI,
  refresh,
  send,
} from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { OPERATOR } from "../../support/test-server.ts"

const SCOPE = "openid"
const APP = {
  type: "confidential",
  permissions: ["openid", "profile", "email", "groups"],
  redirectUris: [REDIRECT_URI],
} as const

const { testServer, ada } = await fixture({
  accounts: ["ada"],
  browsers: ["ada"],
  settings: { "openid.enabled": "on" },
})
// A request reads the setting.
await json("/.well-known/openid-configuration")
const app = await testServer.addApp(APP)
const second = await testServer.addApp(APP)

type Parameters = Record<string, string>
type Members = Readonly<Record<string, unknown>>

async function json(path: string, init: RequestInit = {}): Promise<Members> {
  const response = await fetch(testServer.url + path, init)
  assert.equal(response.status, 200)
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/)
  return (await response.json()) as Members
}

/** Signs ada in. Returns the token response and the verified claims of its id_token. */
async function signIn(more: Parameters = {}) {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(ada, app, challenge, { scope: SCOPE, ...more })
  const { status, body } = await exchange(testServer, app, code, verifier)
  assert.equal(status, 200)
  return { code, verifier, tokens: body, ...(await verified(body["id_token"])) }
}

async function verified(idToken: unknown) {
  const keys = createLocalJWKSet((await json("/oauth/jwks")) as unknown as JSONWebKeySet)
  const { payload } = await jwtVerify(String(idToken), keys, {
    issuer: testServer.issuer,
    audience: app.clientId,
    algorithms: ["RS256"],
    currentDate: new Date(testServer.clock.now() * 1000),
  })
  return { claims: payload as Members, header: decodeProtectedHeader(String(idToken)) }
}

/** Returns the error of a request, which goes back to the app before any page. */
async function errorOf(parameters: Parameters, omitted: readonly string[] = []): Promise<Parameters> {
  const url = new URL(
    testServer.url + authorizePath(app, newVerifier().challenge, { scope: SCOPE, ...parameters }),
  )
  for (const name of omitted) url.searchParams.delete(name)
  return returned(await ada.get(url.pathname + url.search), REDIRECT_URI)
}

const aboutWith = (accessToken: unknown, init: RequestInit = {}) =>
  json("/oauth/userinfo", { headers: { authorization: `Bearer ${String(accessToken)}` }, ...init })

test("OIDC-1, SIGN-2 oidcc-discovery-endpoint-verification: the configuration has what the plan reads", async () => {
  const metadata = await json("/.well-known/openid-configuration")
  assert.equal(metadata["issuer"], testServer.issuer)
  const lists = {
    response_types_supported: "code",
    grant_types_supported: "authorization_code",
    subject_types_supported: "public",
    id_token_signing_alg_values_supported: "RS256",
    token_endpoint_auth_methods_supported: "client_secret_basic",
    scopes_supported: "openid",
    claims_supported: "sub",
    code_challenge_methods_supported: "S256",
  }
  for (const [name, value] of Object.entries(lists))
    assert.ok((metadata[name] as unknown[]).includes(value), name)
  const flags = [
    "claims_parameter_supported",
    "request_parameter_supported",
    "request_uri_parameter_supported",
  ]
  assert.deepEqual(
    flags.map((name) => metadata[name]),
    [false, false, false],
  )
  for (const [name, value] of Object.entries(metadata))
    if (name.endsWith("_endpoint") || name === "jwks_uri")
      assert.ok(String(value).startsWith(testServer.issuer), name)
  const { keys } = (await json("/oauth/jwks")) as unknown as JSONWebKeySet
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length)
  for (const key of keys) assert.deepEqual([typeof key.kid, key.use, "d" in key], ["string", "sig", false])
})

test("OIDC-2 oidcc-server, oidcc-idtoken-signature: the id_token is signed by a published key and has the nonce", async () => {
  const { claims, header, tokens } = await signIn({ nonce: "n-0S6_WzA2Mj" })
  assert.deepEqual([header.alg, typeof header.kid], ["RS256", "string"])
  assert.equal(claims["nonce"], "n-0S6_WzA2Mj")
  assert.equal(typeof claims["sub"], "string")
  assert.equal(tokens["token_type"], "Bearer")
})

test("OIDC-2 oidcc-server-client-secret-post: a secret in the body and one in the header do the same", async () => {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(ada, app, challenge, { scope: SCOPE })
  const grant = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  }
  const header = await send(testServer, "/oauth/token", grant, basic(app.clientId, app.secret ?? ""))
  assert.equal(header.status, 200)
  await verified(header.body["id_token"])
  await signIn()
})

test("AUTHZ-2 oidcc-response-type-missing: the app hears of it", async () => {
  assert.equal((await errorOf({}, ["response_type"]))["error"], "invalid_request")
})

test("OIDC-3 oidcc-userinfo-get, -post-header, -post-body: userinfo says who it is, by each way", async () => {
  const { tokens, claims } = await signIn()
  const said = [
    await aboutWith(tokens["access_token"]),
    await aboutWith(tokens["access_token"], { method: "POST" }),
    await json("/oauth/userinfo", {
      method: "POST",
      body: new URLSearchParams({ access_token: String(tokens["access_token"]) }),
    }),
  ]
  assert.deepEqual(
    said,
    said.map(() => ({ sub: claims["sub"] })),
  )
})

test("OIDC-3 a token in the form of a POST is checked like one in the header, and one in a URL is ignored", async () => {
  const url = `${testServer.url}/oauth/userinfo`
  const { tokens } = await signIn()
  const accessToken = String(tokens["access_token"])
  const post = (body: Parameters, headers: Parameters = {}) =>
    fetch(url, { method: "POST", body: new URLSearchParams(body), headers })
  assert.equal((await fetch(`${url}?access_token=${accessToken}`)).status, 401)
  const none = await post({})
  assert.deepEqual([none.status, none.headers.get("www-authenticate")?.split(" ")[0]], [401, "Bearer"])
  const { error, error_description } = (await none.json()) as Record<string, unknown>
  assert.deepEqual([error, error_description], ["invalid_token", "The request carries no access token."])
  assert.equal((await post({ access_token: "lka_none" })).status, 401)
  assert.equal((await post({ access_token: accessToken }, { authorization: "Bearer lka_none" })).status, 401)
})

test("OIDC-2 oidcc-ensure-request-without-nonce-succeeds-for-code-flow: its id_token has no nonce", async () => {
  const { claims } = await signIn()
  assert.equal("nonce" in claims, false)
})

test("OIDC-3 oidcc-scope-profile, -email, oidcc-ensure-other-scope-order-succeeds: userinfo has their claims", async () => {
  const profile = await signIn({ scope: "openid profile" })
  assert.deepEqual(await aboutWith(profile.tokens["access_token"]), {
    sub: profile.claims["sub"],
    preferred_username: "ada",
    name: "ada",
  })
  const email = await signIn({ scope: "email openid" })
  const { sub } = email.claims
  assert.deepEqual(await aboutWith(email.tokens["access_token"]), { sub })
  const set = await setEmailByOperator(testServer.latchkey, "ada", "ada@example.org", OPERATOR)
  assert.ok(set.ok)
  const confirmed = { sub, email: "ada@example.org", email_verified: true }
  assert.deepEqual(await aboutWith(email.tokens["access_token"]), confirmed)
})

test("OIDC-1 oidcc-scope-address, -phone, -all are skipped: the scopes are not offered, and ignored", async () => {
  const { scopes_supported: offered } = await json("/.well-known/openid-configuration")
  for (const scope of ["address", "phone"]) {
    assert.equal((offered as string[]).includes(scope), false)
    assert.equal((await signIn({ scope: `openid ${scope}` })).tokens["scope"], "openid")
  }
})

test("OIDC-5 oidcc-display, -ui-locales, -claims-locales, -claims-essential, -unknown-parameter: they are no error", async () => {
  for (const more of [
    { display: "page" },
    { display: "popup" },
    { ui_locales: "se" },
    { claims_locales: "se" },
    { claims: '{"userinfo":{"name":{"essential":true}}}' },
    { extra: "foobar" },
  ])
    assert.equal(typeof (await signIn(more)).claims["sub"], "string")
})

test("OIDC-7, OIDC-9, OIDC-16 oidcc-prompt-none-logged-in, oidcc-id-token-hint: the same sign-in, without a page", async () => {
  const remembering = await testServer.addApp({ ...APP, rememberConsent: true })
  const first = await codeFor(ada, remembering, newVerifier().challenge, { scope: SCOPE })
  assert.equal(typeof first, "string")
  const signInSilently = async (more: Parameters = {}) => {
    const { verifier, challenge } = newVerifier()
    const path = authorizePath(remembering, challenge, { scope: SCOPE, prompt: "none", ...more })
    const { code = "" } = returned(await ada.get(path), REDIRECT_URI)
    const { body } = await exchange(testServer, remembering, code, verifier)
    return { idToken: String(body["id_token"]), claims: decodeJwt(String(body["id_token"])) }
  }
  const silent = await signInSilently()
  const hinted = await signInSilently({ id_token_hint: silent.idToken })
  for (const name of ["sub", "auth_time", "sid"]) assert.equal(hinted.claims[name], silent.claims[name], name)
  assert.equal(typeof hinted.claims["auth_time"], "number")
})

test("OIDC-4 oidcc-ensure-request-with-acr-values-succeeds: acr is one of them", async () => {
  const { claims } = await signIn({ acr_values: "1 2" })
  assert.equal(claims["acr"], "1")
})

test("CODE-2 oidcc-codereuse, oidcc-codereuse-30seconds: a code that is used again revokes what it brought", async () => {
  const { code, verifier, tokens } = await signIn()
  testServer.clock.advance(30)
  const again = await exchange(testServer, app, code, verifier)
  assert.deepEqual([again.status, again.body["error"]], [400, "invalid_grant"])
  const headers = { authorization: `Bearer ${String(tokens["access_token"])}` }
  assert.equal((await fetch(`${testServer.url}/oauth/userinfo`, { headers })).status, 401)
})

test("AUTHZ-3 oidcc-ensure-registered-redirect-uri: another one gets a page", async () => {
  const path = authorizePath(app, newVerifier().challenge, {
    scope: SCOPE,
    redirect_uri: `${REDIRECT_URI}/x`,
  })
  const page = await ada.get(path)
  assert.deepEqual([page.status, page.location], [400, null])
})

test("OIDC-5 oidcc-request-uri-unsigned, oidcc-unsigned-request-object: unsupported, also with state only inside", async () => {
  const hidden = ["state", "code_challenge", "code_challenge_method"]
  for (const omitted of [[], hidden]) {
    assert.equal((await errorOf({ request: "e30.e30." }, omitted))["error"], "request_not_supported")
    const uri = { request_uri: "https://app.example/request.jwt" }
    assert.equal((await errorOf(uri, omitted))["error"], "request_uri_not_supported")
  }
})

test("OIDC-2 oidcc-refresh-token: the new id_token is about the same sign-in, and the token is bound to its app", async () => {
  const { tokens, claims } = await signIn({ nonce: "n" })
  const refreshToken = String(tokens["refresh_token"])
  const stolen = await refresh(testServer, second, refreshToken)
  assert.deepEqual([stolen.status, stolen.body["error"]], [400, "invalid_grant"])
  testServer.clock.advance(10)
  const { body } = await refresh(testServer, app, refreshToken)
  const next = (await verified(body["id_token"])).claims
  for (const name of ["iss", "sub", "aud", "azp", "auth_time"]) assert.equal(next[name], claims[name], name)
  assert.equal(next["iat"], Number(claims["iat"]) + 10)
  assert.equal("nonce" in next, false)
})
