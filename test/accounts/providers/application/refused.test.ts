import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, test } from "node:test"
import { SignJWT } from "jose"
import type { Browser } from "../../../support/browser.ts"
import { authorizePath, newVerifier } from "../../../support/connect.ts"
import { keysOf, Product } from "../../../support/product.ts"
import { type Page, ProductVisits } from "../../../support/product-visits.ts"
import { recordLog } from "../../../support/record-log.ts"

const { log, lines } = recordLog()
const visits = await ProductVisits.open({ log })
const { server, product, clock } = visits
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey

// The windows of all limits are over then.
afterEach(() => clock.advance(3600))

const person = { sub: "u-1", username: "ada", name: "Secret Name", email: "secret@example.org" }
const STALE = /This sign-in took too long, was used before, or began in another browser\. Go back to/
const INVALID = /The answer of .*The shop.* could not be verified/
const UNREACHABLE = /cannot be checked right now/

const logged = new Set<string>()

/** Checks the page of a refused answer and the reason in the log. */
async function refused(
  page: Page,
  { status, text, reason }: { status: number; text: RegExp; reason: string },
  browser?: Browser,
): Promise<void> {
  assert.equal(page.status, status, `${reason}: ${page.text}`)
  assert.match(page.text, text, reason)
  assert.match(
    page.text,
    /<form class="stack" method="post" action="\/sign-in\/with\/shop">[^]*Go back to .*The shop/,
    reason,
  )
  assert.doesNotMatch(page.text, /type="password"|Secret Name/, reason)
  const found = lines.filter(({ provider, detail }) => provider === "shop" && detail !== undefined)
  logged.add(reason)
  assert.deepEqual(
    found.map(({ detail }) => detail),
    [reason],
  )
  const [, number = ""] = /Request number <code>([^<]+)<\/code>/.exec(page.text) ?? []
  assert.equal(found[0]?.["request_id"], number, "the page names the request as the log does")
  assert.doesNotMatch(JSON.stringify(lines), /Secret Name|secret@|eyJ/, reason)
  if (browser !== undefined) assert.equal((await browser.get("/account")).status, 303, "no one is signed in")
  lines.length = 0
}

const invalid = (reason: string) => ({ status: 502, text: INVALID, reason })
const stale = (reason: string) => ({ status: 403, text: STALE, reason })

/** Comes back with an assertion that differs in one place. */
async function comeBack(claims: object, signing: object = {}) {
  const browser = visits.browser()
  const url = await product.answer(await visits.begin(browser), { ...person, ...claims }, signing)
  return { browser, page: await browser.get(visits.pathOf(url)) }
}

test("LOGIN-4, LOGIN-7, LOGIN-8 each wrong claim has a page that leads back, and a reason in the log", async () => {
  const now = () => clock.now()
  const cases: readonly (readonly [object, string])[] = [
    [{ iss: "other" }, "issuerWrong"],
    [{ iss: undefined }, "issuerWrong"],
    [{ aud: "https://other.example" }, "audienceWrong"],
    [{ aud: `${server.issuer}/` }, "audienceWrong"],
    [{ aud: [server.issuer, "https://other.example"] }, "audienceWrong"],
    [{ aud: undefined }, "audienceWrong"],
    [{ iat: undefined }, "notYetValid"],
    [{ iat: now() + 31, exp: now() + 60 }, "notYetValid"],
    [{ nbf: now() + 31 }, "notYetValid"],
    [{ exp: now() + 61 }, "lifetimeTooLong"],
    [{ iat: now() - 10, exp: now() + 51 }, "lifetimeTooLong"],
    [{ jti: undefined }, "idMissing"],
    [{ jti: "" }, "idMissing"],
    [{ jti: 5 }, "idMissing"],
    [{ sub: undefined }, "subjectWrong"],
    [{ sub: "" }, "subjectWrong"],
    [{ sub: 5 }, "subjectWrong"],
    [{ sub: "a\u0000b" }, "subjectWrong"],
    [{ sub: "u 1" }, "subjectWrong"],
    [{ sub: "u-1\ufe0f" }, "subjectWrong"],
    [{ sub: "x".repeat(256) }, "subjectWrong"],
  ]
  for (const [claims, reason] of cases) {
    const { browser, page } = await comeBack(claims)
    await refused(page, invalid(reason), browser)
  }
  for (const claims of [{ iat: now() - 90, exp: now() - 30 }, { exp: undefined }]) {
    const { browser, page } = await comeBack(claims)
    await refused(page, stale("expired"), browser)
  }
})

