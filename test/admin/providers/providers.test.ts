import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, test } from "node:test"
import { linkAccount, unlinkAccount } from "../../../src/accounts/providers/link.ts"
import { checkProvider } from "../../../src/admin/providers/check.ts"
import { relinkProvider } from "../../../src/admin/providers/relink.ts"
import { callbackUrl } from "../../../src/accounts/providers/leave.ts"
import { identityText } from "../../../src/model/sign-in/identity.rules.ts"
import type { OpenIdProvider } from "../../../src/model/sign-in/provider.rules.ts"
import type { ClientId, Permission } from "../../../src/kernel/ids.ts"
import { digest } from "../../../src/kernel/hash.ts"
import { examine } from "../../../src/cli/doctor/examine.ts"
import { Browser } from "../../support/browser.ts"
import { testClock } from "../../support/clock.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { OidcProvider, ProviderHost, providerAt } from "../../support/oidc.ts"
import { OneProcess } from "../../support/one-process.ts"
import { newDirectory } from "../../support/spawn.ts"
import { providerFixture } from "../../support/provider-visits.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { clock, host, upstream, providers, server } = await providerFixture({ admins: ["chief"] })
providers.set("corp", providerAt(host.url))

afterEach(() => {
  upstream.reset()
  providers.set("corp", providerAt(host.url))
  clock.advance(60)
})

const check = async (more: Partial<OpenIdProvider> = {}) => {
  const findings = await checkProvider(server.latchkey, providerAt(host.url, more), server.issuer)
  return findings.map(({ check: what, state, seen }) => `${what} ${state}: ${seen}`).join("\n")
}

test("UP-14 a check passes with a real provider, and says so of its client", async (t) => {
  const real = await ProviderHost.open()
  t.after(() => real.close())
  new OidcProvider(real).accept(callbackUrl(server.issuer, "corp"))
  const services = { ...server.latchkey, clock: testClock(Math.floor(Date.now() / 1000)) }
  const states = async (more: Partial<OpenIdProvider> = {}) =>
    (await checkProvider(services, providerAt(real.url, more), server.issuer)).map(({ state }) => state)
  assert.deepEqual(await states(), ["fine", "fine", "fine", "fine", "fine"])
  const wrong = await states({ secret: { kind: "secret", secret: "another" } })
  assert.deepEqual(wrong, ["fine", "fine", "fine", "fine", "problem"])
})

test("UP-14 a check looks at userinfo", async () => {
  const answered = async (status: number, headers: Record<string, string> = {}, body = "{}") => {
    clock.advance(60)
    upstream.answer = (path, response) => {
      if (path !== "/me") return false
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
      return true
    }
    const lines = await check()
    return lines.split("\n").find((line) => line.startsWith("userinfo")) ?? ""
  }
  const html = { "content-type": "text/html" }
  for (const status of [400, 401, 403]) {
    assert.match(await answered(status), /^userinfo fine: .*\/me asks for a token/)
    assert.match(await answered(status, html, ""), /^userinfo fine/)
  }
  assert.match(await answered(200), /^userinfo problem: .*does not refuse a token.*status 200/)
  assert.match(await answered(201), /^userinfo problem: .*status 201/)
  assert.match(await answered(404, html), /^userinfo problem: .*status 404/)
  assert.match(await answered(302, { location: "/login" }), /^userinfo problem: .*redirect/)
  assert.match(await answered(401, { "content-encoding": "gzip" }, "x"), /^userinfo problem: .*compressed/)
  assert.match(await answered(200, { "content-type": "application/jwt" }, "a.b.c"), /signed or encrypted/)
  upstream.answer = null
  upstream.metadata = { userinfo_endpoint: undefined }
  assert.match(await check(), /userinfo fine: The metadata name none/)
  upstream.metadata = { userinfo_endpoint: "http://insecure.example/me" }
  assert.match(await check(), /userinfo problem: .*does not begin with https/)
})

test("UP-14 a check names the slash at the end of the issuer, and what to write", async () => {
  upstream.metadata = { issuer: `${host.url}/` }
  assert.match(
    await check(),
    /ends with a slash there, but not here\. Write issuer: "https:\/\/localhost:\d+\/"/,
  )
  upstream.metadata = { issuer: host.url.replace(/\/$/, "") }
  const slashed = `${host.url}/`
  assert.match(await check({ issuer: slashed }), /ends with a slash here, but not there/)
  upstream.metadata = { issuer: "https://other.example" }
  assert.match(await check(), /name another issuer: "https:\/\/other\.example"/)
})

