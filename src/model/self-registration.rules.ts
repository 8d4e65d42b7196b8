/**
 * The lifetime of an app that registered itself. Unused apps are deleted, because anyone may register. Apps that an
 * administrator changed and apps with an owner are kept. Interface SVC-8, REG-2.
 */
import type { Change } from "./change.rules.ts"
import type { Client } from "./clients/client.rules.ts"
import { UNUSED_APP_SECONDS, UNUSED_APP_SPARED_SECONDS } from "../kernel/limits.ts"
import { DAY } from "../kernel/time.ts"

/** Returns when an app that registers at `now` is deleted. A consent prevents the deletion. */
export function deletedUnlessUsedAt(now: number): number {
  return now + UNUSED_APP_SECONDS
}

/** With too many apps without a consent, the oldest may be deleted early, up to this `deleteAfter`. RATE-5. */
export function unusedDeletableUpTo(now: number): number {
  return deletedUnlessUsedAt(now - UNUSED_APP_SPARED_SECONDS)
}

/**
 * Returns the changes that a consent makes to a self-registered app. The app is kept longer than the new credential.
 * The app also loses its registration hash, so that the next app with the same metadata gets its own client_id. To save
 * writes, `deleteAfter` moves only by more than a day.
 */
export function consentedTo(client: Client, credentialEndsAt: number): readonly Change[] {
  if (client.deleteAfter === null) return []
  const deleteAfter = Math.max(client.deleteAfter, credentialEndsAt + UNUSED_APP_SECONDS)
  if (client.registrationHash === null && deleteAfter - client.deleteAfter <= DAY) return []
  return [{ change: "clientChanged", client: { ...client, registrationHash: null, deleteAfter } }]
}
