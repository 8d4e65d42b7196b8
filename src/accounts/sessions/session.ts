/** Signed-in browsers: a cookie holds the secret, the database its digest. */
import type { Account, Proof, Session } from "../../records/account.rules.ts"
import type { Hash } from "../../kernel/ids.ts"
import { event } from "../../records/event.rules.ts"
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../kernel/limits.ts"
import { DAY, isFarAhead, isPast } from "../../kernel/time.ts"
import { type Store, StoreUnavailable } from "../../store/store.ts"
import { digest } from "../../kernel/hash.ts"
import { randomSecret } from "../../kernel/random.ts"
import type { Services } from "../../services/services.ts"

export type SignedIn = { readonly session: Session; readonly account: Account }

export type NewSession = { readonly secret: string; readonly session: Session }

/** The minimum interval between two updates of the last visit. */
const NOTED_EVERY_SECONDS = 600

/** The session of a cookie's secret; null if it is unknown or has ended, or its account is disabled. */
export async function findSession(
  { store, clock }: Pick<Services, "store" | "clock">,
  secret: string,
): Promise<SignedIn | null> {
  const sessionHash = digest(secret)
  const { session, signedIn } = await store.read({ session: sessionHash, signedIn: sessionHash })
  if (session === null || signedIn === null || !signedIn.enabled) return null
  const now = clock.now()
  if (isOver(session, now)) {
    await store.change({}, () => ({ answer: null, changes: [{ change: "sessionEnded", sessionHash }] }))
    return null
  }
  if (now - session.seenAt >= NOTED_EVERY_SECONDS || isFarAhead(session.seenAt, now))
    await noteVisit(store, sessionHash, now)
  return { session, account: signedIn }
}

/** If the database takes no writes, the visit continues without the update. */
async function noteVisit(store: Store, sessionHash: Hash, at: number): Promise<void> {
  try {
    await store.change({}, () => ({ answer: null, changes: [{ change: "sessionSeen", sessionHash, at }] }))
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}

export function isOver(session: Session, now: number): boolean {
  // A session from the future: the clock was set back. It would otherwise last too long.
  if (isFarAhead(session.createdAt - DAY, now)) return true
  return (
    isPast(session.createdAt + SESSION_SECONDS, now) || isPast(session.seenAt + SESSION_IDLE_SECONDS, now)
  )
}

/** The origin of a session, and its proof. */
export type Start = {
  readonly address: string
  readonly userAgent: string
  readonly by: Proof["by"]
}

/** Every sign-in creates a new session, so that an earlier cookie value is worthless (session fixation). */
export function newSession(
  account: Account,
  { now, address, userAgent, by }: Start & { readonly now: number },
): NewSession {
  const secret = randomSecret()
  const sessionHash = digest(secret)
  return {
    secret,
    session: {
      sessionHash,
      userId: account.userId,
      createdAt: now,
      seenAt: now,
      address,
      userAgent: userAgent.slice(0, 200),
      proof: { by, at: now },
    },
  }
}

export async function signOut(
  { store, clock }: Pick<Services, "store" | "clock">,
  { session, account }: SignedIn,
  address: string,
): Promise<void> {
  const { sessionHash }: { sessionHash: Hash } = session
  const recorded = event("signed-out", clock.now(), { userId: account.userId, address })
  await store.change({}, () => ({
    answer: null,
    changes: [
      { change: "sessionEnded", sessionHash },
      { change: "eventRecorded", event: recorded },
    ],
  }))
}