test("LOGIN-4, LOGIN-7 an assertion with another key, algorithm or type is refused", async (t) => {
  t.after(() => visits.offer())
  await refused((await comeBack({}, { key: stranger })).page, invalid("signatureWrong"))
  await refused((await comeBack({}, { kid: "unknown" })).page, invalid("keyUnknown"))
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  await refused((await comeBack({}, { alg: "RS256", key: privateKey })).page, invalid("algorithmRefused"))
  const secret = Buffer.from("a shared secret of the product, long enough")
  const isHmac = { alg: "HS256", key: secret }
  await refused((await comeBack({}, isHmac)).page, invalid("algorithmRefused"))
  const browser = visits.browser()
  const asked = await visits.begin(browser)
  const assertion = await product.assertion(asked, person)
  const [header = "", claims = ""] = assertion.split(".")
  const path = (jwt: string) => `/sign-in/with/shop/callback?assertion=${jwt}`
  const withHeader = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const none = `${withHeader({ alg: "none" })}.${claims}.x`
  await refused(await browser.get(path(none)), invalid("algorithmRefused"), browser)
  const other = visits.browser()
  await visits.begin(other)
  const broken: readonly (readonly [string, string])[] = [
    ["", "malformed"],
    ["a.b.c", "malformed"],
    [`${header}.${claims}`, "malformed"],
    [`${withHeader({ alg: "ES256", crit: ["x"] })}.${claims}.x`, "malformed"],
    [`${withHeader({ alg: "ES256", typ: "at+jwt" })}.${claims}.x`, "typeWrong"],
    [`${assertion}&assertion=${assertion}`, "malformed"],
    ["x".repeat(8193), "tooLong"],
  ]
  for (const [jwt, reason] of broken) await refused(await other.get(path(jwt)), invalid(reason), other)
  await refused(await other.get("/sign-in/with/shop/callback"), invalid("malformed"), other)
})

test("LOGIN-5, LOGIN-7 an assertion works only in the browser of its challenge, and there once", async () => {
  const owner = visits.browser()
  const asked = await visits.begin(owner)
  const path = await visits.answer(asked, { ...person, sub: "u-2", username: "grace" })
  const thief = visits.browser()
  await refused(await thief.get(path), stale("challengeUnknown"), thief)
  await visits.begin(thief)
  await refused(await thief.get(path), stale("challengeUnknown"), thief)
  assert.equal((await owner.get(path)).status, 303)
  await refused(await owner.get(path), stale("challengeUnknown"))
})

test("LOGIN-5 the same jti never counts twice, also for another challenge", async () => {
  const jti = "one id of an assertion"
  assert.equal((await comeBack({ jti, sub: "u-3", username: "joan" })).page.status, 303)
  const { browser, page } = await comeBack({ jti, sub: "u-3", username: "joan" })
  await refused(page, stale("replayed"), browser)
})

test("LOGIN-5 a challenge in the assertion that no sign-in of this browser has is refused", async () => {
  for (const challenge of ["another", "", undefined, 5]) {
    const { browser, page } = await comeBack({ challenge })
    await refused(page, stale("challengeUnknown"), browser)
  }
})

test("LOGIN-5, LOGIN-7 two tabs sign in, one after the other, and a late one leads back", async () => {
  const browser = visits.browser()
  const [one, two, late] = [
    await visits.begin(browser),
    await visits.begin(browser),
    await visits.begin(browser),
  ]
  const who = { ...person, sub: "u-4", username: "mary" }
  assert.equal((await browser.get(await visits.answer(two, who))).status, 303)
  assert.equal((await browser.get(await visits.answer(one, who))).status, 303)
  clock.advance(601)
  await refused(await browser.get(await visits.answer(late, who)), stale("signInLate"))
})

