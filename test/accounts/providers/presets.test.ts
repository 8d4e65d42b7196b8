import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { afterEach, test } from "node:test"
import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from "jose"
import { linkAccount } from "../../../src/accounts/providers/link.ts"
import { entraIssuer, isIssuerOf, type OpenIdProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { Browser } from "../../support/browser.ts"
import { CLIENT, leadsTo, providerAt } from "../../support/oidc.ts"
import { providerFixture } from "../../support/provider-visits.ts"
import { OPERATOR } from "../../support/test-server.ts"

const TENANT = "11111111-2222-3333-4444-555555555555"
const OTHER_TENANT = "99999999-2222-3333-4444-555555555555"

const { clock, host, upstream, providers, server } = await providerFixture({ accounts: ["ada"] })

afterEach(() => {
  upstream.reset()
  clock.advance(60)
})

function offer(more: Partial<OpenIdProvider>): OpenIdProvider {
  const provider = providerAt(host.url, more)
  providers.set("corp", provider)
  return provider
}

async function arrive() {
  const browser = new Browser(server.url)
  const between = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/corp", {})
  const url = leadsTo(between)
  return { url: new URL(url), page: await browser.get(`/sign-in/with/corp/callback?${upstream.visit(url)}`) }
}

function entra(tenant: string): Partial<OpenIdProvider> {
  const place = entraIssuer(host.url, tenant)
  assert.ok(place !== null)
  return { preset: "entra", ...place }
}

test("UP-16 Entra with several tenants: the issuer is that of the token's own tenant", async () => {
  const provider = offer(entra("organizations"))
  assert.ok((await linkAccount(server.latchkey, provider, "ada", `${TENANT}/sub-1`, OPERATOR)).ok)
  upstream.answer = (path, response) => {
    if (!path.endsWith("/.well-known/openid-configuration")) return false
    const { url } = host
    const metadata = {
      issuer: `${url}/{tenantid}/v2.0`,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      id_token_signing_alg_values_supported: ["ES256"],
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata))
    return true
  }
  const from = (tenant: string, tid: string) => ({ sub: "sub-1", iss: `${host.url}/${tenant}/v2.0`, tid })
  upstream.idToken = from(TENANT, TENANT)
  assert.equal((await arrive()).page.status, 303)
  upstream.idToken = from(TENANT, OTHER_TENANT)
  assert.match((await arrive()).page.text, /could not be verified/)
  upstream.idToken = { ...from(TENANT, TENANT), iss: `${host.url}/{tenantid}/v2.0`, tid: "{tenantid}" }
  assert.match((await arrive()).page.text, /could not be verified/)
  upstream.idToken = from(OTHER_TENANT, OTHER_TENANT)
  assert.match((await arrive()).page.text, /No account here is connected/, "the same sub of another tenant")
})

test("UP-16, UP-10 Entra with several tenants: the issuers of tenants are its own, and no others", () => {
  const { issuer = "" } = entra("organizations")
  const of = (tenant: string) => isIssuerOf({ issuer }, issuer.replace("{tenantid}", tenant))
  assert.deepEqual(
    [of(TENANT), of("x"), of(""), of(`${TENANT}/x`), of("{tenantid}")],
    [true, false, false, false, false],
  )
  const one = entra(TENANT)
  assert.equal(isIssuerOf({ issuer: one.issuer ?? "" }, issuer.replace("{tenantid}", OTHER_TENANT)), false)
  assert.equal(isIssuerOf({ issuer }, issuer.replace("{tenantid}/v2.0", "v2.0")), false)
})

test("UP-16 Entra: an e-mail address counts only with xms_edov", async () => {
  offer({ preset: "entra", createAccounts: { domains: ["example.org"], claim: null } })
  const claims = { sub: "e1", email: "ceo@example.org", email_verified: true, preferred_username: "e1" }
  upstream.idToken = claims
  assert.match((await arrive()).page.text, /which organization/)
  upstream.idToken = { ...claims, xms_edov: true }
  assert.equal((await arrive()).page.status, 303)
})

test("UP-16 Google: only hd proves a workspace", async () => {
  offer({ preset: "google", createAccounts: { domains: ["example.org"], claim: null } })
  const claims = { sub: "g1", email: "grace@example.org", email_verified: true }
  upstream.idToken = claims
  assert.match((await arrive()).page.text, /which organization/)
  upstream.idToken = { ...claims, hd: "evil.example" }
  assert.match((await arrive()).page.text, /another organization/)
  upstream.idToken = { ...claims, hd: "example.org" }
  assert.equal((await arrive()).page.status, 303)
  assert.notEqual((await server.store.read({ accountByName: "grace" })).accountByName, null)
})

