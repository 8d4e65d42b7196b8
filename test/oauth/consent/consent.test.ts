import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { setAccountEnabled, setAdministration } from "../../../src/accounts/accounts.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import {
  authorizePath,
  exchange,
  newVerifier,
  REDIRECT_URI,
  send,
  signedInBrowser,
  refresh,
} from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestApp } from "../../support/test-server.ts"
import { returned } from "../../support/answers.ts"
import { tokenIdOf } from "../../support/grant.ts"
import { credentialRow, eventKinds, everything } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"

const CONSENT = "/oauth/consent"
const STATE = "st/ate +1"

const { testServer, bob, app } = await fixture({
  admins: ["root"],
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { app: {} },
})

const { verifier, challenge } = newVerifier()

function ask(browser: Browser, who: TestApp = app, more: Record<string, string> = {}) {
  return browser.get(authorizePath(who, challenge, more))
}

async function credentials(): Promise<unknown[]> {
  return (await everything(testServer))["credential"] ?? []
}

/** Checks that the response is a page of the service and that no credential was created. */
async function assertNothingGiven(
  submit: () => Promise<{ status: number; location: string | null }>,
  status: number,
) {
  const held = await credentials()
  const answer = await submit()
  assert.equal(answer.status, status)
  assert.equal(answer.location, null)
  assert.deepEqual(await credentials(), held)
}

test("CONSENT-1, AUTHZ-10, SVC-2: Authorize sends the browser back with a code, state and iss", async () => {
  const page = await ask(bob)
  assert.deepEqual(Object.keys(hiddenFields(page.text, CONSENT)), ["ticket", "csrf"])
  const answer = await bob.submit(page, CONSENT, { decision: "authorize" })
  const { code = "", ...rest } = returned(answer, REDIRECT_URI)
  assert.match(code, /^lkc_[\w-]{75}$/)
  assert.deepEqual(rest, { state: STATE, iss: testServer.issuer })
  assert.equal(answer.text, "")
  assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
})

test("AUTHZ-11: Refuse sends the browser back with access_denied, and stores no credential", async () => {
  const held = await credentials()
  const back = returned(await bob.submit(await ask(bob), CONSENT, { decision: "refuse" }), REDIRECT_URI)
  assert.deepEqual(Object.keys(back), ["error", "error_description", "state", "iss"])
  assert.equal(back["error"], "access_denied")
  assert.equal(back["state"], STATE)
  assert.equal(back["iss"], testServer.issuer)
  assert.deepEqual(await credentials(), held)
  assert.equal((await eventKinds(testServer)).at(-1), "consent-refused")
})

describe("CONSENT-1, AUTHZ-11: anything but one clear Authorize refuses", () => {
  const decisions: Record<string, Record<string, string | string[]>> = {
    "no decision": {},
    "an empty one": { decision: "" },
    "an unknown one": { decision: "allow" },
    "another case": { decision: "Authorize" },
    both: { decision: ["authorize", "refuse"] },
    "both, the other way round": { decision: ["refuse", "authorize"] },
    "authorize twice": { decision: ["authorize", "authorize"] },
    "authorize and an empty one": { decision: ["authorize", ""] },
    "an empty one and authorize": { decision: ["", "authorize"] },
  }
  for (const [name, fields] of Object.entries(decisions)) {
    test(name, async () => {
      const held = await credentials()
      const back = returned(await bob.submit(await ask(bob), CONSENT, fields), REDIRECT_URI)
      assert.equal(back["error"], "access_denied")
      assert.deepEqual(await credentials(), held)
    })
  }
})

test("CONSENT-1: the first submission decides; a second changes nothing and says so", async () => {
  for (const [first, second] of [
    ["authorize", "authorize"],
    ["authorize", "refuse"],
    ["refuse", "authorize"],
  ] as const) {
    const page = await ask(bob)
    assert.equal((await bob.submit(page, CONSENT, { decision: first })).status, 303)
    await assertNothingGiven(async () => {
      const again = await bob.submit(page, CONSENT, { decision: second })
      assert.match(again.text, /You have already answered/)
      return again
    }, 409)
  }
})

