/**
 * An expiry that an answer reports is stored with that answer: a clock set back revives nothing that was reported
 * as ended. See docs/interface.md, "Clock".
 */
import type { Change } from "../../records/change.rules.ts"
import type { Credential } from "../../records/credential.rules.ts"

/** The write that keeps what `asOf` saw; none where the stored credential says the same. */
export function persistObservedExpiry(stored: Credential, seen: Credential): readonly Change[] {
  return stored === seen ? [] : [{ change: "credentialChanged", credential: seen }]
}
