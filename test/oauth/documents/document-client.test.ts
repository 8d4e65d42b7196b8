import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { endpoints } from "../../../src/model/refusals/endpoints.rules.ts"
import { DAY, MINUTE } from "../../../src/kernel/time.ts"
import { DOCUMENT_STALE_SECONDS } from "../../../src/kernel/limits.ts"
import { FAILURE_KEPT_MILLISECONDS } from "../../../src/platform/outgoing/guarded-fetch.ts"
import { assertRefused, returned } from "../../support/answers.ts"
import { Browser } from "../../support/browser.ts"
import {
  authorizePath,
  exchange,
  newVerifier,
  REDIRECT_URI,
  refresh,
  send,
  signedInBrowser,
} from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { startHousekeeping } from "../../../src/admin/upkeep/housekeeping.ts"
import { until } from "../../support/until.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { eventKinds, everything } from "../../support/stored.ts"
import type { TestApp } from "../../support/test-server.ts"
import { openDocumentSite, publish } from "./document-app.ts"

const { challenge } = newVerifier()
const CONSENT = "/oauth/consent"

const { server, documents } = await openDocumentSite({ admins: ["root"], accounts: ["ada"] })
let ada = await signedInBrowser(server, "ada")

function ask(app: TestApp, browser: Browser = ada) {
  return browser.get(authorizePath(app, challenge))
}

/** Returns the text that a person reads on the page. */
async function wordsFor(app: TestApp, browser: Browser = ada): Promise<string> {
  return textOf((await ask(app, browser)).text)
}

function fetches(path: string): number {
  return documents.asked.filter((asked) => asked === path).length
}

async function clientRow(app: TestApp) {
  return (await server.database.rows("SELECT * FROM client WHERE client_id = ?", app.clientId))[0]
}

async function documentRow(app: TestApp) {
  return (await server.database.rows("SELECT * FROM client_document WHERE client_id = ?", app.clientId))[0]
}

/** Moves the time, so that failures are forgotten and the next request fetches again. */
function forgetFailures(): void {
  server.clock.advance(FAILURE_KEPT_MILLISECONDS / 1000)
}

