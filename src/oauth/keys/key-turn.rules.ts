/**
 * Which key signs, which are published, and when the next one comes. Each step is stored, so nodes with different clocks
 * agree on the key that signs. Interface SIGN-1…3.
 */
import { DAY } from "../../kernel/time.ts"
import { type Decided, decided, type Change, eventRecorded } from "../../model/change.rules.ts"
import type { SignatureAlgorithm, SigningKey } from "../../model/signing-key.rules.ts"

/** How long a key signs before its successor is made. */
const SIGNS_SECONDS = 90 * DAY
/** How long a key is published before it signs. It is longer than any copy of the JWKS is kept. */
const AHEAD_SECONDS = DAY
/** How long a key is published after it signed. No token that it signed lives longer. */
const AFTER_SECONDS = DAY
/** How long a public key is kept, so that revocation knows the tokens that it signed. */
const KEPT_SECONDS = 365 * DAY

/** A key that was just made. */
export type NewKey = Pick<SigningKey, "kid" | "algorithm" | "publicJwk"> & { readonly sealedPrivate: string }

const ofState = (keys: readonly SigningKey[], algorithm: SignatureAlgorithm, state: SigningKey["state"]) =>
  keys.find((key) => key.algorithm === algorithm && key.state === state) ?? null

export function signingKeyOf(keys: readonly SigningKey[], algorithm: SignatureAlgorithm): SigningKey | null {
  return ofState(keys, algorithm, "signing")
}

/** In the order in which they were made. */
export function publishedKeys(keys: readonly SigningKey[], now: number): readonly SigningKey[] {
  return keys.filter(
    ({ state, endedAt }) =>
      state === "next" || state === "signing" || (state === "former" && now < (endedAt ?? 0) + AFTER_SECONDS),
  )
}

/** What is due for the keys of an algorithm: a key must be made, a stored step must be taken, or nothing. */
export function dueStep(
  keys: readonly SigningKey[],
  algorithm: SignatureAlgorithm,
  now: number,
): "make" | "store" | null {
  const [signing, next] = [signingKeyOf(keys, algorithm), ofState(keys, algorithm, "next")]
  if (signing === null) return next === null ? "make" : "store"
  if (next !== null) return now >= next.signsFrom ? "store" : null
  if (now >= signing.signsFrom + SIGNS_SECONDS) return "make"
  return keys.some((key) => isOver(key, now)) ? "store" : null
}

/**
 * Takes the due step, which is no event, because no person took it. `made` is used where a key must be made, and dropped
 * where another node was faster.
 */
export function decideTurn(
  keys: readonly SigningKey[],
  algorithm: SignatureAlgorithm,
  made: NewKey | null,
  now: number,
): Decided<null> {
  const over = keys.filter((key) => isOver(key, now)).map(({ kid }) => removed(kid))
  const next = ofState(keys, algorithm, "next")
  const signing = signingKeyOf(keys, algorithm)
  switch (dueStep(keys, algorithm, now)) {
    case "make":
      if (made === null) return decided(null, ...over)
      return decided(
        null,
        ...over,
        set(
          signing === null
            ? newKey(made, "signing", now, now)
            : newKey(made, "next", now, now + AHEAD_SECONDS),
        ),
      )
    case "store":
      if (next === null) return decided(null, ...over)
      return decided(
        null,
        ...over,
        ...ended(signing, "former", now),
        set({ ...next, state: "signing", signsFrom: now }),
      )
    case null:
      return decided(null)
  }
}

/**
 * `key rotate`: a new key signs after a day. One that waits already is kept, because apps may know it. With `isNow` the
 * new key signs at once, and all keys from before are withdrawn: it may not be known which one leaked. SIGN-4.
 */
export function decideRotation(
  keys: readonly SigningKey[],
  made: NewKey,
  isNow: boolean,
  now: number,
): Decided<SigningKey> {
  const { algorithm } = made
  const [signing, next] = [signingKeyOf(keys, algorithm), ofState(keys, algorithm, "next")]
  if (!isNow && next !== null) return decided(next)
  if (!isNow && signing !== null) {
    const key = newKey(made, "next", now, now + AHEAD_SECONDS)
    return decided(key, set(key), recorded(made, "is published and signs later", now))
  }
  const key = newKey(made, "signing", now, now)
  const others = keys.filter((one) => one.algorithm === algorithm && one.state !== "withdrawn")
  return decided(
    key,
    ...others.flatMap((one) => ended(one, "withdrawn", now)),
    set(key),
    recorded(made, "signs", now),
  )
}

/** `secret forget`: no private key can be opened any more, so every key that signs or will sign is withdrawn. */
export function decideLostKeys(keys: readonly SigningKey[], now: number): Decided<null> {
  const lost = keys.filter(({ sealedPrivate }) => sealedPrivate !== null)
  return decided(null, ...lost.flatMap((key) => ended(key, "withdrawn", now)))
}

/** A key that is gone for so long that no token of it can be shown. */
function isOver({ endedAt }: SigningKey, now: number): boolean {
  return endedAt !== null && now >= endedAt + KEPT_SECONDS
}

function newKey(made: NewKey, state: "next" | "signing", madeAt: number, signsFrom: number): SigningKey {
  return { ...made, state, madeAt, signsFrom, endedAt: null }
}

function set(key: SigningKey): Change {
  return { change: "signingKeySet", key }
}

/** The private key goes with the end, so that it can sign nothing more. */
function ended(key: SigningKey | null, state: "former" | "withdrawn", now: number): readonly Change[] {
  if (key === null) return []
  const over = set({ ...key, state, sealedPrivate: null, endedAt: now })
  return state === "former" ? [over] : [over, recorded(key, "is withdrawn", now)]
}

function recorded(
  { algorithm, kid }: Pick<SigningKey, "algorithm" | "kid">,
  what: string,
  at: number,
): Change {
  const detail = `${algorithm} ${kid} ${what}`
  return eventRecorded("signing-key-changed", at, { detail })
}

function removed(kid: SigningKey["kid"]): Change {
  return { change: "signingKeyRemoved", kid }
}
