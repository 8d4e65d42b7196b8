/**
 * The signing keys of this process. They are read from the database at most five times a second, and the step that is
 * due is then taken. Interface SIGN.
 */
import { createPrivateKey, createPublicKey, type JsonWebKeyInput, type KeyObject } from "node:crypto"
import {
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
  type SigningKey,
} from "../../model/signing-key.rules.ts"
import { sealedThings } from "../../model/sealed.rules.ts"
import type { KeyId } from "../../kernel/ids.ts"
import type { Services } from "../../platform/services/services.ts"
import { decideTurn, dueStep, publishedKeys, signingKeyOf } from "./key-turn.rules.ts"
import { makeKey } from "./make-key.ts"

const FRESH_MILLISECONDS = 250

type Needs = Pick<Services, "store" | "clock" | "keys" | "log">

export type Signer = { readonly kid: KeyId; readonly algorithm: SignatureAlgorithm; readonly key: KeyObject }

/** The public part of a key. A withdrawn one is kept, so that revocation knows its tokens. */
export type Verifier = Signer & { readonly isWithdrawn: boolean }

class SigningKeys {
  readonly #needs: Needs
  #keys: readonly SigningKey[] = []
  #readAt = -Infinity
  /** The wall clock of the last read. After a sleep of the machine, only this clock has moved. */
  #readSecond = -Infinity
  #reading: { readonly askedAt: number; readonly keys: Promise<readonly SigningKey[]> } | null = null
  readonly #turning = new Map<SignatureAlgorithm, Promise<void>>()
  #opened: ReadonlyMap<KeyId, Signer> = new Map()
  #public: ReadonlyMap<KeyId, KeyObject> = new Map()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Returns the key that signs. Makes the first one of an algorithm. */
  async signer(algorithm: SignatureAlgorithm): Promise<Signer> {
    const known = signingKeyOf(await this.#current(), algorithm)
    if (known !== null) {
      if (this.#isDue(algorithm)) this.#turnBehind(algorithm)
      return this.#open(known)
    }
    await this.#turn(algorithm)
    const made = signingKeyOf(await this.#current(), algorithm)
    if (made === null) throw new Error(`there is no key that signs with ${algorithm}`)
    return this.#open(made)
  }

  /** Returns the public part of a kept key, published or not. */
  async verifier(kid: KeyId): Promise<Verifier | null> {
    const keys = await this.#current()
    const known = keys.find((key) => key.kid === kid)
    if (known === undefined) return null
    const { algorithm, state, publicJwk } = known
    let key = this.#public.get(kid)
    if (key === undefined) {
      key = createPublicKey({ key: JSON.parse(publicJwk), format: "jwk" } as JsonWebKeyInput)
      const kept = new Set(keys.map((one) => one.kid))
      this.#public = new Map([...this.#public].filter(([id]) => kept.has(id)).concat([[kid, key]]))
    }
    return { kid, algorithm, key, isWithdrawn: state === "withdrawn" }
  }

  /**
   * The JWK set that anyone may read (RFC 7517 §5). Makes the first key of every algorithm, so that no copy of the set
   * lacks it when an app begins to use that algorithm. Takes the other steps that are due in the background.
   */
  async published(): Promise<{ readonly keys: readonly unknown[] }> {
    await Promise.all(SIGNATURE_ALGORITHMS.map((algorithm) => this.signer(algorithm)))
    const keys = await this.#current()
    return {
      keys: publishedKeys(keys, this.#needs.clock.now()).map((key) => JSON.parse(key.publicJwk) as unknown),
    }
  }

  #isDue(algorithm: SignatureAlgorithm): boolean {
    return dueStep(this.#keys, algorithm, this.#needs.clock.now()) !== null
  }

  #current(): Promise<readonly SigningKey[]> {
    const { clock } = this.#needs
    const now = clock.monotonic()
    if (now - this.#readAt < FRESH_MILLISECONDS && clock.now() === this.#readSecond)
      return Promise.resolve(this.#keys)
    // An older read may have seen the keys before this node was stopped for a while.
    if (this.#reading === null || now - this.#reading.askedAt >= FRESH_MILLISECONDS)
      this.#reading = { askedAt: now, keys: this.#read(now) }
    return this.#reading.keys
  }

  async #read(askedAt: number): Promise<readonly SigningKey[]> {
    const second = this.#needs.clock.now()
    try {
      const { signingKeys } = await this.#needs.store.read({ signingKeys: true })
      const keys = signingKeys ?? []
      if (askedAt < this.#readAt) return keys
      this.#keys = keys
      this.#readAt = askedAt
      this.#readSecond = second
      return keys
    } finally {
      if (this.#reading?.askedAt === askedAt) this.#reading = null
    }
  }

  #turnBehind(algorithm: SignatureAlgorithm): void {
    this.#turn(algorithm).catch((err: unknown) => {
      this.#needs.log.error({ err }, "a signing key could not be stored; this will be retried")
    })
  }

  /** Takes the step that is due. Calls at one time share it. */
  #turn(algorithm: SignatureAlgorithm): Promise<void> {
    const under = this.#turning.get(algorithm)
    if (under !== undefined) return under
    const turning = this.#takeStep(algorithm).finally(() => this.#turning.delete(algorithm))
    this.#turning.set(algorithm, turning)
    return turning
  }

  async #takeStep(algorithm: SignatureAlgorithm): Promise<void> {
    const { store, clock, keys } = this.#needs
    const made =
      dueStep(this.#keys, algorithm, clock.now()) === "make"
        ? await makeKey(algorithm, keys, clock.now())
        : null
    await store.change({ signingKeys: true }, ({ signingKeys }) =>
      decideTurn(signingKeys ?? [], algorithm, made, clock.now()),
    )
    this.#readAt = -Infinity
  }

  #open(key: SigningKey): Signer {
    const known = this.#opened.get(key.kid)
    if (known !== undefined) return known
    const { kid, algorithm, sealedPrivate } = key
    const text =
      sealedPrivate === null
        ? null
        : this.#needs.keys.openStored(sealedThings.signingKey.purpose(kid), sealedPrivate)
    if (text === null) throw new Error(`the signing key ${kid} was sealed with another service secret`)
    const opened = { kid, algorithm, key: createPrivateKey(text) }
    // Keys that sign no more are not kept.
    this.#opened = new Map([...this.#opened].filter(([id]) => signs(this.#keys, id)).concat([[kid, opened]]))
    return opened
  }
}

function signs(keys: readonly SigningKey[], kid: KeyId): boolean {
  return keys.some((key) => key.kid === kid && key.state === "signing")
}

const ofStores = new WeakMap<Services["store"], SigningKeys>()

/** Returns the keys of these services. Nothing is read before the first use. */
export function signingKeysOf(services: Needs): SigningKeys {
  let known = ofStores.get(services.store)
  if (known === undefined) ofStores.set(services.store, (known = new SigningKeys(services)))
  return known
}

/** Returns the step of housekeeping that makes the first keys and takes the steps that are due. Nothing waits for it. */
export function signingKeyTurner(
  services: Needs & Pick<Services, "settings" | "resources">,
  isOver: () => boolean,
): () => void {
  const { settings, resources, log } = services
  let isTurning = false
  const turn = async () => {
    if (resources.algorithms.size > 0 || (await settings.current()).openid)
      await signingKeysOf(services).published()
  }
  return () => {
    if (isTurning) return
    isTurning = true
    turn()
      .catch((err: unknown) => {
        if (!isOver()) log.error({ err }, "the signing keys could not be read or made; this will be retried")
      })
      .finally(() => (isTurning = false))
  }
}
