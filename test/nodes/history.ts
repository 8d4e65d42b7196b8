/**
 * Apps under load, and the responses that they received. An app sends its refresh token until it gets a response, to
 * another node each time. Without a response, the outcome is unknown, and the app sends the same token again.
 */
import assert from "node:assert/strict"
import type { Browser } from "../support/browser.ts"
import {
  type AppIdentity,
  codeFor,
  connectIn,
  exchange,
  type Listening,
  newVerifier,
  refresh,
  type Verifier,
} from "../support/connect.ts"

type Node = Listening

/** The nodes to which apps send their requests. This may also be a single service. */
export type Asked = Node & { readonly each: readonly Node[]; readonly at: (n: number) => Node }

export type Pair = { readonly accessToken: string; readonly refreshToken: string }

/**
 * The tokens of an app, and the responses that it received. `before` are its previous tokens, if these were not sent
 * anywhere yet.
 */
type StoredPair = { pair: Pair; before: Pair | null; acknowledged: number; unanswered: number }

type Bought = { readonly code: string; readonly verifier: Verifier; tokens: Pair | null; isOpen: boolean }

/** With this status, the app tries again later. Any other status except 200 is wrong and ends the load. */
const UNAVAILABLE = 503

const TRIES_AT_MOST = 10

export class History {
  readonly #nodes: Asked
  readonly #app: AppIdentity
  readonly #holders: readonly StoredPair[]
  readonly #bought: Bought[] = []
  #turn = 0
  #failure: Error | null = null

  private constructor(nodes: Asked, app: AppIdentity, holders: readonly StoredPair[]) {
    this.#nodes = nodes
    this.#app = app
    this.#holders = holders
  }

  /** Creates this many apps. `browser` is signed in and consents for them. */
  static async begin(nodes: Asked, app: AppIdentity, browser: Browser, count: number): Promise<History> {
    const held = await Promise.all(Array.from({ length: count }, () => connectIn(browser, nodes, app)))
    const holders = held.map(({ access_token: accessToken, refresh_token: refreshToken }) => ({
      pair: { accessToken, refreshToken },
      before: null,
      acknowledged: 0,
      unanswered: 0,
    }))
    return new History(nodes, app, holders)
  }

  /** Throws if an app received a wrong response. */
  get acknowledged(): number {
    if (this.#failure !== null) throw this.#failure
    return this.#holders.reduce((sum, holder) => sum + holder.acknowledged, 0)
  }

  get unanswered(): number {
    return this.#holders.reduce((sum, holder) => sum + holder.unanswered, 0)
  }

  /** Gets codes that are exchanged during the load, one at a time. */
  async buy(browser: Browser, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const verifier = newVerifier()
      const code = await codeFor(browser, this.#app, verifier.challenge)
      this.#bought.push({ code, verifier, tokens: null, isOpen: true })
    }
  }

  /**
   * Refreshes with every app and exchanges codes until `isOver`. Ends when each app has its response or has given up.
   */
  async load(isOver: () => boolean): Promise<void> {
    const exchanging = this.#bought.filter(({ isOpen }) => isOpen)
    const wrong = (error: unknown) => void (this.#failure ??= error as Error)
    const isEnough = () => isOver() || this.#failure !== null
    await Promise.all([
      ...this.#holders.map((holder) => this.#refreshUntil(holder, isEnough).catch(wrong)),
      ...exchanging.map((one) => this.#exchangeOnce(one).catch(wrong)),
    ])
    if (this.#failure !== null) throw this.#failure
  }

  /**
   * Checks that everything acknowledged holds on every node. Everything else must have the same outcome on every node.
   */
  async check(): Promise<void> {
    for (const [n, holder] of this.#holders.entries()) {
      await this.#checkReplay(holder, `holder ${n}`)
      await this.#checkPair(holder, `holder ${n}`)
    }
    for (const one of this.#bought.splice(0)) await this.#checkBought(one)
  }

  async #refreshUntil(holder: StoredPair, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const answer = await this.#refresh(this.#next(), holder.pair)
      if (answer === null) {
        holder.unanswered++
        holder.before = null
        // A node that refuses connections does so at once, so the others get a turn.
        await new Promise((resolve) => setTimeout(resolve, 5))
      } else {
        holder.before = holder.pair
        holder.pair = answer
        holder.acknowledged++
      }
    }
  }

  /** Returns null if no response arrived, or if the response asks to try again. */
  async #refresh(node: Node, { refreshToken }: Pair): Promise<Pair | null> {
    const answer = await refresh(node, this.#app, refreshToken).catch(() => null)
    if (answer === null || answer.status === UNAVAILABLE) return null
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return pairIn(answer.body)
  }

  /** A busy machine correctly sends some 503 responses. Such requests are sent again. */
  async #refreshAgain(node: Node, pair: Pair): Promise<Pair | null> {
    for (let tries = 0; tries < TRIES_AT_MOST; tries++) {
      const answer = await this.#refresh(node, pair)
      if (answer !== null) return answer
    }
    return null
  }

  async #exchangeOnce(one: Bought): Promise<void> {
    const answer = await exchange(this.#next(), this.#app, one.code, one.verifier.verifier).catch(() => null)
    if (answer === null || answer.status === UNAVAILABLE) return
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    one.tokens = pairIn(answer.body)
    one.isOpen = false
  }

  /** Within its grace period, a retired token must give the pair that it was exchanged for, on every node. */
  async #checkReplay({ pair, before }: StoredPair, who: string): Promise<void> {
    if (before === null) return
    for (const node of this.#nodes.each)
      assert.deepEqual(await this.#refreshAgain(node, before), pair, `${who}: the same pair on ${node.url}`)
  }

  async #checkPair(holder: StoredPair, who: string): Promise<void> {
    for (const node of this.#nodes.each)
      assert.equal(await statusOf(node, holder.pair), 200, `${who}: its access token on ${node.url}`)
    const next = await this.#refreshAgain(this.#next(), holder.pair)
    assert.ok(next !== null, `${who}: its refresh token`)
    const again = await this.#refreshAgain(this.#next(), holder.pair)
    assert.deepEqual(again, next, `${who}: one successor`)
    holder.before = holder.pair
    holder.pair = next
  }

  async #checkBought(one: Bought): Promise<void> {
    if (one.tokens !== null) return this.#checkTold(one.tokens)
    const { code, verifier } = one
    const answers = await Promise.all(
      this.#nodes.each.map((node) => exchange(node, this.#app, code, verifier.verifier)),
    )
    assert.ok(answers.filter(({ status }) => status === 200).length <= 1, "a code works once")
    for (const { status, body } of answers)
      if (status !== 200) assert.deepEqual([status, body["error"]], [400, "invalid_grant"])
  }

  async #checkTold(pair: Pair): Promise<void> {
    assert.equal(await statusOf(this.#next(), pair), 200, "the access token of an exchange")
    assert.notEqual(await this.#refresh(this.#next(), pair), null, "the refresh token of an exchange")
  }

  #next(): Node {
    return this.#nodes.at(this.#turn++)
  }
}

/** Returns the tokens of a successful response of the token endpoint. */
export function pairIn(body: Record<string, unknown>): Pair {
  return { accessToken: String(body["access_token"]), refreshToken: String(body["refresh_token"]) }
}

async function statusOf(node: Node, { accessToken }: Pair): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await fetch(`${node.url}/api/account`, { headers })).status
}
