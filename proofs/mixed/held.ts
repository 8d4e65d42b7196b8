/** A credential that an app holds. The app does one thing after the other and knows which responses it must get. */
import { type Pair, pairIn } from "../../test/nodes/history.ts"
import { type AppIdentity, own, refresh, send } from "../../test/support/connect.ts"
import type { Life } from "./record.ts"
import type { World } from "./world.ts"

type Retired = {
  readonly refreshToken: string
  /** The earliest time at which the token may have been retired. */
  readonly at: number
}

/**
 * A repeat must arrive within a minute. If more than this time has passed, the repeat is not sent, because it may also
 * be slow.
 */
const REPEATED_WITHIN_MILLISECONDS = 15_000
/** After this time, a lost response cannot be repeated, because the grace period of sixty seconds has ended. */
const WINDOW_MILLISECONDS = 59_000

export class Held {
  readonly world: World
  readonly life: Life
  readonly app: AppIdentity
  #pair: Pair
  /** The token that was retired last, if its successor has not been sent anywhere yet. */
  #before: Retired | null = null
  /** The token that was retired before `#before`. Its successor has been used. */
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

  /**
   * Refreshes, which must succeed. `width` requests are sent at once. Returns false if the grace period ended
   * meanwhile.
   */
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

  /** Sends the last retired token again. The response must be the same pair as before. */
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

  /** Sends a token whose successor has been used. It must be refused and change nothing. */
  async repeatElder(): Promise<void> {
    const elder = this.#elder
    if (elder === null || !isRecent(elder)) return
    const answer = await this.#refresh(elder.refreshToken)
    if (answer !== null && answer.status !== 400)
      throw this.life.broken(`a token retired before the last one was answered ${answer.status}`)
  }

  /** Introspects the token, which must be active. */
  async check(): Promise<void> {
    const { body } = await this.world.surely(this.life, "introspect", (at) => this.#introspect(at))
    if (body["active"] !== true) throw this.life.broken("a token that works was called inactive")
    const answer = await this.world.surely(this.life, "api", (at) => lookAt(at, this.accessToken))
    if (answer.status !== 200) throw this.life.broken(`a token that works was answered ${answer.status}`)
  }

  /** Revokes the credential with either token until this is acknowledged. From then on, nothing of it works. */
  async revoke(by: keyof Pair): Promise<void> {
    const token = this.#pair[by]
    const { status } = await this.world.surely(this.life, "revoke", (at) =>
      send(at, "/oauth/revoke", { ...own(this.app), token }),
    )
    if (status !== 200) throw this.life.broken(`a revocation was answered ${status}`)
    await this.isOver("its revocation was acknowledged")
  }

  /** Checks that both tokens are dead now, and again at the end of the proof. */
  async isOver(what: string): Promise<void> {
    this.#keep(what)
    await this.isShut(what)
  }

  /** Checks that neither token works at this time. */
  async isShut(what = "its account was disabled"): Promise<void> {
    const { status } = await this.world.surely(this.life, "api", (at) => lookAt(at, this.accessToken))
    if (status !== 401) throw this.life.broken(`when ${what}, its access token was answered ${status}`)
    const answer = await this.world.surely(this.life, "refresh", (at) =>
      this.#send(at, this.#pair.refreshToken),
    )
    if (answer.status !== 400 || answer.body["error"] !== "invalid_grant")
      throw this.life.broken(`when ${what}, its refresh token was answered ${answer.status}`)
  }

  /** Stops checking this credential. */
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

/** Returns the response of a protected resource to an access token. */
export async function lookAt(at: { readonly url: string }, accessToken: string) {
  const response = await fetch(`${at.url}/api/credential`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
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
