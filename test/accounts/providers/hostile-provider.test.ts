import assert from "node:assert/strict"
import { afterEach, test } from "node:test"
import { generateKeyPair } from "jose"
import { linkAccount } from "../../../src/accounts/providers/link.ts"
import { Browser } from "../../support/browser.ts"
import { CLIENT, leadsTo, ProviderHost, providerAt } from "../../support/oidc.ts"
import { recordLog } from "../../support/record-log.ts"
import { providerFixture } from "../../support/provider-visits.ts"
import type { OpenIdProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { log, lines } = recordLog()
const { clock, host, upstream, providers, server } = await providerFixture({
  log,
  accounts: ["ada"],
})
providers.set("corp", providerAt(host.url))
const linked = await linkAccount(server.latchkey, providerAt(host.url), "ada", "ada-at-work", {
  address: null,
})
assert.ok(linked.ok)

afterEach(() => {
  upstream.reset()
  // The copy of the metadata belongs to the object of the configuration.
  providers.set("corp", providerAt(host.url))
  clock.advance(3600)
})

const begin = async (browser = new Browser(server.url), name = "corp") => {
  const between = await browser.submit(await browser.get("/sign-in"), `/sign-in/with/${name}`, {})
  return { browser, url: leadsTo(between) }
}

/** Begins at the provider and comes back with `more` in the query. */
async function comeBack(more: Record<string, string> = {}) {
  const { browser, url } = await begin()
  const query = upstream.visit(url, more)
  return { browser, query, page: await browser.get(`/sign-in/with/corp/callback?${query}`) }
}

async function isRefused(reason: RegExp, more: Record<string, string> = {}): Promise<void> {
  const { browser, page } = await comeBack(more)
  assert.notEqual(page.status, 303)
  assert.match(page.text, reason)
  assert.equal((await browser.get("/sign-in")).status, 200, "no account is signed in")
  assert.match(page.text, /name="password"/, "the other ways to sign in stay on the page")
}

test("UP-4 an honest answer signs in", async () => {
  assert.equal((await comeBack()).page.location, "/account")
})

const lies: readonly (readonly [string, Record<string, unknown>])[] = [
  ["another issuer", { iss: "https://evil.example" }],
  ["an issuer with a slash at its end", { iss: "slash" }],
  ["another audience", { aud: "another-client" }],
  ["several audiences and another authorized party", { aud: [CLIENT.id, "other"], azp: "other" }],
  ["the nonce of another sign-in", { nonce: "n".repeat(43) }],
  ["no nonce", { nonce: undefined }],
  ["an expiry in the past", { exp: 1 }],
  ["no subject", { sub: "" }],
]

for (const [what, claims] of lies) {
  test(`UP-4 an ID token with ${what} is refused`, async () => {
    upstream.idToken = claims["iss"] === "slash" ? { iss: `${host.url}/` } : claims
    await isRefused(/could not be verified/)
  })
}

test("UP-4 an ID token with another algorithm, without signature, or of another key is refused", async () => {
  const other = await generateKeyPair("ES256")
  const none = (claims: object) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    return Promise.resolve(`${part({ alg: "none" })}.${part(claims)}.`)
  }
  upstream.sign = (claims) => upstream.swapped(claims)
  await isRefused(/could not be verified/)
  upstream.sign = none
  await isRefused(/could not be verified/)
  upstream.sign = (claims) => upstream.signed(claims, { alg: "ES256", kid: "one" }, other.privateKey)
  await isRefused(/could not be verified/)
  upstream.sign = (claims) => upstream.signed(claims, { alg: "ES256", kid: "unknown" })
  await isRefused(/could not be verified/)
})

test("UP-4 mix-up: an answer that names another issuer, or none where the metadata promise one, is refused", async () => {
  await isRefused(/could not be verified/, { iss: "https://evil.example" })
  assert.ok(!host.asked.includes("POST /token"), "the code is not sent anywhere")
  providers.set("corp", providerAt(host.url))
  upstream.metadata = { authorization_response_iss_parameter_supported: true }
  await isRefused(/could not be verified/)
  assert.equal((await comeBack({ iss: host.url })).page.status, 303)
})