describe("a client whose client_id is a URL", () => {
  test("CD-6 is stored with its first consent, and gets, refreshes and ends a credential like any other", async () => {
    const app = publish(documents, "/first")
    const tables = await everything(server)
    const page = await ask(app)
    assert.equal(page.status, 200)
    assert.deepEqual((await everything(server))["client"], tables["client"])
    const first = await grant(server, ada, app)
    assert.equal((await clientRow(app))?.["registered_by"], "document")
    assert.equal((await clientRow(app))?.["verified"], 0)
    assert.equal((await eventKinds(server)).includes("app-registered"), true)
    const again = await refresh(server, app, first.refresh_token)
    assert.equal(again.status, 200)
    const token = again.body["access_token"] as string
    const introspecting = await server.addApp({ type: "confidential", resourceServer: true })
    const seen = await send(server, "/oauth/introspect", {
      client_id: introspecting.clientId,
      client_secret: introspecting.secret ?? "",
      token,
    })
    assert.equal(seen.body["client_id"], app.clientId)
    const ended = await send(server, "/oauth/revoke", { client_id: app.clientId, token })
    assert.equal(ended.status, 200)
    assertRefused(await refresh(server, app, again.body["refresh_token"] as string), 400, "invalid_grant")
    assert.equal(fetches("/first"), 1)
  })

  test("CD-6 each consent makes a credential of its own", async () => {
    const app = publish(documents, "/twice")
    const one = await grant(server, ada, app)
    const two = await grant(server, ada, app)
    await send(server, "/oauth/revoke", { client_id: app.clientId, token: one.refresh_token })
    assert.equal((await refresh(server, app, two.refresh_token)).status, 200)
  })

  test("CD-6 is asked for by a visitor, who signs in: one fetch serves all pages", async () => {
    const app = publish(documents, "/visitor")
    const browser = new Browser(server.url)
    const page = await ask(app, browser)
    assert.equal(page.status, 200)
    assert.match(textOf(page.text), /Paperclip/)
    const consent = await browser.submit(page, "/sign-in", {
      username: "ada",
      password: "correct horse battery staple",
    })
    const shown = await browser.get(consent.location ?? "")
    assert.match(textOf(shown.text), /wants to use your account/)
    const answer = await browser.submit(shown, CONSENT, { decision: "authorize" })
    assert.ok(returned(answer, REDIRECT_URI)["code"])
    assert.equal(fetches("/visitor"), 1)
  })

  test("CD-6 is not stored by a refusal", async () => {
    const app = publish(documents, "/refused")
    const answer = await ada.submit(await ask(app), CONSENT, { decision: "refuse" })
    assert.equal(returned(answer, REDIRECT_URI)["error"], "access_denied")
    assert.equal(await clientRow(app), undefined)
  })

  test("CD-6 is unknown to the other endpoints before its first consent, and they fetch nothing", async () => {
    const app = publish(documents, "/unknown")
    const earlier = documents.asked.length
    for (const path of [
      "/oauth/token",
      "/oauth/revoke",
      "/oauth/introspect",
      endpoints.device_authorization_endpoint,
    ])
      assertRefused(await send(server, path, { client_id: app.clientId }), 401, "invalid_client")
    assert.equal(documents.asked.length, earlier)
  })

  test("CD-9 asks within registration.permissions, as they are at that moment, and never for administration", async () => {
    const app = publish(documents, "/ceiling", { scope: "admin:accounts" })
    await grant(server, ada, app)
    const browser = await signedInBrowser(server, "root")
    const refusal = await browser.get(authorizePath(app, challenge, { scope: "admin:accounts" }))
    assert.equal(returned(refusal, REDIRECT_URI)["error"], "invalid_scope")
    await server.set("registration.permissions", "account:read")
    const narrower = await ada.get(authorizePath(app, challenge, { scope: "files:write" }))
    assert.equal(returned(narrower, REDIRECT_URI)["error"], "invalid_scope")
    assert.equal((await clientRow(app))?.["ceiling"], "account:read")
    await server.set("registration.permissions", "account:read files:write")
    assert.equal((await ada.get(authorizePath(app, challenge, { scope: "files:write" }))).status, 200)
  })

  test("CD-9 tokens and device codes follow registration.permissions, without an authorization in between", async () => {
    const app = publish(documents, "/followed")
    const held = await grant(server, ada, app, { scope: "files:write" })
    const stop = startHousekeeping(server.latchkey, () => Promise.resolve(server.clock.now()))
    try {
      await server.set("registration.permissions", "account:read")
      await until(async () => (await clientRow(app))?.["ceiling"] === "account:read", "the ceiling follows")
      const next = (await refresh(server, app, held.refresh_token)).body
      assert.equal(next["scope"], "")
      const device = { client_id: app.clientId, scope: "files:write" }
      assertRefused(await send(server, "/oauth/device-authorization", device), 400, "invalid_scope")
      const { rows } = await server.store.invalidations(0, 1000)
      assert.ok(rows.some(({ of, key }) => of === "client" && key === app.clientId))
      await server.set("registration.permissions", "account:read files:write")
      await until(async () => (await clientRow(app))?.["ceiling"] !== "account:read", "the ceiling follows")
    } finally {
      stop()
    }
  })

  test("CD-6 needs its redirect URI: another one is answered on a page", async () => {
    const app = publish(documents, "/redirect", { redirect_uris: ["https://other.example/callback"] })
    const page = await ask(app)
    assert.equal(page.status, 400)
    assert.equal(page.location, null)
  })
})

describe("a document that is not usable is answered on a page, and nothing is stored", () => {
  const cases: readonly (readonly [name: string, serve: () => void])[] = [
    ["not there", () => documents.fail("/bad", 404)],
    ["behind a bot wall", () => documents.fail("/bad", 403)],
    ["HTML", () => documents.fail("/bad", 200)],
    ["another client_id", () => publish(documents, "/bad", { client_id: "https://app.example/c" })],
    ["a secret", () => publish(documents, "/bad", { client_secret: "SECRET" })],
    [
      "a method with a secret",
      () => publish(documents, "/bad", { token_endpoint_auth_method: "client_secret_basic" }),
    ],
    ["a script as redirect", () => publish(documents, "/bad", { redirect_uris: ["javascript:alert(1)"] })],
    ["more than 5 KB", () => publish(documents, "/bad", { policy_uri: "x".repeat(5 * 1024) })],
    ["deep nesting", () => documents.serve("/bad", "[".repeat(1000) + "]".repeat(1000))],
  ]
  for (const [name, serve] of cases)
    test(`CD-7 ${name}`, async () => {
      serve()
      const app = { ...publish(documents, "/other"), clientId: documents.url("/bad") }
      forgetFailures()
      const page = await ask(app)
      assert.equal(page.status, 400)
      assert.equal(page.location, null)
      assert.match(textOf(page.text), /could not be checked/)
      assert.doesNotMatch(textOf(page.text), /SECRET|Just a moment|documents\.test/)
      assert.equal(await clientRow(app), undefined)
      assertRefused(await exchange(server, app, "lkc_x", "x".repeat(43)), 401, "invalid_client")
    })
})

