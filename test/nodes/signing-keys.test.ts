/** Tests which key signs on two nodes, one of which is stopped while `latchkey key rotate` replaces the key. */
import { before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet, jwtVerify } from "jose"
import { type AppIdentity, connect, refresh } from "../support/connect.ts"
import { needsPostgres } from "../support/postgres.ts"
import { addAccount, addApp, set, switchBudgetOff } from "../support/seed.ts"
import { done, wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { type Node, Nodes } from "./nodes.ts"

/** A node knows a new key after this time. */
const KNOWN_MILLISECONDS = 250
/** A slow machine may take more time to answer. */
const MACHINE_MILLISECONDS = 3000
const CREDENTIALS_OF_A_NODE = 3

const file = wholeFile()

type Given = { readonly idToken: string; readonly askedAt: number }

describe("Signing keys of two nodes", needsPostgres, () => {
  let nodes: Nodes
  let app: AppIdentity
  /** One credential is refreshed by one node, so that no refresh seems to be a second use. */
  const held = new Map<Node, string[]>()

  before(async () => {
    nodes = await Nodes.start(file, { count: 2 })
    await switchBudgetOff(nodes.dir)
    await set(nodes.dir, "openid.enabled", "on")
    await addAccount(nodes.dir, "ada")
    app = await addApp(nodes.dir, { type: "public", permissions: ["openid"] })
    for (const node of nodes.each) {
      const tokens: string[] = []
      for (let left = CREDENTIALS_OF_A_NODE; left > 0; left--)
        tokens.push((await connect(nodes, app, "ada", { scope: "openid" })).refresh_token)
      held.set(node, tokens)
    }
  })

  /** Refreshes every credential of the node at once. */
  async function signOn(node: Node): Promise<readonly Given[]> {
    const askedAt = performance.now()
    const answers = await Promise.all((held.get(node) ?? []).map((token) => refresh(node, app, token)))
    held.set(
      node,
      answers.map(({ body }) => String(body["refresh_token"])),
    )
    return answers.map(({ status, body }) => {
      assert.equal(status, 200, JSON.stringify(body))
      return { idToken: String(body["id_token"]), askedAt }
    })
  }

  async function isVerified({ idToken }: Given): Promise<boolean> {
    const each = await Promise.all(
      nodes.each.map(async ({ url }) => {
        const keys = (await (await fetch(`${url}/oauth/jwks`)).json()) as JSONWebKeySet
        return jwtVerify(idToken, createLocalJWKSet(keys), { audience: app.clientId }).then(
          () => true,
          (error: unknown) => {
            if (error instanceof errors.JWKSNoMatchingKey) return false
            throw error
          },
        )
      }),
    )
    return each.every(Boolean)
  }

  /** Each node publishes the key of each id_token, at once or after it has read the keys again. */
  async function assertVerified(given: readonly Given[]): Promise<void> {
    for (const one of given) await until(() => isVerified(one), "a published key", MACHINE_MILLISECONDS)
  }

  const kidsOf = (given: readonly Given[]) =>
    new Set(given.map(({ idToken }) => decodeProtectedHeader(idToken).kid))

  async function rotate(...flags: readonly string[]): Promise<string> {
    return (await done<{ kid: string }>(nodes.dir, ["key", "rotate", ...flags])).kid
  }

  test("SIGN-3, SIGN-4 a node that was stopped while the key was withdrawn signs with the new one, as the other does", async () => {
    const [stopped, other] = [nodes.at(0), nodes.at(1)]
    const earlier = [...(await signOn(stopped)), ...(await signOn(other))]
    await assertVerified(earlier)
    for (let round = 0; round < 3; round++) {
      stopped.server.signal("SIGSTOP")
      // Asked while the node is stopped, and answered afterwards.
      const kid = await rotate("--now")
      const late = signOn(stopped)
      await until(async () => kidsOf(await signOn(other)).has(kid), "the other node", MACHINE_MILLISECONDS)
      stopped.server.signal("SIGCONT")
      const given = [...(await late), ...(await signOn(stopped)), ...(await signOn(other))]
      assert.deepEqual(kidsOf(given), new Set([kid]))
      await assertVerified(given)
    }
    assert.equal(await isVerified(earlier[0] ?? assert.fail()), false)
  })

  test("SIGN-2, SIGN-4 while keys are withdrawn under load, a node signs with an old one for a moment at most", async () => {
    let rotatedAt = Infinity
    const given: Given[] = []
    const load = nodes.each.map(async (node) => {
      while (performance.now() < rotatedAt + 2 * KNOWN_MILLISECONDS) given.push(...(await signOn(node)))
    })
    await until(() => given.length >= 2 * CREDENTIALS_OF_A_NODE, "some id_tokens")
    const kid = await rotate("--now")
    rotatedAt = performance.now()
    await Promise.all(load)
    const late = given.filter(({ askedAt }) => askedAt > rotatedAt + KNOWN_MILLISECONDS)
    assert.ok(late.length > 0)
    assert.deepEqual(kidsOf(late), new Set([kid]))
    await assertVerified(given.filter(({ idToken }) => decodeProtectedHeader(idToken).kid === kid))
  })

  test("SIGN-2, SIGN-3 a key that signs after a day is published by both nodes, and the old one goes on", async () => {
    const [stopped, other] = [nodes.at(0), nodes.at(1)]
    const [first] = await signOn(other)
    stopped.server.signal("SIGSTOP")
    const kid = await rotate()
    stopped.server.signal("SIGCONT")
    const given = [...(await signOn(stopped)), ...(await signOn(other))]
    assert.deepEqual(kidsOf(given), kidsOf([first ?? assert.fail()]))
    await assertVerified(given)
    for (const { url } of nodes.each)
      await until(
        async () => {
          const { keys } = (await (await fetch(`${url}/oauth/jwks`)).json()) as JSONWebKeySet
          return keys.some((key) => key.kid === kid)
        },
        "the next key",
        MACHINE_MILLISECONDS,
      )
  })
})