test("UP-4 userinfo about another person is refused", async () => {
  providers.set("corp", providerAt(host.url, { createAccounts: { domains: [], claim: null } }))
  upstream.idToken = { sub: "a-new-person" }
  upstream.userinfo = { sub: "ada-at-work", preferred_username: "mallory" }
  await isRefused(/could not be verified/)
})

const KEY = { kty: "EC", crv: "P-256", kid: "one", alg: "ES256", x: "AA", y: "AA" }
const TOKENS = { access_token: "a", token_type: "Bearer", id_token: "a.b.c" }
const malformed: readonly (readonly [string, string, unknown])[] = [
  ["a key with wrong coordinates", "/jwks", { keys: [KEY] }],
  ["a key whose operations are a number", "/jwks", { keys: [{ ...KEY, key_ops: 5 }] }],
  ["a lifetime that is a list of objects", "/token", { ...TOKENS, expires_in: [{ toString: 1 }] }],
  ["metadata with a list in place of a URL", "/.well-known/openid-configuration", { jwks_uri: [5] }],
]

for (const [what, at, json] of malformed) {
  test(`UP-6 ${what} is the provider's fault, and the page says so`, async () => {
    upstream.answer = (path, response) => {
      if (path !== at) return false
      const metadata = {
        issuer: host.url,
        authorization_endpoint: `${host.url}/auth`,
        token_endpoint: host.url,
      }
      const answer = at.startsWith("/.") ? { ...metadata, ...(json as object) } : json
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
      return true
    }
    const browser = new Browser(server.url)
    const between = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/corp", {})
    const page = at.startsWith("/.")
      ? between
      : await browser.get(`/sign-in/with/corp/callback?${upstream.visit(leadsTo(between))}`)
    assert.equal(page.status, 502)
    assert.match(page.text, /could not be verified|not set up correctly/)
  })
}

test("UP-6 metadata and claims of other types than the protocol's do no harm", async () => {
  upstream.metadata = { token_endpoint_auth_methods_supported: 5 }
  upstream.idToken = { amr: [{ toString: 1 }, null] }
  providers.set("corp", providerAt(host.url, { secondFactor: { acr: [], amr: ["otp"] } }))
  assert.equal((await comeBack()).page.location, "/account")
})

const subjects = {
  "that is too long": "x".repeat(256),
  "with a NUL": "a\0b",
  "that turns the direction": "a\u202eb",
  "with half a character": "a\ud800b",
}

for (const [what, sub] of Object.entries(subjects)) {
  test(`UP-1 a subject ${what} is refused`, async () => {
    providers.set("corp", providerAt(host.url, { createAccounts: { domains: [], claim: null } }))
    upstream.idToken = { sub, preferred_username: "someone" }
    await isRefused(/could not be verified/)
  })
}

test("UP-1 a subject may be a name of a directory, with spaces and other letters", async () => {
  const provider = providerAt(host.url)
  const sub = "f:2f6b:Jürgen von Ä"
  assert.ok((await linkAccount(server.latchkey, provider, "ada", sub, OPERATOR)).ok)
  upstream.idToken = { sub }
  assert.equal((await comeBack()).page.location, "/account")
})

test("UP-7 a suggested name is shown in part if it is too long", async () => {
  providers.set("corp", providerAt(host.url, { createAccounts: { domains: [], claim: null } }))
  upstream.idToken = { sub: "long", preferred_username: "y".repeat(50_000) }
  const { page } = await comeBack()
  assert.match(page.text, /<h1>Choose a username/)
  assert.ok(!page.text.includes("y".repeat(201)))
})

