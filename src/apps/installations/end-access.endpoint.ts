/** GET and POST /account/end-access: the account holder ends what apps hold, once that was confirmed. CRED-3. */
import { type Ended, renderEndAccess } from "./end-access.view.ts"
import { endOwnCredential } from "../../oauth/credential/management/credential.ts"
import { endOwnInstallations, findInstallation, installationCounts, installationsOf } from "./installation.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { accountForm, provenPage } from "../../accounts/guards/account-page.ts"
import { accessView } from "./installations.endpoint.ts"
import { knownApps, signedInView } from "../../accounts/guards/signed-in.ts"
import type { AccountRequest } from "../../accounts/guards/account-request.ts"

const PATH = "/account/end-access"

export const askEndAccess = provenPage(PATH, async (site, reply, own) => {
  const ended = await endedBy(site, own)
  if (ended === null) return sendErrorPage(site, reply, 404, { kind: "notFound" })
  const now = site.services.clock.now()
  return sendPage(site, reply, 200, renderEndAccess({ ...signedInView(site, own), now, ended }))
})

export const endAccess = accountForm(PATH, async (site, reply, own) => {
  const done = await end(site, own)
  return sendSeeOther(site, reply, `${site.basePath}/account${done === null ? "" : `?done=${done}`}`)
})

/** Ends what the form is about, and says so to the page that comes next; null where there was nothing of the kind. */
async function end(
  { services: latchkey }: HttpContext,
  { values, signedIn: { account }, address }: AccountRequest,
): Promise<"ended" | "all-ended" | null> {
  const [tokenId, app] = [values.get("token_id"), values.get("app")]
  if (tokenId !== undefined)
    return (await endOwnCredential(latchkey, account, tokenId, { address })) ? "ended" : null
  if (app === undefined && values.get("all") !== "yes") return null
  const count = await endOwnInstallations(latchkey, account, app ?? null, { address })
  if (count === 0) return null
  return app === undefined ? "all-ended" : "ended"
}

/** Null where the account holds nothing of the kind, whatever others hold. */
async function endedBy(
  site: HttpContext,
  { values, signedIn: { account } }: AccountRequest,
): Promise<Ended | null> {
  const { services: latchkey } = site
  const tokenId = values.get("token_id")
  if (tokenId !== undefined) {
    const held = await findInstallation(latchkey, account, tokenId)
    if (held === null) return null
    const app = (await knownApps(site, [held.client])).get(held.client.clientId)
    return app === undefined
      ? null
      : { of: "installation", app, access: accessView(site, held, account.admin) }
  }
  const clientId = values.get("app") ?? null
  if (clientId === null && values.get("all") !== "yes") return null
  const [first] = (await installationsOf(latchkey, account, clientId, { limit: 1 })).rows
  if (first === undefined) return null
  const counts = await installationCounts(latchkey, account)
  if (clientId === null)
    return {
      of: "everything",
      installations: [...counts.values()].reduce((sum, count) => sum + count, 0),
      apps: counts.size,
    }
  const app = (await knownApps(site, [first.client])).get(clientId)
  return app === undefined ? null : { of: "app", app, installations: counts.get(first.client.clientId) ?? 1 }
}
