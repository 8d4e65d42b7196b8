/** Signs the assertion: a JWT for the app behind the proxy that says who called. */
import { SignJWT } from "jose"
import type { Access } from "#resource-server/access.ts"
import type { Clock } from "../../kernel/clock.ts"
import { randomBytes } from "../../kernel/random.ts"
import { makeKey, readKeys, removeKey, type SigningKey } from "./key-directory.ts"
import { planKeys } from "./key-plan.rules.ts"

export type AssertionOptions = {
  readonly issuer: string
  readonly keys: string
  readonly algorithm: string
  readonly rotateDays: number
}

export type Signed = {
  readonly jwt: string
  /** Until then, the same assertion may be sent again. In monotonic milliseconds. */
  readonly until: number
}

const LIFETIME_SECONDS = 60
const DAY = 24 * 3600
const REFRESH_MS = 60_000

export class Assertions {
  readonly #options: AssertionOptions
  readonly #clock: Clock
  #keys: readonly SigningKey[] = []
  #published = ""

  private constructor(options: AssertionOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  static async open(options: AssertionOptions, clock: Clock): Promise<Assertions> {
    const assertions = new Assertions(options, clock)
    await assertions.refresh()
    return assertions
  }

  /** The public keys (RFC 7517 §5). */
  get jwks(): string {
    return this.#published
  }

  /** Reads the directory, makes the next key if it is due, and removes keys that no assertion can have. */
  async refresh(): Promise<void> {
    const { keys: directory, algorithm } = this.#options
    let keys = await readKeys(directory)
    // Two keys are made in a row only if the rotation is short.
    for (let plan = this.#plan(keys); plan.missing !== null; plan = this.#plan(keys)) {
      await makeKey(directory, { algorithm, from: plan.missing, createdAt: this.#clock.now() })
      const found = await readKeys(directory)
      if (found.length === keys.length) throw new Error(`no key can be made in ${directory}`)
      keys = found
    }
    const { published, expired } = this.#plan(keys)
    for (const key of expired) removeKey(key)
    this.#keys = published
    this.#published = JSON.stringify({ keys: published.map(({ publicJwk }) => publicJwk) })
  }

  /** Refreshes once a minute. Returns the function that ends this. */
  keepFresh(failed: (error: unknown) => void): () => void {
    const timer = setInterval(() => void this.refresh().catch(failed), REFRESH_MS).unref()
    return () => clearInterval(timer)
  }

  readonly sign = async (access: Access, resource: string): Promise<Signed> => {
    const { current } = this.#plan(this.#keys)
    if (current === null) throw new Error("there is no key for the assertion")
    const now = this.#clock.now()
    const expiresAt = Math.min(now + LIFETIME_SECONDS, Math.floor(access.expiresAt))
    const { clientId, permissions, groups } = access
    const jwt = await new SignJWT({ client_id: clientId, scope: permissions.join(" "), groups })
      .setProtectedHeader({ alg: current.algorithm, kid: current.id, typ: "JWT" })
      .setIssuer(this.#options.issuer)
      .setAudience(resource)
      .setSubject(access.accountId)
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .setJti(randomBytes(16).toString("base64url"))
      .sign(current.key)
    // It is sent for half of its life, so that the app has the other half.
    return { jwt, until: this.#clock.monotonic() + ((expiresAt - now) / 2) * 1000 }
  }

  #plan(keys: readonly SigningKey[]) {
    const { algorithm, rotateDays } = this.#options
    return planKeys(keys, algorithm, this.#clock.now(), rotateDays * DAY)
  }
}
