import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier, REDIRECT_URI } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestApp } from "../../support/test-server.ts"
import { returned } from "../../support/answers.ts"
import { grant } from "../../support/grant.ts"
import { credentialRow } from "../../support/stored.ts"

const {
  testServer,
  bob: holder,
  ada: administrator,
  app,
  adminApp,
} = await fixture({
  admins: ["ada"],
  accounts: ["bob"],
  browsers: ["bob", "ada"],
  apps: {
    app: {},
    // Its ceiling has an admin permission and an ordinary one.
    adminApp: { permissions: ["files:read", "admin:accounts", "admin:events"] },
  },
})

function ask(browser: Browser, who: TestApp, more: Record<string, string>) {
  return browser.get(authorizePath(who, newVerifier().challenge, more))
}

/** Returns the titles in the permission lists of a page, by the heading above each list. */
function shown(text: string): { granted: string[]; refused: string[] } {
  const titlesIn = (part: string | undefined) =>
    [...(part ?? "").matchAll(/<p class="permission"><bdi>([^<]*)/g)].map((match) => (match[1] ?? "").trim())
  const [granted, refused] = text.split('<section class="refused"')
  return { granted: titlesIn(granted), refused: titlesIn(refused) }
}

describe("AUTHZ-7, PERM-1, PERM-3: what is asked for is what is granted, closed under implication", () => {
  const all = "account:read workers:read files:read files:write"
  const cases: Record<string, [scope: string | undefined, granted: string]> = {
    "left out: the whole ceiling": [undefined, all],
    "empty: as if left out": ["", all],
    "one name and what it implies": ["files:read", "workers:read files:read"],
    "a name that the ceiling only implies": ["workers:read", "workers:read"],
    "in any order": ["files:read account:read", "account:read workers:read files:read"],
    "a name twice": ["files:read files:read", "workers:read files:read"],
    "names sent by habit beside others": ["openid files:read offline_access", "workers:read files:read"],
    "names sent by habit and nothing else": ["openid profile email address phone offline_access", all],
  }
  for (const [name, [scope, granted]] of Object.entries(cases)) {
    test(name, async () => {
      const { token_id, scope: answered } = await grant(
        testServer,
        holder,
        app,
        scope === undefined ? {} : { scope },
      )
      assert.equal(answered, granted)
      assert.equal((await credentialRow(testServer, token_id))["scope"], granted)
    })
  }
})

describe("AUTHZ-7, CLIENT-7: a scope that cannot be granted as a whole is refused as a whole", () => {
  const cases: Record<string, string> = {
    "an unknown name": "files:read nonsense",
    "a name over the ceiling": "files:read apps:read",
    "an admin permission over the ceiling": "admin:accounts",
    "another case": "FILES:READ",
    "two spaces": "files:read  account:read",
    "a space before": " files:read",
    "a comma": "files:read,account:read",
    "a quotation mark": 'files:read "',
    "a line break": "files:read\naccount:read",
    "a prototype's name": "__proto__",
    "a prototype's other name": "constructor",
    "a wildcard": "*",
  }
  for (const [name, scope] of Object.entries(cases)) {
    test(name, async () => {
      const back = returned(await ask(holder, app, { scope }), REDIRECT_URI)
      assert.equal(back["error"], "invalid_scope")
      assert.equal(back["state"], "st/ate +1")
    })
  }

  test("ERR-12: the description names a known permission that the registration lacks, and no unknown one", async () => {
    const described = async (scope: string) =>
      returned(await ask(holder, app, { scope }), REDIRECT_URI)["error_description"]
    const begin = "The scope names a permission outside the registration"
    assert.equal(await described("files:read apps:read"), `${begin}: apps:read.`)
    assert.equal(await described("nonsense"), "The scope names a permission that does not exist.")
  })

  test("ERR-13, PERM-2: a ceiling of admin permissions alone leaves nothing where none is named", async () => {
    const only = await testServer.addApp({ permissions: ["admin:events"] })
    for (const more of [{}, { scope: "" }, { scope: "openid" }] as Record<string, string>[]) {
      assert.equal(returned(await ask(administrator, only, more), REDIRECT_URI)["error"], "invalid_scope")
    }
    assert.equal((await ask(administrator, only, { scope: "admin:events" })).status, 200)
  })
})

