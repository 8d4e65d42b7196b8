/** Seals what a browser carries through a sign-in or a re-authentication: the path that waits, or the form. */
import type { Hash } from "../../kernel/ids.ts"
import type { Keys } from "../../kernel/keys.ts"
import { CONTINUATION } from "../../platform/http/http-context.ts"
import { ownPath } from "../../platform/ui/own-path.ts"
import type { Session } from "../../model/account.rules.ts"
import { type Waiting, waitingAt } from "../../platform/http/waiting.rules.ts"

/** Seals the path and query that a sign-in interrupted. A client cannot change a sealed path into an open redirect. */
export function sealContinuation(keys: Keys, path: string): string
export function sealContinuation(keys: Keys, path: string | null): string | null
export function sealContinuation(keys: Keys, path: string | null): string | null {
  return path === null ? null : keys.seal(CONTINUATION, path)
}

/** Seals a form that waits for re-authentication. The seal also covers the session and the `path` of the form. */
export function sealInterrupted(keys: Keys, path: string, { sessionHash }: Session, body: string): string {
  return keys.seal("interrupted", JSON.stringify([sessionHash, path, body]))
}

/** Returns the body of the sealed form. Returns null if the seal is invalid or belongs to another session or path. */
export function openInterrupted(
  keys: Keys,
  text: string,
  path: string,
  { sessionHash }: Session,
): string | null {
  const content = keys.open("interrupted", text)
  if (content === null) return null
  const [ofSession, ofPath, body] = JSON.parse(content) as [Hash, string, string]
  return ofSession === sessionHash && ofPath === path ? body : null
}

/** Returns the path of the sign-in page. `sealed` is the continuation of the person who signs in there. */
export function signInPath(sealed: string | null): string {
  return withContinuation("/sign-in", sealed)
}

/** Adds the continuation to the path of a page on the way. */
export function withContinuation(path: string, sealed: string | null): string {
  return sealed === null ? path : `${path}?continue=${encodeURIComponent(sealed)}`
}

/** The parameter of an authorization request that goes on only after a new proof. */
export const BEGAN = "sign_in_began"

export function needsNewProof(next: string | null): boolean {
  return next?.includes(`&${BEGAN}=`) === true
}

/** Returns the path, or null. A person who has the service secret can seal one that leads elsewhere. */
export function openContinuation(keys: Keys, text: string): string | null {
  return ownPath(keys.open(CONTINUATION, text))
}

/**
 * Returns the authorization that waits behind a page whose way leads to `next`. A page on the way carries it in its
 * parameter `continue`.
 */
export function waitingBehind(keys: Keys, next: string | null): Waiting | null {
  const direct = waitingAt(next)
  if (direct !== null || next === null) return direct
  const carried = new URL(next, "http://localhost").searchParams.get("continue")
  return carried === null ? null : waitingAt(openContinuation(keys, carried))
}