test("LOGIN-7 an assertion of another application, or at the callback of another, is refused", async (t) => {
  const other = new Product(() => clock.now(), "forum")
  visits.providers.set("forum", other.provider())
  t.after(() => visits.providers.delete("forum"))
  const browser = visits.browser()
  const asked = await visits.begin(browser)
  await refused(await browser.get(visits.pathOf(await other.answer(asked, person))), invalid("issuerWrong"))
  const forged = await other.answer(await visits.begin(browser), { ...person, iss: "shop" })
  await refused(await browser.get(visits.pathOf(forged)), invalid("signatureWrong"))
  const path = await visits.answer(await visits.begin(browser), person)
  const elsewhere = await browser.get(path.replace("/with/shop/", "/with/forum/"))
  assert.equal(elsewhere.status, 403)
  assert.match(elsewhere.text, STALE)
  lines.length = 0
})

test("LOGIN-7 while the keys of the application cannot be had, the page says to wait", async (t) => {
  t.after(() => visits.offer())
  visits.offer({ keys: { kind: "url", jwksUri: "https://missing.example/jwks", allowedRanges: null } })
  const { browser, page } = await comeBack({})
  lines.splice(0, lines.length, ...lines.filter(({ provider }) => provider === "shop"))
  await refused(page, { status: 503, text: UNREACHABLE, reason: "keysUnavailable" }, browser)
})

test("LOGIN-7 the way back starts the same sign-in again, with what waits for it", async () => {
  const app = await server.addApp()
  const path = authorizePath(app, newVerifier().challenge, {})
  const browser = visits.browser()
  const asked = await visits.begin(browser, path)
  const page = await browser.get(await visits.answer(asked, { ...person, sub: "" }))
  const again = await browser.submit(page, "/sign-in/with/shop", {})
  const [, url = ""] = /^0; url=(.+)$/.exec(again.headers.get("refresh") ?? "") ?? []
  const back = await browser.get(await visits.answer(url, { ...person, sub: "u-5", username: "rosa" }))
  assert.equal(back.location, path)
  lines.length = 0
})

test("LOGIN-5 a callback without a cookie reads nothing of the assertion", async () => {
  const huge = "x".repeat(8000)
  const page = await visits.browser().get(`/sign-in/with/shop/callback?assertion=${huge}`)
  await refused(page, stale("challengeUnknown"))
})

test("LOGIN-4 a public key is never a shared secret", async (t) => {
  t.after(() => visits.offer())
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  visits.offer({ keys: keysOf(publicKey) })
  const pem = publicKey.export({ type: "spki", format: "pem" })
  const browser = visits.browser()
  const asked = await visits.begin(browser)
  const challenge = new URL(asked).searchParams.get("challenge")
  const now = clock.now()
  const jwt = await new SignJWT({
    ...person,
    challenge,
    iss: "shop",
    aud: server.issuer,
    jti: "x",
    iat: now,
    exp: now + 60,
  })
    .setProtectedHeader({ alg: "HS256" })
    .sign(Buffer.from(pem))
  await refused(
    await browser.get(`/sign-in/with/shop/callback?assertion=${jwt}`),
    invalid("algorithmRefused"),
  )
})

test("LOGIN-8 docs/your-login.md names each reason that the tests above found in the log, and no other", () => {
  const file = join(import.meta.dirname, "../../../../docs/your-login.md")
  const [, section = ""] = readFileSync(file, "utf8").split("## When it does not work")
  const listed = [...section.matchAll(/`([a-z]+[A-Z][A-Za-z]+|expired|malformed|replayed)`/g)]
  assert.deepEqual([...new Set(listed.map(([, name]) => name))].toSorted(), [...logged].toSorted())
})