test("CONSENT-1: twenty submissions at once make one credential", async () => {
  const page = await ask(bob)
  const count = (await credentials()).length
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => bob.submit(page, CONSENT, { decision: "authorize" })),
  )
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 19)
  assert.equal((await credentials()).length, count + 1)
})

test("AUTHZ-9, SVC-2: consent is asked every time, and each makes a credential of its own", async () => {
  const codes: string[] = []
  for (let round = 0; round < 2; round++) {
    const page = await ask(bob)
    assert.match(page.text, /name="decision"/)
    codes.push(
      returned(await bob.submit(page, CONSENT, { decision: "authorize" }), REDIRECT_URI)["code"] ?? "",
    )
  }
  const [first = "", second = ""] = codes.map(tokenIdOf)
  assert.notEqual(first, second)
  assert.equal((await credentialRow(testServer, first))["state"], "issued")
})

test("CONSENT-1, PAGE-1: a page that lay open for ten minutes decides nothing, also with the clock set back", async () => {
  const page = await ask(bob)
  const fresh = await ask(bob)
  testServer.clock.advance(600)
  assert.equal((await bob.submit(fresh, CONSENT, { decision: "authorize" })).status, 303)
  testServer.clock.advance(1)
  const submit = async () => {
    const stale = await bob.submit(page, CONSENT, { decision: "authorize" })
    assert.match(stale.text, /page has expired/)
    return stale
  }
  await assertNothingGiven(submit, 400)
  testServer.clock.setWall(testServer.clock.now() - 300)
  await assertNothingGiven(submit, 400)
  testServer.clock.setWall(testServer.clock.now() + 300)
})

test("CONSENT-1: a page from the future, by a clock that was set back, decides nothing", async () => {
  const page = await ask(bob)
  testServer.clock.setWall(testServer.clock.now() - 10)
  await assertNothingGiven(() => bob.submit(page, CONSENT, { decision: "authorize" }), 400)
  testServer.clock.setWall(testServer.clock.now() + 10)
})

describe("AUTHZ-12, CONSENT-1: what was taken away while the page lay open", () => {
  test("the app was disabled", async () => {
    const other = await testServer.addApp()
    const page = await ask(bob, other)
    await setAppEnabled(testServer.latchkey, other.clientId, false, OPERATOR)
    await assertNothingGiven(() => bob.submit(page, CONSENT, { decision: "authorize" }), 400)
    await assertNothingGiven(() => bob.submit(page, CONSENT, { decision: "refuse" }), 400)
  })

  test("PAGE-1: the address was taken off the registration", async () => {
    const other = await testServer.addApp()
    const page = await ask(bob, other)
    const removed = { removeRedirectUris: [REDIRECT_URI] }
    await updateApp(testServer.latchkey, other.clientId, removed, OPERATOR)
    await assertNothingGiven(async () => {
      const answer = await bob.submit(page, CONSENT, { decision: "authorize" })
      assert.match(answer.text, /an address that is not registered for it/)
      return answer
    }, 400)
  })

  test("DG-8: administration; the same form again grants nothing after a promotion", async () => {
    await testServer.addAccount("iris", true)
    const iris = await signedInBrowser(testServer, "iris")
    const tool = await testServer.addApp({ permissions: ["files:read", "admin:events"] })
    const page = await ask(iris, tool, { scope: "files:read admin:events" })
    await setAdministration(testServer.latchkey, "iris", false, OPERATOR)
    const { spent_ticket: tickets = [], ...stored } = await everything(testServer)
    const answer = await iris.submit(page, CONSENT, { decision: "authorize" })
    assert.deepEqual([answer.status, answer.location], [403, null])
    assert.match(answer.text, /You are no longer an administrator/)
    const { spent_ticket: spent, ...rest } = await everything(testServer)
    assert.deepEqual(rest, stored)
    assert.equal(spent?.length, tickets.length + 1)
    await setAdministration(testServer.latchkey, "iris", true, OPERATOR)
    await assertNothingGiven(() => iris.submit(page, CONSENT, { decision: "authorize" }), 409)
  })

  test("PAGE-1: a permission, which the page that is opened next does not list", async () => {
    const tool = await testServer.addApp({ permissions: ["files:read", "account:write"] })
    assert.match((await ask(bob, tool)).text, /Change your account/)
    await updateApp(testServer.latchkey, tool.clientId, { removePermissions: ["account:write"] }, OPERATOR)
    assert.doesNotMatch((await ask(bob, tool)).text, /Change your account/)
  })

  test("the account was disabled", async () => {
    await testServer.addAccount("carol")
    const carol = await signedInBrowser(testServer, "carol")
    const page = await ask(carol)
    await setAccountEnabled(testServer.latchkey, "carol", false, OPERATOR)
    await assertNothingGiven(() => carol.submit(page, CONSENT, { decision: "authorize" }), 403)
  })
})

