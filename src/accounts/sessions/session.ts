/** Browsers that are signed in. The cookie contains the secret of the session. The database stores only its digest. */
import { type Account, asPerson, type Proof, type Session } from "../../model/account.rules.ts"
import type { Hash } from "../../kernel/ids.ts"
import { decided, eventRecorded } from "../../model/change.rules.ts"
import { isFarAhead } from "../../kernel/time.ts"
import type { Store } from "../../store/store.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import { digest } from "../../kernel/hash.ts"
import { randomSecret } from "../../kernel/random.ts"
import type { Services } from "../../platform/services/services.ts"
import { authorizes, isOver } from "./session.rules.ts"

export type SignedIn = { readonly session: Session; readonly account: Account }

/** While `signedIn` is null, the session authorizes nothing until its application vouches for it again. */
export type FoundSession = { readonly signedIn: SignedIn | null; readonly held: SignedIn | null }

const NONE: FoundSession = { signedIn: null, held: null }

type NewSession = { readonly secret: string; readonly session: Session }

/** The time of the last visit is stored at most once in this period. */
const NOTED_EVERY_SECONDS = 600

/** Finds the session of a cookie's secret. Both are null if it is unknown or over, or if its account is disabled. */
export async function findSession(
  { store, clock, providers }: Pick<Services, "store" | "clock" | "providers">,
  secret: string | null,
): Promise<FoundSession> {
  if (secret === null) return NONE
  const sessionHash = digest(secret)
  const { session, signedIn } = await store.read({ session: sessionHash, signedIn: sessionHash })
  const account = asPerson(signedIn)
  if (session === null || account === null || !account.enabled) return NONE
  const now = clock.now()
  if (isOver(session, now)) {
    await store.change({}, () => decided(null, { change: "sessionEnded", sessionHash, at: now }))
    return NONE
  }
  const held = { session, account }
  if (!authorizes(session, account, providers, now)) return { signedIn: null, held }
  if (now - session.seenAt >= NOTED_EVERY_SECONDS || isFarAhead(session.seenAt, now))
    await noteVisit(store, sessionHash, now)
  return { signedIn: held, held }
}

/** Stores the time of the visit. If the database accepts no writes, the request continues without the update. */
async function noteVisit(store: Store, sessionHash: Hash, at: number): Promise<void> {
  try {
    await store.change({}, () => decided(null, { change: "sessionSeen", sessionHash, at }))
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}

type Start = {
  readonly address: string
  readonly userAgent: string
  readonly by: Proof["by"]
  /** When the proof was given, if it was earlier. */
  readonly provenAt?: number
  readonly amr?: Proof["amr"]
  readonly vouchedBy?: string | null
}

/** An attacker who planted an earlier cookie value gains nothing (session fixation). */
export function newSession(
  { userId }: Pick<Account, "userId">,
  { now, address, userAgent, by, provenAt = now, amr, vouchedBy = null }: Start & { readonly now: number },
  secret: string = randomSecret(),
): NewSession {
  const sessionHash = digest(secret)
  return {
    secret,
    session: {
      sessionHash,
      userId,
      createdAt: now,
      seenAt: now,
      address,
      userAgent: userAgent.slice(0, 200),
      proof: { by, at: provenAt, ...(amr !== undefined && { amr }) },
      vouched: vouchedBy === null ? null : { by: vouchedBy, at: now },
    },
  }
}

export async function signOut(
  { store, clock }: Pick<Services, "store" | "clock">,
  { session, account }: SignedIn,
  address: string,
): Promise<void> {
  const { sessionHash } = session
  const at = clock.now()
  const recorded = eventRecorded("signed-out", at, { userId: account.userId, address })
  await store.change({}, () => decided(null, { change: "sessionEnded", sessionHash, at }, recorded))
}

/** Notes that the application of the session has just said who the person is. */
export async function vouchAgain(
  { store, clock }: Pick<Services, "store" | "clock">,
  { session: { sessionHash } }: SignedIn,
): Promise<void> {
  const at = clock.now()
  await store.change({}, () => decided(null, { change: "sessionVouched", sessionHash, at }))
}
