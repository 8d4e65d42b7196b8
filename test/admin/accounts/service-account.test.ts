/** Tests every way of signing in with a service account. The response is the same as for a name that does not exist. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import {
  addServiceAccount,
  addAccount,
  removeAccount,
  setAccountEnabled,
  setPassword,
} from "../../../src/accounts/accounts.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { unlockAccount } from "../../../src/accounts/factors/unlock.ts"
import { resetFactors } from "../../../src/admin/accounts/factor.command.ts"
import { startSession } from "../../../src/accounts/sessions/start-session.ts"
import { offerSetUp } from "../../../src/accounts/set-up/set-up.ts"
import { endCredential } from "../../../src/oauth/credential/credential.ts"
import { ask, assertError, openWorld } from "../api/api-world.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { own, send, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { everything } from "../../support/stored.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"

const { testServer } = await fixture({ admins: ["root"] })
const userId = await testServer.addServiceAccount("ci")

const world = await openWorld()

/** A service whose service account has an owner. */
const { testServer: ownedServer, ada } = await fixture({ admins: ["ada"], browsers: ["ada"] })
await ownedServer.addServiceAccount("ci", false, "ada")

describe("SERVICE-1: a service account goes with its owner", () => {
  for (const end of ["disabled", "removed"] as const)
    test(`its tokens do not work once the owner is ${end}, and none is issued`, async () => {
      const owner = `owner-${end}`
      const robot = `robot-${end}`
      await testServer.addAccount(owner)
      const robotId = await testServer.addServiceAccount(robot, false, owner)
      const app = await testServer.addBoundApp(robot, { permissions: ["account:read"] })
      const issue = () => send(testServer, "/oauth/token", { ...own(app), grant_type: "client_credentials" })
      const issued = await issue()
      assert.equal(issued.status, 200)
      const authorization = `Bearer ${String(issued.body["access_token"])}`
      const status = async () =>
        (await fetch(`${testServer.url}/api/account`, { headers: { authorization } })).status
      assert.equal(await status(), 200)
      const ended =
        end === "removed"
          ? await removeAccount(testServer.latchkey, owner, OPERATOR)
          : await setAccountEnabled(testServer.latchkey, owner, false, OPERATOR)
      assert.ok(ended.ok)
      assert.equal(await status(), 401)
      const refused = await issue()
      assert.deepEqual([refused.status, refused.body["error"]], [400, "invalid_grant"])
      const { account } = await testServer.store.read({ account: robotId as never })
      assert.equal(account?.enabled, false)
      const enabled = await setAccountEnabled(testServer.latchkey, robot, true, OPERATOR)
      assert.equal(enabled.ok, end === "removed")
      const another = { username: `late-${end}`, admin: false, ownerName: owner, address: null }
      assert.equal((await addServiceAccount(testServer.latchkey, another)).ok, false)
    })
})

describe("SERVICE-1: signing in", () => {
  test("a service account gets the answer of an unknown name", async () => {
    const answersTo = async (name: string) => {
      const browser = new Browser(testServer.url)
      const answers = [await browser.signIn(name, PASSWORD), await browser.signIn(name, "")]
      return answers.map(({ status, text }) => [
        status,
        /<main[\s\S]*<\/main>/.exec(text)?.[0].replaceAll(/<[^>]*>/g, ""),
      ])
    }
    const answers = await answersTo("ci")
    assert.deepEqual(answers, await answersTo("xy"))
    assert.ok(answers.every(([status, text]) => status === 403 && String(text).length > 20))
    const { session, event } = await everything(testServer)
    assert.deepEqual(session, [])
    const refused = (event ?? []).filter(({ kind }) => kind === "sign-in-refused")
    assert.ok(refused.every(({ user_id }) => user_id === null))
  })

  test("no session starts for it, whatever was proven", async () => {
    const { account } = await testServer.store.read({ account: userId as never })
    assert.ok(account !== null)
    const visitor = {
      address: "192.0.2.1",
      addressKey: "192.0.2.1",
      userAgent: "",
      browserSecret: "browser",
      formerSecret: null,
    }
    for (const proven of ["password", "passkey", "totp", "recovery"] as const)
      assert.equal(await startSession(testServer.latchkey, account, proven, visitor), null)
  })

  test("it gets no password and no factor, and has none to reset or unlock", async () => {
    const services = testServer.latchkey
    const refused = await Promise.all([
      setPassword(services, "ci", PASSWORD, { ...OPERATOR, except: null }),
      addTotp(services, "ci", OPERATOR),
      resetFactors(services, "ci", OPERATOR),
      unlockAccount(services, "ci", OPERATOR),
    ])
    assert.deepEqual(
      refused.map(({ ok }) => ok),
      [false, false, false, false],
    )
    assert.deepEqual((await everything(testServer))["factor"], [])
    assert.deepEqual(await testServer.store.verify(), [])
  })

  test("it cannot be an owner, and its name is taken", async () => {
    const services = testServer.latchkey
    const owned = { username: "another", ownerName: "ci", admin: false, ...OPERATOR }
    assert.equal((await addServiceAccount(services, owned)).ok, false)
    const person = { username: "CI", password: PASSWORD, admin: false, ...OPERATOR }
    assert.equal((await addAccount(services, person)).ok, false)
  })
})

