import assert from "node:assert/strict"
import { test } from "node:test"
import { callbackUrl } from "../../../../src/accounts/providers/leave.ts"
import { checkProvider } from "../../../../src/admin/providers/check.ts"
import { providerRecord } from "../../../../src/admin/providers/provider-record.ts"
import { examine } from "../../../../src/cli/doctor/examine.ts"
import type { ApplicationProvider, SignInProvider } from "../../../../src/model/sign-in/provider.rules.ts"
import { Browser } from "../../../support/browser.ts"
import { testClock } from "../../../support/clock.ts"
import { signedInBrowser } from "../../../support/connect.ts"
import { fixture } from "../../../support/fixture.ts"
import { leadsTo, TRUSTED } from "../../../support/oidc.ts"
import { Product } from "../../../support/product.ts"

const clock = testClock()
const product = new Product(() => clock.now())
const providers = new Map<string, SignInProvider>()
const offer = (more: Partial<ApplicationProvider> = {}) => providers.set("shop", product.provider(more))
offer()
const { testServer: server } = await fixture({ admins: ["chief"], providers, clock, outgoing: TRUSTED })

async function begin(browser = new Browser(server.url), path = "/sign-in"): Promise<string> {
  return leadsTo(await browser.submit(await browser.get(path), "/sign-in/with/shop", {}))
}

test("LOGIN-3 the browser goes to the application with a challenge, the way back and the language", async () => {
  const browser = new Browser(server.url)
  const url = new URL(await begin(browser))
  assert.equal(url.origin + url.pathname, "https://shop.example/oauth-login")
  const { challenge, ...others } = Object.fromEntries(url.searchParams)
  assert.equal(challenge?.length, 43)
  assert.deepEqual(others, {
    from: "latchkey",
    return_to: callbackUrl(server.issuer, "shop"),
    ui_locales: "en",
  })
  assert.notEqual(new URL(await begin(browser)).searchParams.get("challenge"), challenge)
  const german = new URL(await begin(new Browser(server.url, { "accept-language": "de" })))
  assert.equal(german.searchParams.get("ui_locales"), "de")
})

test("LOGIN-9 the console, the record and the check show where an application is, and its keys", async () => {
  const record = providerRecord(product.provider(), server.issuer)
  assert.deepEqual(record, {
    name: "shop",
    preset: "application",
    label: "The shop",
    issuer: "shop",
    url: "https://shop.example/oauth-login?from=latchkey",
    keys: "file",
    only: false,
    session_minutes: 10,
    manager: null,
    creates_accounts: true,
    authoritative_domains: [],
    gives_administration: false,
    gives_groups: [],
    assertions: null,
    redirect_uri: callbackUrl(server.issuer, "shop"),
  })
  const check = async (more: Partial<ApplicationProvider> = {}) => {
    const findings = await checkProvider(server.latchkey, product.provider(more), server.issuer)
    return findings.map(({ check: what, state, seen }) => `${what} ${state}: ${seen}`).join("\n")
  }
  assert.equal(
    await check(),
    "url fine: Browsers are sent to https://shop.example/oauth-login?from=latchkey. Open it to see that it answers.\n" +
      "keys fine: One key in the file.",
  )
  const secret = { kind: "secret", secret: Buffer.from("the words of both") } as const
  const shared = await check({ keys: secret })
  assert.match(shared, /^keys fine: /m)
  assert.doesNotMatch(shared, /the words of both/)
  assert.match(
    await check({ keys: { kind: "url", jwksUri: "https://missing.example/jwks", allowedRanges: null } }),
    /^keys problem: /m,
  )
  const chief = await signedInBrowser(server, "chief")
  const page = await chief.get("/console/providers")
  assert.match(page.text, /https:\/\/shop\.example\/oauth-login\?from=latchkey/)
  assert.match((await chief.submit(page, "/console/providers", {})).text, /Check of .*The shop/)
})

test("LOGIN-9 doctor follows the button of an application", async () => {
  const found = (await examine(server.url, null)).filter(({ check }) => check.startsWith("sign-in with"))
  assert.deepEqual(
    found.map(({ state, seen }) => [state, seen]),
    [["fine", `Leads to shop.example, and back to ${callbackUrl(server.issuer, "shop")}.`]],
  )
})
