/** GET and POST /account/end-access: the account holder confirms and ends the access of apps. CRED-3. */
import { type Ended, renderEndAccess } from "./end-access.view.ts"
import { endOwnCredential } from "../../oauth/credential/credential.ts"
import {
  accessView,
  endOwnInstallations,
  findInstallation,
  installationCounts,
  installationsOf,
} from "./installation.ts"
import { sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { accountForm, provenPage } from "../../accounts/guards/account-page.ts"
import { knownApps, sendAccountPage } from "../../accounts/guards/signed-in.ts"
import type { AccountRequest } from "../../accounts/guards/account-request.ts"

const PATH = "/account/end-access"

export const askEndAccess = provenPage(PATH, async (context, reply, request) => {
  const ended = await endedBy(context, request)
  if (ended === null) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const now = context.services.clock.now()
  return sendAccountPage(context, reply, request, 200, renderEndAccess, { now, ended })
})

export const endAccess = accountForm(PATH, async (context, reply, request) => {
  const done = await end(context, request)
  return sendSeeOther(context, reply, `${context.basePath}/account${done === null ? "" : `?done=${done}`}`)
})

/**
 * Ends the access that the form names. Returns the notice for the next page. Returns null if the account has given no
 * such access.
 */
async function end(
  { services }: HttpContext,
  { form: { values }, signedIn: { account }, from }: AccountRequest,
): Promise<"ended" | "all-ended" | null> {
  const [tokenId, app] = [values.get("token_id"), values.get("app")]
  if (tokenId !== undefined)
    return (await endOwnCredential(services, account, tokenId, from)) ? "ended" : null
  if (app === undefined && values.get("all") !== "yes") return null
  const count = await endOwnInstallations(services, account, app ?? null, from)
  if (count === 0) return null
  return app === undefined ? "all-ended" : "ended"
}

/** Returns null if this account has given no such access, even if another account has. */
async function endedBy(
  context: HttpContext,
  { form: { values }, browser, signedIn: { account } }: AccountRequest,
): Promise<Ended | null> {
  const { services } = context
  const tokenId = values.get("token_id")
  if (tokenId !== undefined) {
    const held = await findInstallation(services, account, tokenId)
    if (held === null) return null
    const app = (await knownApps(context, [held.client])).get(held.client.clientId)
    return app === undefined
      ? null
      : { of: "installation", app, access: accessView(services, browser.page.texts, held, account) }
  }
  const clientId = values.get("app") ?? null
  if (clientId === null && values.get("all") !== "yes") return null
  const [first] = (await installationsOf(services, account, clientId, { limit: 1 })).rows
  if (first === undefined) return null
  const counts = await installationCounts(services, account)
  if (clientId === null)
    return {
      of: "everything",
      installations: [...counts.values()].reduce((sum, count) => sum + count, 0),
      apps: counts.size,
    }
  const app = (await knownApps(context, [first.client])).get(clientId)
  return app === undefined ? null : { of: "app", app, installations: counts.get(first.client.clientId) ?? 1 }
}
