/** Uses a consent that an app remembers, in place of the consent page and its form. Interface OIDC-16. */
import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import { REMEMBERED_TRIES } from "../../kernel/limits.ts"
import { newId } from "../../kernel/random.ts"
import { decided } from "../../model/change.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "../../accounts/sessions/session.ts"
import type { Found } from "../../store/loadable.ts"
import { sidOf } from "../../accounts/sessions/session-name.ts"
import { newCode } from "../credential/token.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import { type ConsentAnswer, decideConsent, grantableBy } from "./consent.rules.ts"
import { findRemembered, isRememberable } from "./remembered.rules.ts"

type Granted = Extract<ConsentAnswer, { outcome: "granted" }>

/**
 * Makes a credential as a click on Authorize does. Returns null if the page must be shown. A site that another one opens
 * again and again writes no more rows than the limit allows.
 */
export async function grantRemembered(
  services: Pick<Services, "catalog" | "store" | "clock" | "guesses">,
  request: AuthorizationRequest,
  signedIn: SignedIn,
  address: string,
): Promise<Granted | null> {
  const key = `remembered consent:${signedIn.account.userId} ${request.clientId}`
  const spent = await services.guesses.spendAll([{ key, limit: REMEMBERED_TRIES }])
  if (!spent.admitted) return null
  const granted = await checkCounted(spent, () => grant(services, request, signedIn, address))
  if (granted === null) await spent.giveBack()
  return granted
}

/** Whether a consent of the account covers the request now. */
export async function isCovered(
  { catalog, store, clock }: Pick<Services, "catalog" | "store" | "clock">,
  request: AuthorizationRequest,
  { account: { userId } }: SignedIn,
): Promise<boolean> {
  const found = await store.read({ client: request.clientId, account: userId, rememberedConsents: userId })
  const now = clock.now()
  return coverage(catalog, found, request, newId(now), now) !== null
}

type Rows = Found<{ client: ClientId; account: UserId; rememberedConsents: UserId }>

/** Returns what the account can grant now, and the consent that covers it. */
function coverage(
  catalog: Catalog,
  { client, account, rememberedConsents }: Rows,
  request: AuthorizationRequest,
  id: TokenId,
  now: number,
) {
  if (client === null || account?.enabled !== true || !isRememberable(catalog, client, request)) return null
  const { granted } = grantableBy(catalog, client, account, request.asked)
  const granting = { id, userId: account.userId, request, granted }
  const remembered = findRemembered(granting, rememberedConsents ?? [], now)
  return remembered === null ? null : { granted, remembered }
}

async function grant(
  { catalog, store, clock }: Pick<Services, "catalog" | "store" | "clock">,
  request: AuthorizationRequest,
  { session: { sessionHash }, account: { userId } }: SignedIn,
  address: string,
): Promise<Granted | null> {
  const now = clock.now()
  const id = newId<TokenId>(now)
  const code = { ...newCode(id), sid: sidOf({ sessionHash }) }
  return store.change(
    { client: request.clientId, session: sessionHash, account: userId, rememberedConsents: userId },
    (found) => {
      const covered = coverage(catalog, found, request, id, now)
      if (covered === null) return decided(null)
      const ticket = { ...covered, id, request, sessionHash, userId, shownAt: now, newClient: null }
      const facts = { ...found, spentTicket: null }
      const { answer, changes } = decideConsent(catalog, ticket, facts, true, code, now, address)
      if (answer.outcome !== "granted") return decided(null)
      // No page has this ticket, so there is nothing to use up.
      return decided<Granted | null>(answer, ...changes.filter(({ change }) => change !== "ticketSpent"))
    },
  )
}