describe("PERM-2, PERM-4: admin permissions", () => {
  test("are not granted by omission, to an administrator neither", async () => {
    const { scope } = await grant(testServer, administrator, adminApp)
    assert.equal(scope, "workers:read files:read")
  })

  test("are granted to an administrator where they are named", async () => {
    const named = "files:read admin:accounts"
    const page = await ask(administrator, adminApp, { scope: named })
    assert.match(page.text, /Administration of this service/)
    const { scope } = await grant(testServer, administrator, adminApp, { scope: named })
    assert.equal(scope, "admin:accounts workers:read files:read")
  })

  test("cannot be granted by other accounts: the page says so and grants the rest", async () => {
    const named = { scope: "files:read admin:accounts" }
    const page = await ask(holder, adminApp, named)
    assert.deepEqual(shown(page.text), {
      granted: ["See workers", "Read files"],
      refused: ["Manage all accounts"],
    })
    const { scope, token_id } = await grant(testServer, holder, adminApp, named)
    assert.equal(scope, "workers:read files:read")
    assert.equal((await credentialRow(testServer, token_id))["scope"], "workers:read files:read")
  })

  test("alone leave Refuse as the only answer", async () => {
    const page = await ask(holder, adminApp, { scope: "admin:accounts" })
    assert.equal(page.status, 200)
    assert.equal(page.text.includes('value="authorize"'), false)
    assert.equal(page.text.includes('value="refuse"'), true)
    const forced = await holder.submit(page, "/oauth/consent", { decision: "authorize" })
    assert.equal(returned(forced, REDIRECT_URI)["error"], "access_denied")
  })
})

describe("AUTHZ-8, GRANT-1: the label of an installation", () => {
  const good: Record<string, [sent: string, kept: string]> = {
    plain: ["Ada's laptop", "Ada's laptop"],
    trimmed: ["  laptop  ", "laptop"],
    "a hundred characters": ["x".repeat(100), "x".repeat(100)],
    "a hundred characters outside the first plane": ["🦦".repeat(100), "🦦".repeat(100)],
    "markup, as text": ["<b>laptop</b>", "<b>laptop</b>"],
  }
  for (const [name, [sent, kept]] of Object.entries(good)) {
    test(`is kept: ${name}`, async () => {
      const page = await ask(holder, app, { installation_name: sent })
      assert.equal(page.text.includes("<b>laptop"), false)
      const { token_id } = await grant(testServer, holder, app, { installation_name: sent })
      assert.equal((await credentialRow(testServer, token_id))["installation_name"], kept)
    })
  }

  const bad: Record<string, string> = {
    "a hundred and one characters": "x".repeat(101),
    "a line break": "lap\ntop",
    "a null character": "lap\u0000top",
    "a direction override": "lap\u202etop",
  }
  for (const [name, label] of Object.entries(bad)) {
    test(`is refused: ${name}`, async () => {
      const back = returned(await ask(holder, app, { installation_name: label }), REDIRECT_URI)
      assert.equal(back["error"], "invalid_request")
    })
  }

  test("MISC-1: an empty one, or one of spaces, counts as omitted", async () => {
    for (const more of [{}, { installation_name: "" }, { installation_name: "   " }] as Record<
      string,
      string
    >[]) {
      const { token_id } = await grant(testServer, holder, app, more)
      assert.equal((await credentialRow(testServer, token_id))["installation_name"], null)
    }
  })
})

describe("AUTHZ-9, INTRO-1: the resources that an app wants a token for", () => {
  const challenge = newVerifier().challenge
  const withResources = (...resources: string[]) =>
    [authorizePath(app, challenge), ...resources.map((one) => `resource=${encodeURIComponent(one)}`)].join(
      "&",
    )

  test("one or more are accepted", async () => {
    for (const resources of [
      ["https://mcp.example/a"],
      ["https://a.example", "https://b.example", "urn:x:y"],
    ])
      assert.equal((await holder.get(withResources(...resources))).status, 200)
    assert.equal((await holder.get(withResources(""))).status, 200)
  })

  const bad: Record<string, string[]> = {
    "a relative address": ["/api"],
    "a fragment": ["https://a.example/#x"],
    "a space": ["https://a.example/ x"],
    "one bad among good ones": ["https://a.example", "b"],
    "nine of them": Array.from({ length: 9 }, (_, at) => `https://a.example/${at}`),
  }
  for (const [name, resources] of Object.entries(bad)) {
    test(`invalid_target: ${name}`, async () => {
      const back = returned(await holder.get(withResources(...resources)), REDIRECT_URI)
      assert.equal(back["error"], "invalid_target")
    })
  }
})
