/** A reported expiry is stored, so that setting the clock back revives nothing. docs/interface.md, "Clock". */
import type { Change } from "../../model/change.rules.ts"
import type { Credential } from "../../model/credential.rules.ts"

/** Stores the expiry that `asOf` found. Returns no change if the expiry is already stored. */
export function persistObservedExpiry(stored: Credential, seen: Credential): readonly Change[] {
  return stored === seen ? [] : [{ change: "credentialChanged", credential: seen }]
}