test("UP-3 a callback works once, and only in the browser that began", async () => {
  const { browser, query, page } = await comeBack()
  assert.equal(page.status, 303)
  assert.equal((await browser.get(`/sign-in/with/corp/callback?${query}`)).status, 403)
  const { url } = await begin()
  const asked = host.asked.length
  const victim = new Browser(server.url)
  await victim.get("/sign-in")
  const stolen = await victim.get(`/sign-in/with/corp/callback?${upstream.visit(url)}`)
  assert.equal(stolen.status, 403)
  assert.equal(host.asked.length, asked, "without its cookie it costs no request")
})

test("UP-3 a tab left open for ten minutes ends in a page that starts it again, with its destination", async () => {
  const browser = new Browser(server.url)
  const page = await browser.get("/account/security")
  const between = await browser.submit(page, "/sign-in/with/corp", {})
  const query = upstream.visit(leadsTo(between))
  clock.advance(601)
  const late = await browser.get(`/sign-in/with/corp/callback?${query}`)
  assert.equal(late.status, 403)
  assert.match(late.text, /took too long/)
  const again = await browser.submit(late, "/sign-in/with/corp", {})
  const back = await browser.get(`/sign-in/with/corp/callback?${upstream.visit(leadsTo(again))}`)
  assert.equal(back.location, "/account/security")
})

test("UP-5 an address begins thirty sign-ins in ten minutes", async () => {
  const browser = new Browser(server.url)
  const page = await browser.get("/sign-in")
  let last = await browser.submit(page, "/sign-in/with/corp", {})
  for (let tries = 1; tries <= 30; tries += 1) last = await browser.submit(page, "/sign-in/with/corp", {})
  assert.equal(last.status, 429)
  assert.notEqual(last.headers.get("retry-after"), null)
})

test("UP-5 only the provider's own address ranges open a private network", async () => {
  providers.set("corp", providerAt(host.url, { allowedRanges: [] }))
  const browser = new Browser(server.url)
  const refused = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/corp", {})
  assert.equal(refused.status, 503)
  assert.deepEqual(host.asked, [])
})

test("UP-6 a provider that is not what the configuration says is an error of the operator", async () => {
  upstream.metadata = { issuer: `${host.url}/` }
  const browser = new Browser(server.url)
  const refused = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/corp", {})
  assert.equal(refused.status, 502)
  assert.match(refused.text, /not set up correctly/)
})

test("UP-6 a person who cancels, and a token endpoint that refuses, are said in different words", async () => {
  await isRefused(/You canceled at/, { error: "access_denied" })
  upstream.answer = (path, response) => {
    if (path !== "/token") return false
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}')
    return true
  }
  await isRefused(/did not complete the sign-in/)
  upstream.answer = (path, response) => {
    if (path !== "/token") return false
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":"invalid_client"}')
    return true
  }
  await isRefused(/not set up correctly/)
})

