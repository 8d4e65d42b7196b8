import type { Client } from "../../model/clients/client.rules.ts"
import { accountsById } from "../../store/paged.ts"
import type { KnownApp } from "../../platform/ui/app-line.ts"
import type { SignedInInput } from "../../platform/ui/account-frame.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { PagePolicy } from "../../platform/http/headers.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { waitingHere as keptHere } from "../sign-in/waiting-cookie.ts"
import { csrfToken } from "../sessions/csrf.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { appView } from "../sign-in/app-view.ts"
import type { SignedInBrowser } from "./account-request.ts"

export const ROWS_A_PAGE = 50

export function signedInView({ browser, signedIn }: SignedInBrowser): SignedInInput {
  const { username, admin } = signedIn.account
  return { ...browser.page, csrf: csrfToken(browser), username, admin }
}

/** Sends an account page. The authorization that waits in this browser waits behind it, and it has a link. CONSENT-2. */
export function sendAccountPage<Shown>(
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  status: number,
  render: (input: SignedInInput & Shown) => string,
  shown: Shown,
  policy: PagePolicy = {},
): HttpReply {
  const waitingHere = keptHere(context, reply.request, request.browser)
  const page = render({ ...signedInView(request), waitingHere, ...shown })
  return sendPage(context, reply, status, page, { waiting: waitingHere?.waiting ?? null, ...policy })
}

export async function knownApps(
  { services }: HttpContext,
  clients: readonly Client[],
): Promise<ReadonlyMap<string, KnownApp>> {
  const owners = await accountsById(
    services,
    clients.map(({ ownerId }) => ownerId),
  )
  return new Map(
    clients.map((client) => {
      const { clientId, registeredBy, enabled, ownerId } = client
      const ownerName = owners.get(ownerId)?.username ?? null
      return [clientId, { ...appView(client), registeredBy, enabled, ownerName }]
    }),
  )
}
