/**
 * The life of an app that registered itself. Registration may be open to every caller, so unused apps are deleted.
 * Interface SVC-8, REG-2. An app that an administrator changed, or that has an owner, stays.
 */
import type { Change } from "./change.rules.ts"
import type { Client } from "./client.rules.ts"
import { UNUSED_APP_SECONDS, UNUSED_APP_SPARED_SECONDS } from "../kernel/limits.ts"
import { DAY } from "../kernel/time.ts"

/** When an app that registers at `now` is deleted, unless an account consents to it. */
export function deletedUnlessUsedAt(now: number): number {
  return now + UNUSED_APP_SECONDS
}

/** Which apps without a consent may go at `now` where there are too many: those with a `deleteAfter` up to this. RATE-5. */
export function unusedDeletableUpTo(now: number): number {
  return deletedUnlessUsedAt(now - UNUSED_APP_SPARED_SECONDS)
}

/**
 * What a consent means to the app: it stays as long as that credential could live and a while longer, and it is one
 * person's copy from now on, so that the next one that registers in the same words gets an id of its own. Written only
 * where it moves something by more than a day.
 */
export function consentedTo(client: Client, credentialEndsAt: number): readonly Change[] {
  if (client.deleteAfter === null) return []
  const deleteAfter = Math.max(client.deleteAfter, credentialEndsAt + UNUSED_APP_SECONDS)
  if (client.registrationHash === null && deleteAfter - client.deleteAfter <= DAY) return []
  return [{ change: "clientChanged", client: { ...client, registrationHash: null, deleteAfter } }]
}
