/** Lists and ends the signed-in browsers of an account for its holder. */
import type { Session } from "../../model/account.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { decided, eventRecorded } from "../../model/change.rules.ts"
import { mac } from "../../kernel/hash.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "./session.ts"
import { isOver } from "./session.rules.ts"

type Needs = Pick<Services, "store" | "clock">

/** The session that asks. `sessionHash` is null if the request has an access token in place of a session. */
type Looking = { readonly session: { readonly userId: UserId; readonly sessionHash: Hash | null } }

export type SignedInBrowser = {
  /** Identifies the session on a page without revealing the digest of its cookie. */
  readonly reference: string
  readonly isThisOne: boolean
  readonly session: Session
}

/** Lists the browsers: this browser first, then by last visit, newest first. */
export async function browsersOf(
  { store, clock }: Needs,
  { session: mine }: Looking,
): Promise<readonly SignedInBrowser[]> {
  const now = clock.now()
  const live = (await store.sessions(mine.userId)).filter((session) => !isOver(session, now))
  return live
    .map((session) => ({
      reference: referenceOf(session),
      isThisOne: session.sessionHash === mine.sessionHash,
      session,
    }))
    .toSorted((a, b) => Number(b.isThisOne) - Number(a.isThisOne) || b.session.seenAt - a.session.seenAt)
}

function referenceOf({ sessionHash }: Pick<Session, "sessionHash">): string {
  return mac(sessionHash, "reference").slice(0, 22)
}

/** Signs out one browser of the account. Returns false if the account has no such browser. */
export async function endBrowser(
  services: Needs,
  looking: Looking,
  reference: string,
  address: string,
): Promise<boolean> {
  const browsers = await browsersOf(services, looking)
  const ended = browsers.find((browser) => browser.reference === reference)
  if (ended === undefined) return false
  const { sessionHash, userId } = ended.session
  const elsewhere = looking.session.sessionHash === null ? "by an app" : "from another browser"
  const detail = ended.isThisOne ? null : elsewhere
  const at = services.clock.now()
  const recorded = eventRecorded("signed-out", at, { userId, address, detail })
  return services.store.change({ session: sessionHash }, ({ session }) =>
    session === null ? decided(false) : decided(true, { change: "sessionEnded", sessionHash, at }, recorded),
  )
}

/** Signs out every other browser of the account, and returns their number. */
export async function endOtherBrowsers(
  services: Needs,
  signedIn: SignedIn,
  address: string,
): Promise<number> {
  const others = (await browsersOf(services, signedIn)).filter(({ isThisOne }) => !isThisOne).length
  if (others === 0) return 0
  const { sessionHash: except, userId } = signedIn.session
  const detail = "every other browser"
  const at = services.clock.now()
  const recorded = eventRecorded("signed-out", at, { userId, address, detail })
  await services.store.change({}, () =>
    decided(null, { change: "sessionsEnded", userId, except, at }, recorded),
  )
  return others
}
