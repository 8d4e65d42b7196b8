/** Seals the ticket of a consent page and decides on the submitted form. Interface CONSENT-*, GRANT-*. */
import type { Account, Session } from "../../model/account.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { newId } from "../../kernel/random.ts"
import { sidOf } from "../../accounts/sessions/session-name.ts"
import { newCode } from "../credential/token.ts"
import type { Services } from "../../platform/services/services.ts"
import { sealTicket } from "./ticket.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import { isRememberable } from "./remembered.rules.ts"
import { openPageProblem } from "../clients/document-policy.rules.ts"
import { documentPolicyOf, type ResolvedDocument } from "../clients/resolve-document.ts"
import {
  type ConsentAnswer,
  type ConsentTicket,
  decideConsent,
  type Grantable,
  grantableBy,
  isAuthorized,
} from "./consent.rules.ts"

type ConsentQuestion = {
  /** The sealed `ConsentTicket`, sent as a hidden field of the form. */
  readonly ticket: string
  readonly asked: Grantable
  readonly remembers: boolean
}

export function askConsent(
  { catalog, keys, clock }: Pick<Services, "catalog" | "keys" | "clock">,
  request: AuthorizationRequest,
  client: Client,
  session: Session,
  account: Account,
  document: ResolvedDocument | null = null,
): ConsentQuestion {
  const asked = grantableBy(catalog, client, account, request.asked)
  const shownAt = clock.now()
  const { sessionHash, userId } = session
  const remembers = isRememberable(catalog, client, request)
  const ticket = sealTicket(keys, {
    id: newId(shownAt),
    request,
    granted: asked.granted,
    sessionHash,
    userId,
    shownAt,
    remembers,
    newClient: document === null || document.isStored ? null : document,
    shownChange: document?.document.changed?.at ?? null,
  })
  return { ticket, asked, remembers }
}

/** Decides on a submitted form with this ticket. `decisions` contains the values of all fields named `decision`. */
export async function answerConsent(
  services: Pick<Services, "catalog" | "store" | "clock" | "settings">,
  ticket: ConsentTicket,
  decisions: readonly string[],
  session: Session,
  address: string,
): Promise<ConsentAnswer> {
  if (ticket.sessionHash !== session.sessionHash || ticket.userId !== session.userId)
    return { outcome: "not-decided", because: "not-yours" }
  const now = services.clock.now()
  const authorizes = isAuthorized(decisions) && ticket.granted.length > 0
  const code = { ...newCode(ticket.id), sid: sidOf(session) }
  const { clientId } = ticket.request
  const policy = await documentPolicyOf(services, clientId)
  return services.store.change(
    {
      spentTicket: ticket.id,
      client: clientId,
      document: policy === null ? null : clientId,
      session: session.sessionHash,
      account: ticket.userId,
      rememberedConsents: ticket.remembers === true ? ticket.userId : null,
    },
    (found) => {
      const documentProblem =
        policy && openPageProblem(clientId, policy, found.document, ticket.shownChange ?? null)
      return decideConsent(
        services.catalog,
        ticket,
        { ...found, documentProblem },
        authorizes,
        code,
        now,
        address,
      )
    },
  )
}