test("UP-16 Apple: the client secret is a short-lived ES256 token in the body, and nothing asks for a form", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  const secret = { kind: "apple", pem, keyId: "KEYID", teamId: "TEAMID" } as const
  const provider = offer({ preset: "apple", secret, scopes: ["openid"] })
  assert.ok((await linkAccount(server.latchkey, provider, "ada", "apple-1", OPERATOR)).ok)
  upstream.idToken = { sub: "apple-1" }
  const { url, page } = await arrive()
  assert.equal(page.status, 303)
  assert.equal(url.searchParams.get("response_mode"), null)
  const jwt = upstream.forms.at(-1)?.get("client_secret") ?? ""
  assert.deepEqual(decodeProtectedHeader(jwt), { alg: "ES256", kid: "KEYID" })
  const key = await importSPKI(publicKey.export({ type: "spki", format: "pem" }).toString(), "ES256")
  const { payload } = await jwtVerify(jwt, key, {
    currentDate: new Date(clock.now() * 1000),
    audience: host.url,
  })
  assert.deepEqual([payload.iss, payload.sub], ["TEAMID", CLIENT.id])
  assert.ok((payload.exp ?? 0) - (payload.iat ?? 0) <= 15_777_000)
  assert.equal(upstream.headers.at(-1)?.authorization, undefined)
})

test("UP-16 a client with a key sends an assertion in place of a secret", async () => {
  const { privateKey } = generateKeyPairSync("ed25519")
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  const provider = offer({ secret: { kind: "key", pem, keyId: "k" } })
  assert.ok((await linkAccount(server.latchkey, provider, "ada", "key-1", OPERATOR)).ok)
  upstream.idToken = { sub: "key-1" }
  assert.equal((await arrive()).page.status, 303)
  const assertion = decodeJwt(upstream.forms.at(-1)?.get("client_assertion") ?? "")
  assert.deepEqual([assertion.iss, assertion.sub], [CLIENT.id, CLIENT.id])
})

type Hub = { readonly tokens?: object; readonly user?: object; readonly emails?: object }

/** Answers as GitHub does. */
function github({ tokens, user, emails }: Hub): void {
  const answers: Readonly<Record<string, object>> = {
    "/login/oauth/access_token": tokens ?? { access_token: "t", token_type: "bearer", scope: "read:user" },
    "/api/v3/user": user ?? { id: 583231, login: "octocat" },
    "/api/v3/user/emails": emails ?? [],
  }
  upstream.answer = (path, response) => {
    const json = answers[path]
    if (json === undefined) return false
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json))
    return true
  }
}

test("UP-16 GitHub: the key is the number, and errors come with status 200", async () => {
  const provider = offer({ preset: "github", metadataUrl: null })
  assert.ok((await linkAccount(server.latchkey, provider, "ada", "583231", OPERATOR)).ok)
  github({ user: { id: 583231, login: "renamed" } })
  const { url, page } = await arrive()
  assert.equal(page.status, 303)
  assert.equal(url.pathname, "/login/oauth/authorize")
  assert.equal(url.searchParams.get("code_challenge_method"), "S256")
  github({ user: { id: 1, login: "octocat" } })
  assert.match((await arrive()).page.text, /No account here is connected/, "the same login of another number")
  github({ tokens: { error: "bad_verification_code" } })
  assert.match((await arrive()).page.text, /did not complete the sign-in/)
  github({ tokens: { error: "incorrect_client_credentials" } })
  assert.match((await arrive()).page.text, /not set up correctly/)
  github({ user: { id: "583231", login: "octocat" } })
  assert.match((await arrive()).page.text, /could not be verified/, "a number is no text")
})

test("UP-16 GitHub: only the primary address counts, and only if it is verified", async () => {
  offer({ preset: "github", metadataUrl: null, createAccounts: { domains: ["example.org"], claim: null } })
  const address = (more: object) => ({ email: "cat@example.org", primary: true, verified: true, ...more })
  for (const emails of [
    [address({ verified: false })],
    [address({ primary: false })],
    [address({ email: "1+cat@users.noreply.github.com" })],
    {},
  ]) {
    github({ emails, user: { id: 2, login: "cat" } })
    assert.match((await arrive()).page.text, /which organization/)
  }
  github({ emails: [address({})], user: { id: 2, login: "cat" } })
  assert.equal((await arrive()).page.status, 303)
  assert.notEqual((await server.store.read({ accountByName: "cat" })).accountByName, null)
})

test("UP-6, UP-16 GitHub: a list of addresses that does not answer, or cannot be read, is said so", async () => {
  const createAccounts = { domains: ["example.org"], claim: null }
  offer({ preset: "github", metadataUrl: null, createAccounts })
  const answered = async (status: number) => {
    github({ user: { id: 3, login: "late" } })
    const { answer } = upstream
    upstream.answer = (path, response, body) => {
      if (path !== "/api/v3/user/emails") return answer?.(path, response, body) === true
      response.writeHead(status, { "content-type": "text/html" }).end("<p>")
      return true
    }
    return (await arrive()).page
  }
  const down = await answered(503)
  assert.deepEqual([down.status, /does not answer right now/.test(down.text)], [503, true])
  const page = await answered(200)
  assert.deepEqual([page.status, /answered in a form/.test(page.text)], [502, true])
})
