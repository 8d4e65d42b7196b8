/**
 * The lifetime of an app that registered itself. Anyone may register, so unused apps are deleted. Apps that an
 * administrator changed and apps with an owner stay. Interface SVC-8, REG-2.
 */
import type { Change } from "./change.rules.ts"
import type { Client } from "./client.rules.ts"
import { UNUSED_APP_SECONDS, UNUSED_APP_SPARED_SECONDS } from "../kernel/limits.ts"
import { DAY } from "../kernel/time.ts"

/** When an app that registers at `now` is deleted, unless an account consents to it. */
export function deletedUnlessUsedAt(now: number): number {
  return now + UNUSED_APP_SECONDS
}

/** RATE-5: the latest `deleteAfter` of the apps without a consent that may be deleted if there are too many. */
export function unusedDeletableUpTo(now: number): number {
  return deletedUnlessUsedAt(now - UNUSED_APP_SPARED_SECONDS)
}

/**
 * Returns the changes that a consent makes to a self-registered app. The app outlives the new credential. It loses its
 * registration hash, so that the next app with the same metadata gets its own client_id. To save writes, `deleteAfter`
 * moves only by more than a day.
 */
export function consentedTo(client: Client, credentialEndsAt: number): readonly Change[] {
  if (client.deleteAfter === null) return []
  const deleteAfter = Math.max(client.deleteAfter, credentialEndsAt + UNUSED_APP_SECONDS)
  if (client.registrationHash === null && deleteAfter - client.deleteAfter <= DAY) return []
  return [{ change: "clientChanged", client: { ...client, registrationHash: null, deleteAfter } }]
}