test("GRANT-1, GRANT-2, TOK-6: what is stored is what was shown, whatever the form and the exchange add", async () => {
  const wide = await testServer.addApp({ permissions: ["account:read", "files:write", "admin:accounts"] })
  const page = await ask(bob, wide, { scope: "files:read", installation_name: "Laptop" })
  const titles = [...page.text.matchAll(/<p class="permission"><bdi>([^<]*)/g)].map((match) =>
    (match[1] ?? "").trim(),
  )
  assert.deepEqual(titles, ["See workers", "Read files"])
  const answer = await bob.submit(page, CONSENT, {
    decision: "authorize",
    scope: "admin:accounts files:write",
    redirect_uri: "https://evil.example/",
    client_id: app.clientId,
    state: "forged",
    installation_name: "Forged",
    user_id: "forged",
  })
  const { code = "", state } = returned(answer, REDIRECT_URI)
  assert.equal(state, STATE)
  const row = await credentialRow(testServer, tokenIdOf(code))
  assert.deepEqual(
    [row["client_id"], row["scope"], row["installation_name"]],
    [wide.clientId, "workers:read files:read", "Laptop"],
  )
  const { credential } = await testServer.store.read({ credential: tokenIdOf(code) as TokenId })
  assert.deepEqual([credential?.code?.redirectUri, credential?.code?.challenge], [REDIRECT_URI, challenge])
  const widened = await exchange(testServer, wide, code, verifier, {
    scope: "admin:accounts",
    installation_name: "Forged",
  })
  assert.equal(widened.body["scope"], "workers:read files:read")
  assert.equal((await credentialRow(testServer, tokenIdOf(code)))["installation_name"], "Laptop")
})

test("PERM-7, GRANT-1: a permission that the registration loses while the page is open is stored, and reached when it returns", async () => {
  const narrowed = await testServer.addApp({ permissions: ["account:read", "files:read"] })
  const page = await ask(bob, narrowed, { scope: "account:read files:read" })
  const change = (update: Parameters<typeof updateApp>[2]) =>
    updateApp(testServer.latchkey, narrowed.clientId, update, OPERATOR)
  assert.ok((await change({ removePermissions: ["files:read"] })).ok)
  const { code = "" } = returned(await bob.submit(page, CONSENT, { decision: "authorize" }), REDIRECT_URI)
  const tokens = await exchange(testServer, narrowed, code, verifier)
  assert.equal(tokens.body["scope"], "account:read")
  assert.ok((await change({ addPermissions: ["files:read"] })).ok)
  const again = await refresh(testServer, narrowed, String(tokens.body["refresh_token"]))
  assert.equal(again.body["scope"], "account:read workers:read files:read")
})

test("CONSENT-2: no client library and no other origin has business here", async () => {
  const preflight = await fetch(testServer.url + CONSENT, { method: "OPTIONS" })
  assert.equal(preflight.status, 405)
  assert.equal(preflight.headers.get("access-control-allow-origin"), null)
  const get = await new Browser(testServer.url).get(CONSENT)
  assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"])
  const anonymous = await send(testServer, "/oauth/token", { client_id: app.clientId, decision: "authorize" })
  assert.equal(anonymous.status, 400)
})
