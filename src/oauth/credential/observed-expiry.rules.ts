/**
 * An expiry that a response reports is stored with that response, so that setting the clock back revives nothing.
 * docs/interface.md, "Clock".
 */
import type { Change } from "../../records/change.rules.ts"
import type { Credential } from "../../records/credential.rules.ts"

/** Stores the expiry that `asOf` found. Returns no change if it is already stored. */
export function persistObservedExpiry(stored: Credential, seen: Credential): readonly Change[] {
  return stored === seen ? [] : [{ change: "credentialChanged", credential: seen }]
}
