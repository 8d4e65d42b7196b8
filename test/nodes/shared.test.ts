/** Tests what three nodes on one database know, count and remember together. */
import { after, before, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { SERVICE_TOKENS_KEPT, USER_CODE_TRIES } from "../../src/kernel/limits.ts"
import { FACTOR_CODE_TRIES, PASSKEY_TRIES, PASSWORD_TRIES } from "../../src/kernel/account-limits.ts"
import { gauges } from "../../src/model/tally-names.rules.ts"
import { bucketAt } from "../../src/model/tally.rules.ts"
import { setAppEnabled, updateApp } from "../../src/apps/app.ts"
import { sampleGauges } from "../../src/apps/statistics/sample-gauges.ts"
import { setSetting } from "../../src/admin/settings/setting.ts"
import { addTotp } from "../../src/accounts/factors/totp.ts"
import { offerSetUp } from "../../src/accounts/set-up/set-up.ts"
import {
  answerDevice,
  fetched,
  headingOf,
  openCode,
  poll,
  startDevice,
  started,
} from "../oauth/device/device.ts"
import { addPasskey, codeAt, isSignedIn, passkeyOptions, wrongCode } from "../accounts/factors/factors.ts"
import { Reader } from "../kit/reader.ts"
import { Authenticator } from "../support/authenticator.ts"
import { Browser } from "../support/browser.ts"
import {
  authorizePath,
  connect,
  connectIn,
  newVerifier,
  own,
  refresh,
  send,
  signedInBrowser,
} from "../support/connect.ts"
import { StallMeter } from "../support/stall-meter.ts"
import { PASSWORD, type TestApp, OPERATOR } from "../support/test-server.ts"
import { needsPostgres } from "../support/postgres.ts"
import { until } from "../support/until.ts"
import { TestServers } from "./test-servers.ts"

const NODES = 3

describe("Three nodes", needsPostgres, () => {
  let nodes: TestServers
  let app: TestApp
  let server: TestApp

  before(async () => {
    nodes = await TestServers.open(NODES, {
      "vault:open": { title: "Open the vault", implies: ["files:read"] },
    })
    await nodes.testServer.set("rate_limit.oauth_anonymous", "off")
    const link = await offerSetUp(nodes.latchkeys[1] ?? nodes.testServer.latchkey)
    const browser = new Browser(nodes.url)
    const page = await browser.get(`/setup?link=${link}`)
    const made = await browser.submit(page, "/setup", { username: "ada", password: PASSWORD })
    assert.deepEqual([made.status, made.location], [303, "/console"], "the set-up link of another node")
    await nodes.testServer.addAccount("bob")
    app = await nodes.testServer.addApp({
      permissions: ["account:read", "files:write", "vault:open"],
      stepUp: true,
    })
    server = await nodes.testServer.addApp({ type: "confidential", resourceServer: true })
  })
  after(() => nodes.close())
  /** Each test starts with new rate limit windows. */
  beforeEach(() => nodes.testServer.clock.advance(600))

  /** Sends the same request several times at once, each to the next node. */
  const atOnce = <T>(times: number, one: (node: { readonly url: string }, n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, n) => one(nodes.at(n), n)))
  const countOf = (status: number, answers: readonly { readonly status: number }[]) =>
    answers.filter((answer) => answer.status === status).length

  describe("count together", () => {
    test("RATE-1, RATE-4, SVC-1: the budget of an address is one, and holds exactly under parallel fire", async () => {
      await nodes.testServer.set("rate_limit.oauth_anonymous", "70/60")
      const answers = await atOnce(300, (node) => send(node, "/oauth/revoke", { client_id: app.clientId }))
      assert.deepEqual([countOf(400, answers), countOf(429, answers)], [70, 230])
      for (const { status, headers } of answers)
        if (status === 429) assert.equal(headers.get("retry-after"), "60")
      nodes.testServer.clock.advance(59)
      const [late] = await atOnce(1, (node) => send(node, "/oauth/revoke", { client_id: app.clientId }))
      assert.deepEqual([late?.status, late?.headers.get("retry-after")], [429, "1"])
      nodes.testServer.clock.advance(1)
      const again = await atOnce(90, (node) => send(node, "/oauth/revoke", { client_id: app.clientId }))
      assert.equal(countOf(400, again), 70)
      await nodes.testServer.set("rate_limit.oauth_anonymous", "off")
    })

    test("RATE-2: wrong passwords of an account, whichever node they are tried on", async () => {
      const wrong = () => new Browser(nodes.url).signIn("bob", "wrong")
      // The attempts run one after the other. A node checks only two passwords of an account at once and does not count
      // those that it refuses (LOAD-3).
      const answers: Awaited<ReturnType<typeof wrong>>[] = []
      while (answers.length < PASSWORD_TRIES.account.requests + 6) answers.push(await wrong())
      assert.equal(countOf(429, answers), 6)
    })

    test("FACTOR-4: wrong codes of an account, and invalid passkeys", async () => {
      const added = await addTotp(nodes.testServer.latchkey, "bob", OPERATOR)
      assert.ok(added.ok)
      const { secret } = added.value
      const half = new Browser(nodes.url)
      let page = await half.signIn("bob", PASSWORD)
      for (let n = 0; n < FACTOR_CODE_TRIES.requests; n++) {
        page = await half.submit(page, "/sign-in/code", { code: wrongCode(nodes.testServer, secret) })
        assert.equal(page.status, 403, `try ${n}`)
      }
      page = await half.submit(page, "/sign-in/code", { code: codeAt(nodes.testServer, secret) })
      assert.equal(page.status, 429)
      nodes.testServer.clock.advance(600)
      const secondBrowser = new Browser(nodes.url)
      const asked = await secondBrowser.signIn("bob", PASSWORD)
      const done = await secondBrowser.submit(asked, "/sign-in/code", {
        code: codeAt(nodes.testServer, secret),
      })
      assert.equal(done.status, 303, "begun on one node and finished on another")
      assert.equal(await isSignedIn(secondBrowser), true)

      const stranger = new Browser(nodes.url)
      const front = await stranger.get("/sign-in")
      const answers = await Promise.all(
        Array.from({ length: PASSKEY_TRIES.requests + 3 }, () =>
          stranger.submit(front, "/sign-in/passkey", { response: "{}" }),
        ),
      )
      assert.equal(countOf(429, answers), 3)
    })

    test("DPAGE-1: invalid user codes", async () => {
      const ada = await signedInBrowser(nodes, "ada")
      for (let n = 0; n < USER_CODE_TRIES.account.requests; n++)
        assert.equal((await openCode(ada, "BBBB-BBBB")).status, 400)
      assert.equal((await openCode(ada, "BBBB-BBBB")).status, 429)
    })

    test("DG-1, DG-2, LIM-3: the pace of a device, and an answer that it does not hold back", async () => {
      const grant = await startDevice(nodes, app)
      const polled = async (n: number) => (await poll(nodes.at(n), app, grant)).body
      assert.equal((await polled(0))["error"], "authorization_pending")
      assert.deepEqual([(await polled(1))["error"], (await polled(2))["interval"]], ["slow_down", 15])
      nodes.testServer.clock.advance(5)
      assert.equal((await polled(1))["error"], "authorization_pending")
      nodes.testServer.clock.advance(4)
      assert.equal((await polled(0))["interval"], 20)
      await answerDevice(await signedInBrowser(nodes, "ada"), grant, "authorize")
      assert.equal((await poll(nodes.at(2), app, grant)).status, 200)
    })

    test("what happened is counted once, and one node looks at installations for all", async () => {
      const at = bucketAt("hour", nodes.testServer.clock.now())
      const query = { grain: "hour", since: at, until: at + 3600 } as const
      const flush = () => Promise.all(nodes.latchkeys.map(({ tallies }) => tallies.flush()))
      await flush()
      const counts = async () =>
        new Map((await nodes.testServer.store.tallies(query)).map(({ name, count }) => [name, count]))
      const earlier = await counts()
      let held = await connect(nodes, app, "ada")
      for (let n = 0; n < 9; n++) {
        const answer = await refresh(nodes.at(n), app, held.refresh_token)
        held = { ...held, refresh_token: String(answer.body["refresh_token"]) }
      }
      const looks = nodes.latchkeys.map((services) => sampleGauges(services))
      await Promise.all([...looks, ...looks].map((look) => look()))
      await flush()
      const later = await counts()
      const grown = (name: string) => (later.get(name) ?? 0) - (earlier.get(name) ?? 0)
      assert.equal(grown("credential.refreshed"), 9)
      const { installations } = await nodes.testServer.store.gauges(nodes.testServer.clock.now())
      assert.deepEqual([grown(gauges.looks), grown(gauges.installations)], [1, installations])
    })
  })

  describe("share their changes", () => {
    test("RATE-3, DISC-4: a setting that one changes is in force on all within a second", async () => {
      const isOpen = async () => {
        const documents = await atOnce(NODES, (node) =>
          fetch(`${node.url}/.well-known/oauth-authorization-server`).then((answer) => answer.json()),
        )
        return documents.map((metadata) => "registration_endpoint" in (metadata as object))
      }
      for (const [n, value] of ["on", "off", "on", "off"].entries()) {
        const node = nodes.latchkeys[n % NODES] ?? nodes.testServer.latchkey
        assert.ok((await setSetting(node, "registration.open", value, OPERATOR)).ok)
        nodes.testServer.clock.advance(1)
        assert.deepEqual(await isOpen(), [value === "on", value === "on", value === "on"])
      }
    })

    test("INTRO-3: a stream of one node reports within a second what another changed", async (t) => {
      const stalls = new StallMeter(t)
      const held = await connect(nodes, app, "ada")
      const readers = await atOnce(NODES, (node) => Reader.open(node.url, server))
      t.after(() => readers.forEach((reader) => reader.close()))
      for (const reader of readers) await reader.event("ready")
      const revoked = await send(nodes.at(1), "/oauth/revoke", {
        client_id: app.clientId,
        token: held.access_token,
      })
      assert.equal(revoked.status, 200)
      const waited = stalls.stopwatch()
      await until(() => readers.every(({ text }) => text.includes(held.token_id)), "every stream has it")
      assert.ok(waited() < 1000, `${waited()} ms, but for what a busy machine took`)
      const ready = readers[0]?.events.find(({ event }) => event === "ready")
      const missed = await Reader.open(nodes.at(2).url, server, ready?.id ?? undefined)
      t.after(() => missed.close())
      await until(() => missed.text.includes(held.token_id), "another node sends what was missed")
    })

    test("SERVICE-6, SERVICE-7, LIM-10: pods on every node share one bound, and each end is felt on all", async () => {
      await nodes.testServer.addServiceAccount("pods")
      const pods = await nodes.testServer.addBoundApp("pods")
      const grant = { ...own(pods), grant_type: "client_credentials" }
      const asked = async (times: number) => {
        const answers = await atOnce(times, (node) => send(node, "/oauth/token", grant))
        return answers.map(({ body }) => String(body["access_token"]))
      }
      const isActive = async (node: { readonly url: string }, token: string) =>
        (await send(node, "/oauth/introspect", { ...own(server), token })).body["active"]
      const onAll = (token = "") => atOnce(NODES, (node) => isActive(node, token))
      const nowhere = Array.from({ length: NODES }, () => false)
      const everywhere = nowhere.map(() => true)

      const [first] = await asked(1)
      nodes.testServer.clock.advance(10)
      const others: string[] = []
      while (others.length < SERVICE_TOKENS_KEPT - 1) others.push(...(await asked(111)))
      assert.deepEqual(await onAll(first), everywhere)
      others.push(...(await asked(60)))
      assert.deepEqual(await onAll(first), nowhere)
      const states = await atOnce(others.length, (node, n) => isActive(node, others[n] ?? ""))
      assert.equal(states.filter((state) => state === true).length, SERVICE_TOKENS_KEPT)

      const [ended, kept] = await asked(2)
      assert.equal(
        (await send(nodes.at(1), "/oauth/revoke", { ...own(pods), token: ended ?? "" })).status,
        200,
      )
      assert.deepEqual([await onAll(ended), await onAll(kept)], [nowhere, everywhere])
      const last = nodes.latchkeys[2] ?? nodes.testServer.latchkey
      assert.ok((await setAppEnabled(last, pods.clientId, false, OPERATOR)).ok)
      assert.deepEqual(await onAll(kept), nowhere)
    })
  })

  describe("go on with what another began", () => {
    test("CONSENT-1, STEP-1, STEP-3: a passkey, a consent, a code, a refresh and a step-up", async () => {
      await nodes.testServer.addAccount("cyd")
      const cyd = await signedInBrowser(nodes, "cyd")
      const authenticator = new Authenticator()
      const added = await addPasskey(nodes.testServer, cyd, authenticator)
      assert.equal(added.location, "/account/security", added.text)

      const secondBrowser = new Browser(nodes.url)
      const asked = await secondBrowser.get("/sign-in")
      const response = authenticator.get(passkeyOptions(asked.text), { origin: nodes.url })
      const signedIn = await secondBrowser.submit(asked, "/sign-in/passkey", { response })
      assert.deepEqual([signedIn.status, signedIn.location], [303, "/account"])
      const held = await connectIn(secondBrowser, nodes, app)
      const again = await refresh(nodes, app, held.refresh_token)
      const authorization = `Bearer ${String(again.body["access_token"])}`
      const ceremony = started((await send(nodes, "/oauth/step-up", {}, { authorization })).body)

      const page = await openCode(secondBrowser, ceremony.userCode)
      const proof = authenticator.get(passkeyOptions(page.text), { origin: nodes.url })
      const proven = await secondBrowser.submit(page, "/oauth/consent", {
        decision: "authorize",
        response: proof,
      })
      assert.equal(proven.status, 200, headingOf(proven))
      assert.deepEqual((await poll(nodes, app, ceremony)).body, { elevated: true })
      assert.deepEqual((await poll(nodes, app, ceremony)).body["error"], "invalid_grant")
    })

    test("DG-4, DG-5, DEV-3: the two clicks of a grant that reaches hub administration", async () => {
      const admin = await nodes.testServer.addApp({ permissions: ["account:read", "admin:accounts"] })
      const grant = await startDevice(nodes, admin, { scope: "admin:accounts" })
      const ada = await signedInBrowser(nodes, "ada")
      const page = await openCode(ada, grant.userCode)
      const second = await ada.submit(page, "/oauth/consent", { decision: "authorize" })
      assert.equal((await poll(nodes, admin, grant)).body["error"], "authorization_pending")
      const done = await ada.submit(second, "/oauth/consent", { decision: "authorize" })
      assert.equal(done.status, 200)
      assert.equal((await fetched(nodes, admin, grant)).scope, "admin:accounts")
    })
  })

  describe("with clocks that differ", () => {
    test("CRED-1, CRED-2: an answer that was lost is given again by a node whose clock is behind", async () => {
      let held = await connect(nodes, app, "ada")
      for (let n = 0; n < 12; n++) {
        const answer = await refresh(nodes.at(n), app, held.refresh_token)
        for (const other of [1, 2, 3]) {
          const again = await refresh(nodes.at(n + other), app, held.refresh_token)
          assert.deepEqual([again.status, again.body["refresh_token"]], [200, answer.body["refresh_token"]])
        }
        held = { ...held, refresh_token: String(answer.body["refresh_token"]) }
        if (n % 3 === 0) nodes.testServer.clock.advance(1)
      }
    })
  })

  describe("with different catalogs", () => {
    /** Returns a browser that always uses one node. Its requests have the published origin. */
    const at = (n: number) => new Browser(nodes.at(n).url, { origin: nodes.url })

    test("PERM-3, PERM-5: what a node does not know is not reached there, and lost nowhere", async () => {
      const one = at(0)
      await one.signIn("ada", PASSWORD)
      const held = await connectIn(one, nodes.at(0), app, { scope: "account:read vault:open" })
      assert.equal(held.scope, "account:read workers:read files:read vault:open")

      const abroad = await refresh(nodes.at(1), app, held.refresh_token)
      assert.deepEqual([abroad.status, abroad.body["scope"]], [200, "account:read workers:read files:read"])
      const scopes = await atOnce(NODES, async (node) => {
        const asked = { ...own(server), token: String(abroad.body["access_token"]) }
        return (await send(node, "/oauth/introspect", asked)).body["scope"]
      })
      const elsewhere = "account:read workers:read files:read"
      assert.deepEqual(scopes, [`${elsewhere} vault:open`, elsewhere, elsewhere])
      const home = await refresh(nodes.at(0), app, String(abroad.body["refresh_token"]))
      assert.equal(home.body["scope"], `${elsewhere} vault:open`)
    })

    test("PERM-3, CLIENT-7: a node that does not know a permission keeps it in the ceiling when it changes something else", async () => {
      const [, other] = nodes.latchkeys
      assert.ok(other !== undefined)
      const renamed = await updateApp(other, app.clientId, { name: "Renamed" }, OPERATOR)
      assert.ok(renamed.ok, JSON.stringify(renamed))
      const { client } = await nodes.testServer.store.read({ client: app.client.clientId })
      assert.deepEqual([client?.name, client?.ceiling], ["Renamed", app.client.ceiling])
    })

    test("CONSENT-1: pages and consents that another node's catalog made do no harm", async () => {
      const browser = at(0)
      await browser.signIn("ada", PASSWORD)
      const page = await browser.get(authorizePath(app, newVerifier().challenge, { scope: "vault:open" }))
      assert.equal(page.status, 200)
      const there = at(1)
      await there.signIn("ada", PASSWORD)
      const refused = await there.get(authorizePath(app, newVerifier().challenge, { scope: "vault:open" }))
      assert.match(refused.location ?? "", /error=invalid_scope/)
      for (const path of ["/account", `/console/app?id=${app.clientId}`, "/console", "/console/apps"])
        assert.equal((await there.get(path)).status, 200, path)
    })
  })
})
