/** A credential in the hands of its app, which does one thing after the other and knows what it must hear. */
import { type AppIdentity, own, refresh, send } from "../../test/support/connect.ts"
import type { Life } from "./record.ts"
import type { World } from "./world.ts"

export type Pair = { readonly accessToken: string; readonly refreshToken: string }

type Retired = {
  readonly refreshToken: string
  /** When the request that retired it was sent, at the earliest. */
  readonly at: number
}

/** A repeat must come within a minute: one that is sent this long after the first is left out, and may still be slow. */
const REPEATED_WITHIN_MILLISECONDS = 15_000
/** Later than this, a lost answer is lost: the window of sixty seconds is over. */
const WINDOW_MILLISECONDS = 59_000

export class Held {
  readonly world: World
  readonly life: Life
  readonly app: AppIdentity
  #pair: Pair
  /** Retired last, while its successor has not been sent anywhere. */
  #before: Retired | null = null
  /** Retired before that: its successor has been used. */
  #elder: Retired | null = null

  constructor(world: World, life: Life, app: AppIdentity, body: Record<string, unknown>) {
    this.world = world
    this.life = life
    this.app = app
    this.#pair = pairIn(body)
    this.#isNew()
    world.held.add(this)
  }

  get accessToken(): string {
    return this.#pair.accessToken
  }

  /** A refresh that must succeed, sent by `width` threads of the app at once; false where its window closed meanwhile. */
  async rotate(width: number, more: Record<string, string> = {}): Promise<boolean> {
    const { refreshToken } = this.#pair
    const at = performance.now()
    if (this.#before !== null) this.#elder = this.#before
    this.#before = null
    for (let round = 0; ; round++) {
      const asked = Array.from({ length: round === 0 ? width : 1 }, () => this.#refresh(refreshToken, more))
      const answers = (await Promise.all(asked)).filter((answer) => answer !== null)
      const isLate = performance.now() - at > WINDOW_MILLISECONDS
      if (answers.length === 0 && !isLate && this.world.failure === null) continue
      const [first] = answers
      if (isLate || first === undefined) return this.#lost(isLate)
      for (const { status, body } of answers)
        if (status !== 200 || !isSame(pairIn(body), pairIn(first.body)))
          throw this.life.broken(`a repeat of a refresh brought ${status} ${difference(body, first.body)}`)
      this.#pair = pairIn(first.body)
      this.#isNew()
      this.#before = { refreshToken, at }
      return true
    }
  }

  /** The token that was retired last, sent again, brings the very pair that it was exchanged for. */
  async repeat(): Promise<void> {
    const before = this.#before
    if (before === null || !isRecent(before)) return
    const answer = await this.#refresh(before.refreshToken)
    if (answer === null) return
    if (answer.status !== 200 || !isSame(pairIn(answer.body), this.#pair))
      throw this.life.broken(
        `a retired token brought ${answer.status}, not the pair that it was exchanged for`,
      )
  }

  /** One whose successor has been used is refused, and nothing comes of it. */
  async repeatElder(): Promise<void> {
    const elder = this.#elder
    if (elder === null || !isRecent(elder)) return
    const answer = await this.#refresh(elder.refreshToken)
    if (answer !== null && answer.status !== 400)
      throw this.life.broken(`a token retired before the last one was answered ${answer.status}`)
  }

  /** An introspection says that it is live. */
  async check(): Promise<void> {
    const { body } = await this.world.surely(this.life, "introspect", (at) => this.#introspect(at))
    if (body["active"] !== true) throw this.life.broken("a token that works was called inactive")
    const answer = await this.world.surely(this.life, "api", (at) => lookAt(at, this.accessToken))
    if (answer.status !== 200) throw this.life.broken(`a token that works was answered ${answer.status}`)
  }

  /** Revokes it by either token, until that is acknowledged; from then on nothing of it works. */
  async revoke(by: keyof Pair): Promise<void> {
    const token = this.#pair[by]
    const { status } = await this.world.surely(this.life, "revoke", (at) =>
      send(at, "/oauth/revoke", { ...own(this.app), token }),
    )
    if (status !== 200) throw this.life.broken(`a revocation was answered ${status}`)
    await this.isOver("its revocation was acknowledged")
  }

  /** Both tokens are dead, now and at the end of the proof. */
  async isOver(what: string): Promise<void> {
    this.#keep(what)
    await this.isShut(what)
  }

  /** Neither token works at this time. */
  async isShut(what = "its account was disabled"): Promise<void> {
    const { status } = await this.world.surely(this.life, "api", (at) => lookAt(at, this.accessToken))
    if (status !== 401) throw this.life.broken(`when ${what}, its access token was answered ${status}`)
    const answer = await this.world.surely(this.life, "refresh", (at) =>
      this.#send(at, this.#pair.refreshToken),
    )
    if (answer.status !== 400 || answer.body["error"] !== "invalid_grant")
      throw this.life.broken(`when ${what}, its refresh token was answered ${answer.status}`)
  }

  /** It is not checked any more. */
  letGo(): void {
    this.world.held.delete(this)
  }

  #keep(what: string): void {
    this.letGo()
    this.world.ended.push({ accessToken: this.accessToken, what: `${this.life.name}: ${what}` })
  }

  #lost(isLate: boolean): false {
    if (isLate) this.world.late++
    this.letGo()
    return false
  }

  #isNew(): void {
    this.world.newToken(this.life, this.#pair.accessToken)
    this.world.newToken(this.life, this.#pair.refreshToken)
  }

  #refresh(refreshToken: string, more: Record<string, string> = {}) {
    return this.world.ask(this.life, "refresh", (at) => this.#send(at, refreshToken, more))
  }

  #send(at: { readonly url: string }, refreshToken: string, more: Record<string, string> = {}) {
    return refresh(at, this.app, refreshToken, more)
  }

  #introspect(at: { readonly url: string }) {
    const { resourceServer } = this.world.furniture
    return send(at, "/oauth/introspect", { ...own(resourceServer), token: this.accessToken })
  }
}

/** What a protected resource answers to an access token. */
export async function lookAt(at: { readonly url: string }, accessToken: string) {
  const response = await fetch(`${at.url}/api/credential`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

function pairIn(body: Record<string, unknown>): Pair {
  return { accessToken: String(body["access_token"]), refreshToken: String(body["refresh_token"]) }
}

function isSame(one: Pair, other: Pair): boolean {
  return one.accessToken === other.accessToken && one.refreshToken === other.refreshToken
}

function difference(body: Record<string, unknown>, first: Record<string, unknown>): string {
  return "error" in body ? JSON.stringify(body) : "error" in first ? JSON.stringify(first) : "another pair"
}

function isRecent({ at }: Retired): boolean {
  return performance.now() - at < REPEATED_WITHIN_MILLISECONDS
}
