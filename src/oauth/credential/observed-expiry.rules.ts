/**
 * An end that an answer reports is stored with that answer, so that setting the clock back revives nothing. See
 * docs/interface.md, "Clock".
 */
import type { Change } from "../../records/change.rules.ts"
import type { Credential } from "../../records/credential.rules.ts"

/** The write of an end that `asOf` saw; nothing if the stored credential has it. */
export function persistObservedExpiry(stored: Credential, seen: Credential): readonly Change[] {
  return stored === seen ? [] : [{ change: "credentialChanged", credential: seen }]
}