test("UP-14 a check names the missing email_verified, and rules that admit the whole world", async () => {
  upstream.answer = (path, response) => {
    if (path !== "/token") return false
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}')
    return true
  }
  upstream.metadata = { claims_supported: ["sub", "email"] }
  const domains = { createAccounts: { domains: ["example.org"], claim: null } }
  assert.match(await check(domains), /client fine[^]*claims warning: .*email_verified/)
  assert.match(await check({ ...domains, scopes: ["openid"] }), /need the scope email/)
  assert.match(await check({ ...domains, preset: "entra" }), /xms_edov/)
})

test("UP-14 a check names a redirect URI that is not registered, and the one to register", async (t) => {
  const real = await ProviderHost.open()
  t.after(() => real.close())
  const services = { ...server.latchkey, clock: testClock(Math.floor(Date.now() / 1000)) }
  const redirect = async (baseUrl: string | null) =>
    (await checkProvider(services, providerAt(real.url), baseUrl)).find(
      ({ check: what }) => what === "redirect URI",
    )
  new OidcProvider(real).accept("https://other.example/sign-in/with/corp/callback")
  const wrong = await redirect(server.issuer)
  assert.equal(wrong?.state, "problem", wrong?.seen)
  assert.ok(wrong.seen.includes(`Register exactly ${callbackUrl(server.issuer, "corp")} there.`), wrong.seen)
  assert.match((await redirect(null))?.seen ?? "", /--base-url/)
  new OidcProvider(real).accept(callbackUrl(server.issuer, "corp"))
  assert.equal((await redirect(server.issuer))?.state, "fine")
})

test("UP-14 a check names claims that a rule needs and the provider does not list", async () => {
  upstream.metadata = { claims_supported: ["sub", "email"] }
  const authoritative = { authoritativeDomains: ["example.org"] }
  assert.match(await check(authoritative), /claims warning: .*email_verified/)
  assert.match(await check({ ...authoritative, scopes: ["openid"] }), /claims warning: .*the scope email/)
  assert.match(
    await check({ ...authoritative, preset: "entra" }),
    /claims warning: Entra sends no email_verified/,
  )
  const groups = { name: "groups", value: "admins" }
  assert.match(await check({ administrators: groups }), /claims warning: .* the claim groups/)
  assert.match(
    await check({ createAccounts: { domains: [], claim: groups } }),
    /claims warning: .* the claim groups/,
  )
  assert.doesNotMatch(await check({ ...authoritative, preset: "keycloak" }), /claims warning/)
  upstream.metadata = {}
  assert.match(await check(authoritative), /claims fine: .*email_verified.*the boolean true/)
  assert.doesNotMatch(await check(), /claims/, "without rules there is nothing to say")
})

test("UP-14 a provider that is down is a problem, and a dead set of keys too", async () => {
  upstream.answer = (path, response) => {
    if (path !== "/jwks") return false
    response.writeHead(200, { "content-type": "application/json" }).end('{"keys":[]}')
    return true
  }
  assert.match(await check(), /keys problem: There are no keys/)
  const dead = await ProviderHost.open()
  const { url } = dead
  await dead.close()
  const findings = await checkProvider(server.latchkey, providerAt(url), null)
  assert.deepEqual(
    findings.map(({ state }) => state),
    ["problem"],
  )
})

test("UP-14 the console shows the providers and checks one", async () => {
  const chief = await signedInBrowser(server, "chief")
  assert.match((await chief.get("/console/settings")).text, /Sign-in providers/)
  const page = await chief.get("/console/providers")
  assert.match(page.text, new RegExp(callbackUrl(server.issuer, "corp")))
  const checked = await chief.submit(page, "/console/providers", {})
  assert.match(checked.text, /Check of Work/)
  assert.equal((await new Browser(server.url).get("/console/providers")).text.includes("Check"), false)
})

test("ORG-11 the check and the console name the apps and the permissions of assertions", async () => {
  const assertions = {
    clients: ["abc", "https://agent.example/client"] as ClientId[],
    permissions: ["account:read", "files:read"] as Permission[],
  }
  const named = "connects abc, https://agent.example/client with at most account:read, files:read"
  const found = await check({ assertions })
  const lines = `assertions fine: The provider ${named}, without a consent.\nassertions warning: There is no app abc.`
  assert.ok(found.endsWith(`\n${lines}`), found)
  assert.doesNotMatch(found, /There is no app https/)
  upstream.answer = (_path, response) => response.writeHead(500).end() !== null
  const down = await check({ assertions, issuer: `${host.url}/away` })
  assert.ok(down.startsWith(`${lines}\nmetadata problem`), down)
  providers.set("corp", providerAt(host.url, { assertions }))
  const chief = await signedInBrowser(server, "chief")
  assert.match((await chief.get("/console/providers")).text, new RegExp(named, "i"))
})

