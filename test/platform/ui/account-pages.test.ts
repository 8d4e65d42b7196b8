/** Tests set-up, sign-in and the page of an account. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { PASSWORD_LENGTH } from "../../../src/kernel/account-limits.ts"
import { english, samplePage } from "../../support/page-input.ts"
import { renderAccount } from "../../../src/apps/installations/installations.view.ts"
import { browserInWords } from "../../../src/accounts/sessions/browser-name.ts"
import { renderBrowsers } from "../../../src/accounts/sessions/browsers.view.ts"
import { type EndAccessInput, renderEndAccess } from "../../../src/apps/installations/end-access.view.ts"
import type { AccessView } from "../../../src/apps/installations/installation.view.ts"
import { renderError } from "../../../src/platform/ui/error.ts"
import { renderSetup } from "../../../src/accounts/set-up/set-up.view.ts"
import { renderSignIn, type SignInInput } from "../../../src/accounts/factors/sign-in.view.ts"
import { formsOf, type Tag, tagsOf, textOf, valueOf } from "./markup.ts"
import { access, account, app, browsers, endAccess, HOSTILE, knownApp, setup, signIn } from "./sample.ts"

const named = (page: string, name: string): Tag | undefined => formsOf(page)[0]?.inputs.get(name)
const focused = (page: string) =>
  tagsOf(page).flatMap(({ attributes }) => (attributes.has("autofocus") ? [attributes.get("name")] : []))
const withAccess = (more: Partial<AccessView>) => ({
  ...account,
  groups: account.groups.map((one) => ({ ...one, access: [{ ...access, ...more }] })),
})
const signInWith = (more: Partial<SignInInput>) => renderSignIn({ ...signIn, ...more })

test("sign-in asks for username and password, and a password manager knows them", () => {
  const page = renderSignIn(signIn)
  const [form] = formsOf(page)
  assert.equal(form?.action, "/sign-in")
  assert.deepEqual([...(form?.inputs.keys() ?? [])], ["csrf", "username", "password"])
  assert.equal(named(page, "username")?.attributes.get("autocomplete"), "username")
  assert.equal(named(page, "password")?.attributes.get("autocomplete"), "current-password")
  assert.equal(named(page, "password")?.attributes.get("type"), "password")
  assert.equal(named(page, "password")?.attributes.has("value"), false)
  assert.deepEqual(focused(page), ["username"])
})

test("sign-in of a service without an account says where the first one comes from", () => {
  const says = (isServiceEmpty: boolean) =>
    textOf(signInWith({ isServiceEmpty })).includes("No account exists yet.")
  assert.deepEqual([says(true), says(false)], [true, false])
})

test("AUTHZ-9 sign-in on the way to an app names it and keeps where to go on", () => {
  const page = signInWith({ app, continueTo: HOSTILE })
  assert.ok(textOf(page).includes("Sign in to continue to Notebook Sync"))
  assert.equal(valueOf(formsOf(page)[0], "continue"), HOSTILE)
})

test("a failed sign-in says so aloud, keeps the username, and does not tell which of the two was wrong", () => {
  const page = signInWith({ username: HOSTILE, problem: { problem: "wrong" } })
  assert.match(page, /role="alert"/)
  assert.ok(textOf(page).includes("The username or password is not correct."))
  assert.equal(valueOf(formsOf(page)[0], "username"), HOSTILE)
  for (const name of ["username", "password"]) {
    assert.equal(named(page, name)?.attributes.get("aria-describedby"), "problem")
    assert.equal(named(page, name)?.attributes.get("aria-invalid"), "true")
  }
  assert.deepEqual(focused(page), ["password"])
})

test("a throttled sign-in says how long to wait, and blames no field", () => {
  const page = signInWith({ problem: { problem: "throttled", retryAfterSeconds: 241 } })
  assert.ok(textOf(page).includes("Wait 5 minutes, then try again."))
  assert.doesNotMatch(page, /aria-invalid=/)
})

test("set-up posts the link's secret with the first administrator's name and new password", () => {
  const page = renderSetup(setup)
  const [form] = formsOf(page)
  assert.equal(form?.action, "/setup")
  assert.deepEqual([...(form?.inputs.keys() ?? [])], ["csrf", "link", "username", "password", "service"])
  assert.equal(valueOf(form, "link"), "link-secret")
  assert.equal(named(page, "password")?.attributes.get("autocomplete"), "new-password")
  assert.ok(textOf(page).includes(`At least ${PASSWORD_LENGTH.least} characters.`))
  assert.ok(textOf(page).includes("What comes next"))
})

test("a problem of set-up stands at its field and takes the focus there", () => {
  const page = renderSetup({
    ...setup,
    username: "ada",
    problems: [{ field: "password", message: "Use at least 12 characters." }],
  })
  assert.equal(named(page, "password")?.attributes.get("aria-describedby"), "password-problem password-hint")
  assert.equal(named(page, "username")?.attributes.has("aria-invalid"), false)
  assert.deepEqual(focused(page), ["password"])
  assert.match(page, /role="alert"/)
})

test("MISC-1 the account page and the page that ends access say who registered an app, verified or not", () => {
  for (const [registeredBy, ownerName, verified, line] of [
    ["administrator", null, false, "Registered by an administrator"],
    ["administrator", "grace", true, "Registered by an administrator. Verified by this service"],
    ["user", "grace", false, "Registered by a user: grace"],
    ["user", "grace", true, "Registered by a user: grace . Verified by this service"],
    ["user", null, true, "Registered by a user. Verified by this service"],
    ["itself", null, false, "Registered itself, not checked by this service"],
    ["itself", null, true, "Registered itself. Verified by this service"],
  ] as const) {
    const known = { ...knownApp, registeredBy, ownerName, verified }
    const pages = [
      renderAccount({ ...account, groups: [{ app: known, installations: 1, access: [access] }] }),
      renderEndAccess({ ...endAccess, ended: { of: "app", app: known, installations: 2 } }),
    ]
    for (const page of pages) assert.ok(textOf(page).includes(`Notebook Sync ${line}`), textOf(page))
  }
})

test("GRANT-1, CRED-4 the account page lists who holds access, to what, since when, from where and until when", () => {
  const page = renderAccount(account)
  const text = textOf(page)
  for (const part of [
    "Signed in as ada",
    "Notebook Sync Registered by an administrator",
    "Ada's laptop See your files",
    "Change the settings (administration)",
    "Allowed 12 March 2026",
    "Last used 2 hours ago",
    "Network address 192.0.2.7",
    "Ends 12 March 2027",
  ])
    assert.ok(text.includes(part), part)
  assert.match(
    page,
    /<time datetime="2026-03-12T07:20:00\.000Z" title="12 March 2026, 07:20:00 UTC">12 March 2026</,
  )
  assert.ok(!text.includes("unless it is used"))
  const idle = renderAccount(withAccess({ usedFrom: null, isIdleEnd: true }))
  assert.ok(textOf(idle).includes("Ends 12 March 2027 , unless it is used"))
  assert.ok(!textOf(idle).includes("Network address"))
})

test("GRANT-1 what label and day do not tell apart, the time of the day does", () => {
  const allowed = (later: Partial<AccessView>) => {
    const both = [access, { ...access, tokenId: "02token", ...later }]
    const page = renderAccount({ ...account, groups: [{ app: knownApp, installations: 2, access: both }] })
    return [...textOf(page).matchAll(/Allowed (.*?) Ends/g)].map(([, text]) => text)
  }
  const at = access.consentedAt
  assert.deepEqual(allowed({ consentedAt: at + 60 }), ["12 March 2026, 07:20", "12 March 2026, 07:21"])
  assert.deepEqual(allowed({ consentedAt: at + 86_400 }), ["12 March 2026", "13 March 2026"])
  assert.deepEqual(allowed({ installationName: "Phone" }), ["12 March 2026", "12 March 2026"])
})

test("CRED-3 what was ended is announced once, also to screen readers", () => {
  const page = renderAccount({ ...account, done: "all-ended" })
  assert.match(page, /role="status"/)
  assert.ok(textOf(page).includes("All access has ended."))
  assert.doesNotMatch(renderAccount(account), /role="status"/)
})

test("CRED-3 the account page changes nothing by itself: one access, one app and all apps are links to a question", () => {
  const two = { ...account.groups[0], app: knownApp, installations: 7, access: [access, access] }
  const page = renderAccount({ ...account, groups: [two], installations: 7 })
  assert.deepEqual(
    formsOf(page).map(({ action }) => action),
    ["/sign-out"],
  )
  const links = tagsOf(page).flatMap(({ attributes }) => attributes.get("href") ?? [])
  for (const query of ["token_id=01token", "app=01client", "all=yes"])
    assert.ok(links.includes(`/account/end-access?${query}`), query)
  assert.ok(links.includes("/account?app=01client"))
})

test("CRED-3 the question says what ends, and its form names exactly that", () => {
  const about = (ended: EndAccessInput["ended"]) => formsOf(renderEndAccess({ ...endAccess, ended })).at(-1)
  const one = about(endAccess.ended)
  assert.equal(one?.action, "/account/end-access")
  assert.equal(valueOf(one, "token_id"), "01token")
  assert.equal(valueOf(about({ of: "app", app: knownApp, installations: 12 }), "app"), "01client")
  assert.equal(valueOf(about({ of: "everything", installations: 2, apps: 1 }), "all"), "yes")
  const text = textOf(renderEndAccess(endAccess))
  assert.ok(text.includes("End the access of Notebook Sync ?"))
  assert.ok(text.includes("Ada's laptop"))
})

test("the account page is pleasant without an app, and honest about one that reaches nothing", () => {
  const empty = renderAccount({ ...account, groups: [], installations: 0 })
  assert.ok(textOf(empty).includes("No app has access to your account."))
  const text = textOf(renderAccount({ ...withAccess({ permissions: [] }), admin: false }))
  assert.ok(text.includes("It can do nothing at the moment."))
  assert.ok(!text.includes("administrator of this service"))
  const disabled = account.groups.map((one) => ({ ...one, app: { ...knownApp, enabled: false } }))
  assert.ok(textOf(renderAccount({ ...account, groups: disabled })).includes("This app is disabled"))
})

test("the way to the console is there for administrators alone", () => {
  const leads = (admin: boolean) =>
    tagsOf(renderAccount({ ...account, admin })).some(
      ({ attributes }) => attributes.get("href") === "/console",
    )
  assert.deepEqual([leads(true), leads(false)], [true, false])
})

test("a browser is named from its user agent, and not named if the table does not know it", () => {
  const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0"
  const said: Readonly<Record<string, string>> = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/139.0.0.0`]: "Edge on Windows",
    [`Mozilla/5.0 (Linux; Android 15) ${chrome} Mobile Safari/537.36`]: "Chrome on Android",
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`]: "Chrome on ChromeOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1":
      "Safari on iPhone",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15":
      "Safari on a Mac",
    "Mozilla/5.0 (X11; Linux x86_64)": "A browser on Linux",
    "curl/8.14.1": "A browser",
    "": "A browser",
    [HOSTILE]: "A browser",
  }
  for (const [userAgent, words] of Object.entries(said))
    assert.equal(browserInWords(english, userAgent), words)
})

test("signed-in browsers: this one is marked and has no button; the others are signed out one by one or together", () => {
  const page = renderBrowsers(browsers)
  const text = textOf(page)
  assert.ok(text.includes("Firefox on Linux This browser"))
  assert.ok(text.includes("Network address 2001:db8::1"))
  const forms = formsOf(page).filter(({ action }) => action === "/account/security/browsers")
  assert.deepEqual(
    forms.map((form) => valueOf(form, "reference") ?? valueOf(form, "others")),
    ["other", "yes"],
  )
  const alone = renderBrowsers({ ...browsers, browsers: browsers.browsers.slice(0, 1) })
  assert.deepEqual(formsOf(alone).length, 1)
})

test("a fault's page carries the number to ask about, and a throttled one the wait", () => {
  const fault = renderError({ ...samplePage(), error: { kind: "fault" }, requestId: "req-7" })
  assert.ok(textOf(fault).includes("Request number req-7"))
  const throttled = renderError({ ...samplePage(), error: { kind: "throttled", retryAfterSeconds: 600 } })
  assert.ok(textOf(throttled).includes("Wait 10 minutes, then try again."))
})
