/**
 * Things that happen at the same moment on three nodes must happen only once. These races also exist within one
 * process.
 */
import { before, describe, test } from "node:test"
import assert from "node:assert/strict"
import type { Browser } from "../support/browser.ts"
import {
  type AppIdentity,
  authorizePath,
  codeFor,
  connectIn,
  exchange,
  newVerifier,
  own,
  refresh,
  send,
  signedInBrowser,
} from "../support/connect.ts"
import { answerDevice, openCode, poll, startDevice } from "../oauth/device/device.ts"
import { addAccount, addApp, addResourceServer, switchBudgetOff } from "../support/seed.ts"
import { needsPostgres } from "../support/postgres.ts"
import { done, wholeFile } from "../support/spawn.ts"
import { Nodes } from "./nodes.ts"

type Answer = Awaited<ReturnType<typeof send>>

const file = wholeFile()

describe("Three nodes on one database", needsPostgres, () => {
  let nodes: Nodes
  let app: AppIdentity
  let alice: Browser

  before(async () => {
    nodes = await Nodes.start(file)
    await addAccount(nodes.dir, "alice")
    await switchBudgetOff(nodes.dir)
    app = await addApp(nodes.dir, { type: "public" })
    alice = await signedInBrowser(nodes, "alice")
  })

  /** Sends the same request several times at once, each to the next node. */
  const atOnce = (times: number, one: (n: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: times }, (_, n) => one(n)))

  test("CODE-3: of a hundred exchanges of one code one gets tokens, and the credential ends revoked", async () => {
    const { verifier, challenge } = newVerifier()
    const code = await codeFor(alice, app, challenge)
    const answers = await atOnce(100, (n) => exchange(nodes.at(n), app, code, verifier))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const { status, body } of answers.filter((answer) => answer !== won[0]))
      assert.deepEqual([status, body["error"]], [400, "invalid_grant"])
    const later = await refresh(nodes.at(0), app, String(won[0]?.body["refresh_token"]))
    assert.equal(later.body["error"], "invalid_grant")
  })

  test("CRED-1: a hundred refreshes with one token get the very same pair, which lives on every node", async () => {
    const held = await connectIn(alice, nodes, app)
    const answers = await atOnce(100, (n) => refresh(nodes.at(n), app, held.refresh_token))
    for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body))
    const pairs = new Set(answers.map(({ body }) => `${tokenIn(body, "access")} ${tokenIn(body, "refresh")}`))
    assert.equal(pairs.size, 1)
    const [pair] = answers
    assert.ok(pair)
    for (const node of nodes.each) assert.equal(await statusOf(node, pair.body["access_token"]), 200)
    assert.equal((await refresh(nodes.at(1), app, tokenIn(pair.body, "refresh"))).status, 200)
  })

  test("CONSENT-1: a form sent twice at once, from two tabs, gives one grant", async () => {
    const { verifier, challenge } = newVerifier()
    const page = await alice.get(authorizePath(app, challenge))
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => alice.submit(page, "/oauth/consent", { decision: "authorize" })),
    )
    const codes = new Set(
      sent
        .map(({ location }) => new URL(location ?? "about:blank").searchParams.get("code"))
        .filter((code) => code !== null),
    )
    assert.equal(codes.size, 1)
    const [code = ""] = codes
    assert.equal((await exchange(nodes.at(2), app, code, verifier)).status, 200)
  })

  test("CONSENT-1, AUTHZ-10: every step of one flow is answered by another node", async () => {
    const bob = await signedInBrowser(nodes, "alice")
    const { verifier, challenge } = newVerifier()
    for (let n = 0; n < 3; n++) {
      const code = await codeFor(bob, app, challenge)
      const tokens = await exchange(nodes.at(n + 1), app, code, verifier)
      assert.equal(tokens.status, 200)
      const again = await refresh(nodes.at(n + 2), app, tokenIn(tokens.body, "refresh"))
      assert.equal(await statusOf(nodes.at(n), again.body["access_token"]), 200)
    }
  })

  test("DG-3, DEV-1: a device that polls three nodes at once after the approval gets tokens once", async () => {
    const grant = await startDevice(nodes.at(0), app)
    const page = await openCode(alice, grant.userCode)
    assert.equal(page.status, 200)
    const approved = await alice.submit(page, "/oauth/consent", { decision: "authorize" })
    assert.equal(approved.status, 200)
    const answers = await atOnce(30, (n) => poll(nodes.at(n), app, grant))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1, JSON.stringify(answers.map(({ status, body }) => [status, body["error"]])))
    assert.equal(await statusOf(nodes.at(1), won[0]?.body["access_token"]), 200)
  })

  test("DG-3, DG-6: approved on one node and refused on another at once, a device grant has one answer", async () => {
    const other = await signedInBrowser(nodes, "alice")
    for (let round = 0; round < 4; round++) {
      const grant = await startDevice(nodes.at(round), app)
      const answers = await Promise.allSettled([
        answerDevice(alice, grant, "authorize"),
        answerDevice(other, grant, "refuse"),
      ])
      const polled = await poll(nodes.at(round + 1), app, grant)
      assert.ok(
        polled.status === 200 || polled.body["error"] === "access_denied",
        JSON.stringify(polled.body),
      )
      const statuses = answers.map((answer) => (answer.status === "fulfilled" ? answer.value.status : 0))
      assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses))
    }
  })

  test("CRED-3: what one node revokes, the others refuse at the next request", async () => {
    const api = await addResourceServer(nodes.dir)
    for (let n = 0; n < 3; n++) {
      const held = await connectIn(alice, nodes, app)
      for (const node of nodes.each) assert.equal(await statusOf(node, held.access_token), 200)
      const revoked = await send(nodes.at(n), "/oauth/revoke", { ...own(app), token: held.refresh_token })
      assert.equal(revoked.status, 200)
      for (const node of nodes.each) {
        assert.equal(await statusOf(node, held.access_token), 401)
        const asked = await send(node, "/oauth/introspect", { ...own(api), token: held.access_token })
        assert.deepEqual(asked.body, { active: false })
        const later = await refresh(node, app, held.refresh_token)
        assert.equal(later.body["error"], "invalid_grant")
      }
    }
  })

  test("CRED-3: refreshed on two nodes while a third revokes, nothing lives afterwards", async () => {
    for (let round = 0; round < 5; round++) {
      const held = await connectIn(alice, nodes, app)
      const [revoked, ...refreshed] = await Promise.all([
        send(nodes.at(round), "/oauth/revoke", { ...own(app), token: held.refresh_token }),
        ...Array.from({ length: 10 }, (_, n) => refresh(nodes.at(round + n), app, held.refresh_token)),
      ])
      assert.equal(revoked?.status, 200)
      for (const { status, body } of refreshed) {
        if (status !== 200) assert.equal(body["error"], "invalid_grant")
        else assert.equal(await statusOf(nodes.at(round), body["access_token"]), 401)
      }
    }
  })

  test("SVC-7: of two administrators who put each other out through two nodes, one stays", async () => {
    const act = "/console/account/act"
    const names = ["ada", "bea"] as const
    for (const name of names) await addAccount(nodes.dir, name, true)
    const accounts = await done<Listed[]>(nodes.dir, ["account", "list"])
    for (const deed of ["withdraw", "disable", "withdraw", "disable"]) {
      const ask = async (name: string, other: string) => {
        const id = accounts.find(({ username }) => username === other)?.user_id ?? ""
        const browser = await signedInBrowser(nodes, name)
        return { browser, page: await browser.get(`${act}?id=${id}&do=${deed}`) }
      }
      const asked = await Promise.all([ask("ada", "bea"), ask("bea", "ada")])
      const answers = await Promise.all(asked.map(({ browser, page }) => browser.submit(page, act, {})))
      assert.equal(answers.filter(({ location }) => location?.includes("done=") === true).length, 1)
      const stayed = (await done<Listed[]>(nodes.dir, ["account", "list"])).filter(isAdministrator)
      assert.equal(stayed.length, 1)
      const [out = ""] = names.filter((name) => name !== stayed[0]?.username)
      await done(nodes.dir, deed === "disable" ? ["account", "enable", out] : ["account", "admin", out, "on"])
    }
  })

  test("verify finds nothing wrong afterwards", async () => {
    assert.deepEqual(await done(nodes.dir, ["verify"]), [])
  })
})

type Listed = {
  readonly user_id: string
  readonly username: string
  readonly admin: boolean
  readonly enabled: boolean
}

function isAdministrator({ admin, enabled }: Listed): boolean {
  return admin && enabled
}

function tokenIn(body: Record<string, unknown>, kind: "access" | "refresh"): string {
  return String(body[`${kind}_token`])
}

async function statusOf(node: { readonly url: string }, accessToken: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${String(accessToken)}` }
  return (await fetch(`${node.url}/api/account`, { headers })).status
}