describe("while the host of a document fails", () => {
  test("CD-7 the stored copy refreshes without a request, and serves new authorizations for seven days", async () => {
    const app = publish(documents, "/outage", {}, { "cache-control": "max-age=600" })
    const held = await grant(server, ada, app)
    documents.fail("/outage", 403)
    server.clock.advance(11 * MINUTE)
    const earlier = fetches("/outage")
    const again = await refresh(server, app, held.refresh_token)
    assert.equal(again.status, 200)
    assert.equal(fetches("/outage"), earlier)
    assert.equal((await ask(app)).status, 200)
    assert.equal(fetches("/outage"), earlier + 1)
    assert.equal((await documentRow(app))?.["failure"], "The host answered with status 403.")
    // The failure is remembered for a short time, so the next request does not wait for the host.
    assert.equal((await ask(app)).status, 200)
    assert.equal(fetches("/outage"), earlier + 1)
    server.clock.advance(DOCUMENT_STALE_SECONDS)
    ada = await signedInBrowser(server, "ada")
    assert.equal((await ask(app)).status, 400)
    assert.equal((await refresh(server, app, again.body["refresh_token"] as string)).status, 200)
    publish(documents, "/outage")
    forgetFailures()
    assert.equal((await ask(app)).status, 200)
    assert.equal((await documentRow(app))?.["failure"], null)
  })

  test("CD-7, CD-9 the ceiling of a copy that serves follows registration.permissions", async (t) => {
    const app = publish(documents, "/outage-ceiling")
    await grant(server, ada, app)
    documents.fail("/outage-ceiling", 503)
    server.clock.advance(2 * 3600)
    t.after(() => server.set("registration.permissions", "account:read files:write"))
    await server.set("registration.permissions", "account:read")
    const path = authorizePath(app, challenge, { scope: "files:write" })
    assert.equal(returned(await ada.get(path), REDIRECT_URI)["error"], "invalid_scope")
    const device = { client_id: app.clientId, scope: "files:write" }
    assertRefused(await send(server, "/oauth/device-authorization", device), 400, "invalid_scope")
    assert.equal((await clientRow(app))?.["ceiling"], "account:read")
  })

  test("CD-7 a document that became invalid keeps its copy too", async () => {
    const app = publish(documents, "/spoiled")
    await grant(server, ada, app)
    publish(documents, "/spoiled", { redirect_uris: ["https://evil.example/*"] })
    server.clock.advance(2 * 3600)
    assert.equal((await ask(app)).status, 200)
    assert.match(String((await documentRow(app))?.["failure"]), /^redirect_uris\[0\] cannot be registered/)
    assert.equal((await clientRow(app))?.["redirect_uris"], JSON.stringify([REDIRECT_URI]))
  })
})

describe("a copy is fresh for what its headers say, between five minutes and a day", () => {
  const cases: readonly (readonly [cacheControl: string | null, seconds: number])[] = [
    ["max-age=0", 5 * MINUTE],
    ["no-store", 5 * MINUTE],
    ["max-age=1800", 30 * MINUTE],
    ["max-age=31536000", DAY],
    [null, 60 * MINUTE],
  ]
  for (const [cacheControl, seconds] of cases)
    test(`CD-7 ${cacheControl}: ${seconds} seconds`, async () => {
      const path = `/fresh-${seconds}-${cacheControl}`.replaceAll(/[^a-z0-9/-]/g, "_")
      const app = publish(documents, path, {}, cacheControl === null ? {} : { "cache-control": cacheControl })
      await grant(server, ada, app)
      server.clock.advance(seconds - 1)
      await ask(app)
      assert.equal(fetches(path), 1)
      server.clock.advance(2)
      await ask(app)
      assert.equal(fetches(path), 2)
    })
})

describe("a change of the document", () => {
  test("CD-9 takes effect with the next fetch, is recorded, and is shown at the next consent once", async () => {
    const app = publish(documents, "/changing")
    await grant(server, ada, app)
    const more = ["https://app.example/callback", "https://new.example/callback"]
    publish(documents, "/changing", { redirect_uris: more, client_name: "Paperclip 2" })
    server.clock.advance(DAY)
    const page = await ask(app)
    assert.match(textOf(page.text), /Paperclip 2/)
    assert.match(textOf(page.text), /it changed the addresses that it returns to/)
    assert.equal((await eventKinds(server)).at(-1), "app-changed")
    server.clock.advance(1)
    await ada.submit(page, CONSENT, { decision: "authorize" })
    assert.doesNotMatch(await wordsFor(app), /it changed the addresses/)
    await server.addAccount("eve")
    const eve = await signedInBrowser(server, "eve")
    assert.doesNotMatch(await wordsFor(app, eve), /it changed the addresses/)
  })

  test("CD-9 a page that lies open while its redirect URI goes decides nothing", async () => {
    const app = publish(documents, "/withdrawn")
    await grant(server, ada, app)
    const page = await ask(app)
    publish(documents, "/withdrawn", { redirect_uris: ["https://new.example/callback"] })
    server.clock.advance(5 * MINUTE)
    // Another person's request fetches the new document only when the copy is no longer fresh.
    server.clock.advance(4 * MINUTE)
    await server.database.rows("UPDATE client_document SET fresh_until = 0")
    assert.equal((await ask(app)).status, 400)
    const answer = await ada.submit(page, CONSENT, { decision: "authorize" })
    assert.equal(answer.status, 400)
    assert.equal(answer.location, null)
  })
})