test("SERVICE-1, SVC-7: a service account neither closes the set-up nor gives its name away", async (t) => {
  const { testServer: empty } = await fixture({ span: t })
  const link = (await offerSetUp(empty.latchkey)) ?? ""
  await empty.addServiceAccount("ci", true)
  const browser = new Browser(empty.url)
  assert.match((await browser.get("/sign-in")).text, /No account exists yet/)
  const submit = async (username: string) => {
    const page = await browser.get(`/setup?link=${link}`)
    return browser.post("/setup", { ...hiddenFields(page.text, "/setup"), username, password: PASSWORD })
  }
  const taken = await submit("CI")
  assert.equal(taken.status, 400)
  assert.match(taken.text, /Choose another name/)
  assert.equal((await submit("root")).status, 303)
  await signedInBrowser(empty, "root")
})

describe("SERVICE-1, SERVICE-2: by API", () => {
  const call = (method: string, path: string, body?: unknown, token = world.full.access_token) =>
    ask(world.testServer, token, { method, path, ...(body !== undefined && { body }) })

  test("an administrator adds one, finds it, and sets no password", async () => {
    const added = await call("POST", "/api/admin/accounts", {
      username: "ci",
      account_type: "service",
      owner: "ada",
    })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    const { user_id, created_at: _, ...rest } = added.body
    assert.deepEqual(rest, {
      username: "ci",
      admin: false,
      groups: [],
      enabled: true,
      account_type: "service",
      owner: "ada",
    })
    const listed = await call("GET", "/api/admin/accounts?account_type=service")
    assert.deepEqual(
      (listed.body["items"] as { user_id: string }[]).map((one) => one.user_id),
      [user_id],
    )
    const path = `/api/admin/accounts/${String(user_id)}`
    assertError(await call("PUT", `${path}/password`, { password: PASSWORD }), 404, "NOT_FOUND")
    assertError(await call("DELETE", `${path}/factors`), 404, "NOT_FOUND")
  })

  test("what does not fit is refused, and nothing is added", async () => {
    for (const body of [
      { username: "x1", account_type: "service", password: PASSWORD },
      { username: "x2", account_type: "service", owner: "unknown" },
      { username: "x3", owner: "ada", password: PASSWORD },
      { username: "x4" },
      { username: "x5", account_type: "robot" },
    ]) {
      assertError(await call("POST", "/api/admin/accounts", body), 400, "INVALID_ARGUMENT")
      const { accountByName } = await world.testServer.store.read({ accountByName: body.username })
      assert.equal(accountByName, null)
    }
  })

  test("an administrator binds an app, and unbinds it", async () => {
    await world.testServer.addServiceAccount("robot")
    const plain = { client_type: "confidential", client_name: "Robot", scope: "account:read" }
    const added = await call("POST", "/api/admin/apps", { ...plain, service_account: "robot" })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    assert.equal(added.body["service_account"], "robot")
    const app = {
      clientId: String(added.body["client_id"]),
      secret: String(added.body["client_secret"]),
    }
    const issue = () =>
      send(world.testServer, "/oauth/token", { ...own(app), grant_type: "client_credentials" })
    const issued = await issue()
    assert.equal(issued.status, 200)
    const path = `/api/admin/apps/${app.clientId}`
    const explained = await call(
      "GET",
      `/api/admin/credentials/${String(issued.body["token_id"])}/explanation`,
    )
    assert.equal(explained.status, 200)
    assert.equal((explained.body["access_tokens"] as unknown[]).length, 1)
    assert.deepEqual([explained.body["ends_at"], explained.body["next_end"]], [null, null])
    assert.equal(explained.body["scope"], "account:read")
    const sentences = JSON.stringify(explained.body)
    assert.doesNotMatch(sentences, /account holder|registered\\"/)
    const preview = await call("PATCH", `${path}?preview=1`, { service_account: null })
    assert.equal("service_account" in preview.body, false)
    assert.equal((await issue()).status, 200, "a preview changes nothing")
    for (const service_account of ["ada", "unknown"])
      assertError(await call("PATCH", path, { service_account }), 400, "INVALID_ARGUMENT")
    assert.equal((await call("PATCH", path, { service_account: null })).status, 200)
    assert.equal((await issue()).status, 400)
    const bare = { client_type: "public", client_name: "Tool", service_account: "robot" }
    assertError(await call("POST", "/api/admin/apps", bare), 400, "INVALID_ARGUMENT")
    assertError(await call("PATCH", "/api/apps/x", { service_account: "robot" }), 400, "INVALID_ARGUMENT")
  })
})

describe("SERVICE-1, SERVICE-2: in the console", () => {
  test("the list and the account show kind and owner, and offer no password", async () => {
    const list = (await ada.get("/console/accounts")).text
    assert.match(list, /Service account<\/span>\s+of\s+<a[^>]*><bdi>ada/)
    const only = (await ada.get("/console/accounts?only=service")).text
    assert.doesNotMatch(only.split("<tbody>")[1] ?? "", /root/)
    const { accountByName } = await ownedServer.store.read({ accountByName: "ci" })
    const id = accountByName?.userId ?? ""
    const page = (await ada.get(`/console/account?id=${id}`)).text
    assert.match(page, /Service account/)
    assert.doesNotMatch(page, /Set a new password|Signed-in browsers|Second steps/)
    assert.equal((await ada.get(`/console/account/password?id=${id}`)).status, 404)
  })

  test("the form of an app binds it, says what is wrong, and leaves a live binding alone", async () => {
    const app = await ownedServer.addApp({ type: "confidential", redirectUris: [] })
    const form = `/console/app/edit?id=${app.clientId}`
    const save = async (fields: Record<string, string>) => {
      const page = await ada.get(form)
      const typed = {
        name: "Robot",
        redirect_uris: "",
        permission: "account:read",
        confirmed: "-files:write",
      }
      return ada.post("/console/app/edit", {
        ...hiddenFields(page.text, "/console/app/edit"),
        ...typed,
        ...fields,
      })
    }
    const wrong = await save({ service_account: "ada" })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /is not a service account/)
    assert.equal((await save({ service_account: "ci" })).status, 303)
    assert.match((await ada.get(form)).text, /name="service_account"[^>]*value="ci"/)
    assert.match((await ada.get(`/console/app?id=${app.clientId}`)).text, /Service account<\/dt>\s*<dd><a/)
    const token = async () =>
      (await send(ownedServer, "/oauth/token", { ...own(app), grant_type: "client_credentials" })).body
    const { token_id } = await token()
    const page = await ada.get(`/console/credential?id=${String(token_id)}`)
    assert.match(page.text, /By revocation only/)
    assert.match(page.text, /What the app’s registration allows/)
    assert.equal((await save({ service_account: "ci", name: "Other" })).status, 303)
    assert.equal((await token())["token_id"], token_id)
    await endCredential(ownedServer.latchkey, String(token_id), OPERATOR)
    assert.equal((await save({ service_account: "ci", name: "Robot" })).status, 303)
    assert.equal((await token())["error"], "invalid_grant", "another change does not bind again")
    await save({ service_account: "" })
    await save({ service_account: "ci" })
    assert.notEqual((await token())["token_id"], token_id)
  })
})