type Userinfo = {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
const JSON_TYPE = { "content-type": "application/json" }
const unusable: readonly (readonly [string, Userinfo, RegExp])[] = [
  [
    "signed",
    { headers: { "content-type": "application/jwt" }, body: "a.b.c" },
    /\/me: The answer is signed or encrypted \(application\/jwt\)\. Plain JSON is expected\.$/,
  ],
  ["compressed", { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: "x" }, /is compressed/],
  ["a 201", { status: 201, headers: JSON_TYPE, body: "{}" }, /answered with status 201/],
  ["a page", { headers: { "content-type": "text/html" }, body: "<p>" }, /is not JSON/],
  ["a page with 404", { status: 404, headers: { "content-type": "text/html" }, body: "<p>" }, /status 404/],
  ["a redirect", { status: 302, headers: { location: "/login" }, body: "" }, /answered with a redirect/],
]

for (const [what, { status = 200, headers, body }, reason] of unusable)
  test(`UP-6 a provider whose userinfo is ${what} has another page and reason than one that does not answer`, async () => {
    const createAccounts = { domains: [], claim: null }
    providers.set("corp", providerAt(host.url, { createAccounts }))
    upstream.idToken = { sub: `userinfo ${what}` }
    upstream.answer = (path, response) => {
      if (path !== "/me") return false
      response.writeHead(status, headers).end(body)
      return true
    }
    lines.length = 0
    const { page } = await comeBack()
    assert.equal(page.status, 502)
    assert.match(page.text, /answered in a form that this service does not\s+read/)
    assert.doesNotMatch(page.text, /does not answer/)
    const logged = lines.find(({ kind }) => kind !== undefined)
    assert.equal(logged?.["kind"], "unusable")
    assert.match(String(logged["detail"]), reason)
  })

test("UP-6 a userinfo that is out of order for a while does not answer", async () => {
  providers.set("corp", providerAt(host.url, { createAccounts: { domains: [], claim: null } }))
  for (const status of [429, 500, 503]) {
    upstream.idToken = { sub: `userinfo ${status}` }
    upstream.answer = (path, response) => {
      if (path !== "/me") return false
      response.writeHead(status, { "content-type": "text/html" }).end("<p>")
      return true
    }
    await isRefused(/does not answer right now/)
  }
})

test("UP-6 a dead provider is not waited for twice, and ends no session", async () => {
  const { browser } = await comeBack()
  const dead = await ProviderHost.open()
  const { url } = dead
  await dead.close()
  providers.set("corp", providerAt(url))
  const other = new Browser(server.url)
  const refused = await other.submit(await other.get("/sign-in"), "/sign-in/with/corp", {})
  assert.equal(refused.status, 503)
  assert.match(refused.text, /does not answer right now/)
  assert.equal((await browser.get("/account")).status, 200)
})

test("UP-7 a first sign-in creates an account only under the rules, and by a boolean", async () => {
  const createAccounts = { domains: ["example.org"], claim: null }
  const arriveAs = async (idToken: object, more: Partial<OpenIdProvider> = {}) => {
    providers.set("corp", providerAt(host.url, more))
    upstream.idToken = { ...idToken }
    return (await comeBack()).page
  }
  const person = { sub: "p1", email: "grace@example.org", preferred_username: "grace" }
  assert.match((await arriveAs({ ...person, email_verified: true })).text, /No account here is connected/)
  assert.match(
    (await arriveAs({ ...person, email_verified: "true" }, { createAccounts })).text,
    /which organization/,
  )
  const elsewhere = { ...person, email: "grace@evil.example", email_verified: true }
  assert.match((await arriveAs(elsewhere, { createAccounts })).text, /another organization/)
  const group = { createAccounts: { domains: [], claim: { name: "groups", value: "staff" } } }
  assert.match((await arriveAs({ ...person, groups: ["guests"] }, group)).text, /not in the group/)
  assert.equal((await arriveAs({ ...person, email_verified: true }, { createAccounts })).status, 303)
  const { accountByName } = await server.store.read({ accountByName: "grace" })
  assert.equal(accountByName?.admin, false)
  assert.equal((await arriveAs({ ...person, groups: [] }, group)).status, 303, "the link is kept")
})

test("UP-7 a taken name is asked for, and leads to no existing account", async () => {
  providers.set("corp", providerAt(host.url, { createAccounts: { domains: [], claim: null } }))
  upstream.idToken = { sub: "p2", preferred_username: "ada" }
  const { browser, page } = await comeBack()
  assert.match(page.text, /Choose a username/)
  const taken = await browser.submit(page, "/sign-in/with/corp/username", { username: "ADA" })
  assert.match(taken.text, /is taken/)
  const done = await browser.submit(taken, "/sign-in/with/corp/username", { username: "ada2" })
  assert.equal(done.status, 303)
  assert.match((await browser.get("/account")).text, /ada2/)
  const again = await browser.submit(taken, "/sign-in/with/corp/username", { username: "ada3" })
  assert.equal(again.status, 403, "the ticket works once")
})
