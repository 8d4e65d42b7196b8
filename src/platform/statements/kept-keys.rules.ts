/**
 * Decides when published keys are requested, and which copy is used: interface KEY-8, STATE-3. Unknown `kid`s cause at
 * most one request a minute. An issuer can therefore rotate its keys, and an attacker cannot cause many requests.
 */
import {
  FETCHED_KEYS_FRESH_SECONDS,
  FETCHED_KEYS_KEPT_SECONDS,
  FETCHED_KEYS_PAUSE_SECONDS,
} from "../../kernel/limits.ts"
import type { FetchedKeys } from "../../model/clients/client.rules.ts"

/** The result of the last request at a URL. A client's is a row of `fetched_keys`. */
export type KeptKeys = Omit<FetchedKeys, "clientId">

export type KeysAnswer = { readonly jwks: string } | { readonly problem: string }

/** Returns the last good key set. Returns null if the copy is older than a week. */
export function usableCopy(stored: KeptKeys | null, jwksUri: string, now: number): string | null {
  if (stored === null || stored.jwksUri !== jwksUri || stored.copy === null) return null
  return now < stored.copy.fetchedAt + FETCHED_KEYS_KEPT_SECONDS ? stored.copy.jwks : null
}

/** `lacksKey` means that the copy is missing or has no key for the assertion. */
export function isFetchDue(
  stored: KeptKeys | null,
  jwksUri: string,
  lacksKey: boolean,
  now: number,
): boolean {
  if (stored === null || stored.jwksUri !== jwksUri) return true
  const sinceTry = now - stored.triedAt
  // If the last attempt is in the future, the clock was set back.
  if (sinceTry >= 0 && sinceTry < FETCHED_KEYS_PAUSE_SECONDS) return false
  const age = stored.copy === null ? Infinity : Math.abs(now - stored.copy.fetchedAt)
  return lacksKey || age >= FETCHED_KEYS_FRESH_SECONDS
}

/** Returns what to keep after a request. A failure keeps the last good copy of the same URL. */
export function afterFetch(
  stored: KeptKeys | null,
  fetched: Pick<KeptKeys, "jwksUri" | "triedAt">,
  result: KeysAnswer,
): KeptKeys {
  if ("jwks" in result)
    return { ...fetched, problem: null, copy: { jwks: result.jwks, fetchedAt: fetched.triedAt } }
  const copy = stored?.jwksUri === fetched.jwksUri ? stored.copy : null
  return { ...fetched, problem: result.problem, copy }
}
