/** Set-up, sign-in and the account's own page. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { renderAccount } from "../../src/page/account.ts"
import { renderError } from "../../src/page/error.ts"
import { renderSetup } from "../../src/page/setup.ts"
import { renderSignIn, type SignInInput } from "../../src/page/sign-in.ts"
import { formsOf, type Tag, tagsOf, textOf, valueOf } from "./markup.ts"
import { account, app, HOSTILE, setup, signIn } from "./sample.ts"

const named = (page: string, name: string): Tag | undefined => formsOf(page)[0]?.inputs.get(name)
const focused = (page: string) =>
  tagsOf(page).flatMap(({ attributes }) => (attributes.has("autofocus") ? [attributes.get("name")] : []))
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

test("AUTHZ-9 sign-in on the way to an app names it and keeps where to go on", () => {
  const page = signInWith({ app, continueTo: HOSTILE })
  assert.ok(textOf(page).includes("Sign in to continue to Notebook Sync"))
  assert.equal(valueOf(formsOf(page)[0], "continue"), HOSTILE)
})

test("a failed sign-in says so aloud, keeps the username, and does not tell which of the two was wrong", () => {
  const page = signInWith({ username: HOSTILE, problem: { problem: "wrong" } })
  assert.match(page, /role="alert"/)
  assert.ok(textOf(page).includes("The username or the password is not right."))
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
  assert.deepEqual([...(form?.inputs.keys() ?? [])], ["csrf", "link", "username", "password"])
  assert.equal(valueOf(form, "link"), "link-secret")
  assert.equal(named(page, "password")?.attributes.get("autocomplete"), "new-password")
  assert.ok(textOf(page).includes("At least 12 characters."))
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

test("GRANT-1, CRED-4 the account page lists who holds access, to what, since when and until when", () => {
  const page = renderAccount(account)
  const text = textOf(page)
  for (const part of [
    "Signed in as ada",
    "Notebook Sync Ada's laptop",
    "See your files",
    "Change the settings (administration)",
    "Since 12 March 2026",
    "Last renewed 15 March 2026",
    "Ends 12 March 2027",
  ])
    assert.ok(text.includes(part), part)
  assert.deepEqual(
    formsOf(page).map(({ action }) => action),
    ["/sign-out", "/account/end-access"],
  )
  assert.match(page, /<time datetime="2027-03-12">/)
})

test("the account page is pleasant without an app, and honest about one that reaches nothing", () => {
  assert.ok(textOf(renderAccount({ ...account, access: [] })).includes("No app has access to your account."))
  const access = account.access.map((held) => ({ ...held, permissions: [], refreshedAt: null }))
  const text = textOf(renderAccount({ ...account, admin: false, access }))
  assert.ok(text.includes("It can do nothing at the moment."))
  assert.ok(!text.includes("Last renewed"))
  assert.ok(!text.includes("Administrator of this service"))
})

test("a fault's page carries the number to ask about, and a throttled one the wait", () => {
  const fault = renderError({ basePath: "", error: { kind: "fault" }, requestId: "req-7" })
  assert.ok(textOf(fault).includes("Request number req-7"))
  const throttled = renderError({ basePath: "", error: { kind: "throttled", retryAfterSeconds: 600 } })
  assert.ok(textOf(throttled).includes("Wait 10 minutes, then try again."))
})