describe("the consent page", () => {
  test("CD-10 shows the host of the client_id and of the redirect, unchecked, with a monogram", async () => {
    const app = publish(documents, "/hosts", { logo_uri: "https://app.documents.test/logo.png" })
    const page = (await ask(app)).text
    const text = textOf(page)
    assert.ok(text.includes(`Describes itself at app.documents.test:${documents.port}`))
    assert.match(text, /This service has not checked it/)
    assert.match(text, /You’ll return to[^]*app\.example/)
    assert.doesNotMatch(page, /logo\.png/)
    assert.doesNotMatch(text, /any program can use its name/)
  })

  test("CD-10 warns if every redirect leads to a program on the device", async () => {
    const local = ["http://127.0.0.1/callback", "http://localhost/callback", "com.paper:/back"]
    const app = publish(documents, "/local", { redirect_uris: local })
    const page = await ada.get(
      authorizePath(app, challenge, { redirect_uri: "http://127.0.0.1:4567/callback" }),
    )
    assert.match(textOf(page.text), /any program can use its name/)
  })
})

describe("the policy of domains", () => {
  test("CD-8 a host that is not listed is refused without a request; a denied one wins", async () => {
    const app = publish(documents, "/policy")
    for (const [key, value] of [
      ["clients.document_domains", "other.example *.elsewhere.test"],
      ["clients.denied_document_domains", "*.documents.test"],
    ] as const) {
      await server.set(key, value)
      const earlier = documents.asked.length
      const page = await ask(app)
      assert.equal(page.status, 400)
      assert.match(textOf(page.text), /not allowed here/)
      assert.equal(documents.asked.length, earlier)
      await server.set("clients.denied_document_domains", "")
      await server.set("clients.document_domains", "*.documents.test")
    }
    assert.equal((await ask(app)).status, 200)
  })

  test("CD-8, OUT-3 with * a private address is not reached, named hosts are", async () => {
    const app = publish(documents, "/star")
    await server.set("clients.document_domains", "*")
    const earlier = documents.asked.length
    assert.equal((await ask(app)).status, 400)
    assert.equal(documents.asked.length, earlier)
    await server.set("clients.document_domains", "app.documents.test")
    assert.equal((await ask(app)).status, 200)
  })
})

describe("while the setting is off", () => {
  test("CD-1, OUT-1 a URL is an unknown client, nothing is fetched, and metadata say nothing", async () => {
    const metadata = async () =>
      (await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()) as Record<
        string,
        unknown
      >
    assert.equal((await metadata())["client_id_metadata_document_supported"], true)
    const app = publish(documents, "/off")
    const held = await grant(server, ada, app)
    await server.set("clients.documents", "off")
    assert.equal("client_id_metadata_document_supported" in (await metadata()), false)
    const earlier = documents.asked.length
    const page = await ask(app)
    assert.equal(page.status, 400)
    assert.match(textOf(page.text), /not registered here/)
    assert.equal(documents.asked.length, earlier)
    // Granted access continues, as it does for apps when registration is closed.
    assert.equal((await refresh(server, app, held.refresh_token)).status, 200)
    await server.set("clients.documents", "on")
  })
})

describe("many strangers", () => {
  test("CD-7, OUT-6 ten thousand URLs store nothing, and account holders are served meanwhile", async () => {
    const app = publish(documents, "/served")
    await grant(server, ada, app)
    const fresh = publish(documents, "/new-meanwhile")
    const tables = await everything(server)
    const earlier = documents.asked.length
    await server.set("rate_limit.oauth_anonymous", "off")
    const visitor = new Browser(server.url)
    const statuses = new Map<number, number>()
    for (let batch = 0; batch < 100; batch += 1)
      await Promise.all(
        Array.from({ length: 100 }, async (_, at) => {
          const url = documents.url(`/flood/${batch}/${at}`)
          const { status } = await visitor.get(authorizePath({ clientId: url, secret: null }, challenge))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      )
    assert.ok(documents.asked.length - earlier <= 30)
    assert.deepEqual([...statuses.keys()].toSorted(), [200, 400])
    assert.deepEqual((await everything(server))["client"], tables["client"])
    assert.deepEqual((await everything(server))["client_document"], tables["client_document"])
    assert.equal((await ask(app)).status, 200)
    const page = await ask(fresh)
    assert.match(textOf(page.text), /Paperclip wants to use your account/)
  })
})