test("UP-14 doctor follows the button of a provider and stops before it", async () => {
  const named = async () =>
    (await examine(server.url, null)).filter(({ check: what }) => what.startsWith("sign-in with"))
  const [fine, notice] = await named()
  assert.equal(fine?.state, "fine", fine?.seen)
  assert.ok(
    notice?.advice?.includes(callbackUrl(server.issuer, "corp")),
    "the usual mistakes: the redirect URI",
  )
  assert.match(
    notice?.advice ?? "",
    /email_verified.*provider check corp/,
    "and claims that are not released",
  )
  upstream.metadata = { issuer: `${host.url}/` }
  providers.set("corp", providerAt(host.url))
  const [problem] = await named()
  assert.equal(problem?.state, "problem")
  assert.match(problem?.advice ?? "", /provider check corp/)
})

test("UP-15 a provider whose issuer changed is relinked, first dry, and not onto another account", async () => {
  const old = providerAt("https://old.example", { name: "moved" })
  for (const name of ["ada", "bob"]) {
    await server.addAccount(name)
    assert.ok((await linkAccount(server.latchkey, old, name, `sub-${name}`, OPERATOR)).ok)
  }
  const present = providerAt("https://new.example", { name: "moved" })
  const dry = await relinkProvider(server.latchkey, present, true)
  assert.ok(dry.ok)
  assert.deepEqual(dry.value.map(({ username, isTaken }) => [username, isTaken]).toSorted(), [
    ["ada", false],
    ["bob", false],
  ])
  const holder = async (issuer: string) => {
    const identity = digest(identityText({ issuer, subject: "sub-ada" }))
    return (await server.store.read({ identity })).identity?.userId
  }
  assert.equal(await holder("https://new.example"), undefined)
  assert.ok((await linkAccount(server.latchkey, present, "chief", "sub-bob", OPERATOR)).ok)
  const taken = await relinkProvider(server.latchkey, present, false)
  assert.ok(!taken.ok && /sub-bob/.test(taken.error))
  assert.equal(await holder("https://new.example"), undefined, "nothing was changed")
  assert.ok((await unlinkAccount(server.latchkey, present, "chief", "sub-bob", OPERATOR)).ok)
  assert.ok((await relinkProvider(server.latchkey, present, false)).ok)
  assert.notEqual(await holder("https://new.example"), undefined)
  assert.equal(await holder("https://old.example"), undefined)
  const again = await relinkProvider(server.latchkey, present, false)
  assert.ok(again.ok && again.value.length === 0)
})

test("UP-15, ORG-11 the commands list, link and unlink", async (t) => {
  const dir = newDirectory(t)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, "corp.secret"), "a secret")
  writeFileSync(
    join(dir, "latchkey.yaml"),
    "sign_in_providers: [{ name: corp, issuer: https://id.example, client_id: a, client_secret_file: corp.secret," +
      " assertions: { clients: [abc], permissions: [account:read] } }]",
  )
  const process = OneProcess.start(t)
  const run = (...args: string[]) =>
    process.run([...args, "--data", dir, "--json"], { input: "correct horse battery" })
  assert.equal((await run("account", "add", "ada", "--password-stdin")).code, 0)
  const listed = await run("provider", "list", "--base-url", "https://here.example")
  assert.match(listed.stdout, /"redirect_uri": "https:\/\/here\.example\/sign-in\/with\/corp\/callback"/)
  assert.doesNotMatch(listed.stdout, /a secret/)
  const [record] = JSON.parse(listed.stdout) as { assertions: unknown }[]
  assert.deepEqual(record?.assertions, { clients: ["abc"], permissions: ["account:read"] })
  const linked = await run("account", "link", "ada", "corp", "sub-1")
  assert.equal((JSON.parse(linked.stdout) as { linked: boolean }).linked, true)
  assert.equal((await run("account", "unlink", "ada", "corp", "sub-1")).code, 0)
  assert.equal((await run("account", "unlink", "ada", "corp", "sub-1")).code, 1)
  assert.match(
    (await run("account", "link", "ada", "other", "sub-1")).stderr,
    /names no sign-in provider "other"/,
  )
})
