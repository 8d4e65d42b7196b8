/** GET /account: who is signed in, and which apps hold access. */
import type { Account } from "../../core/account.ts"
import type { Client } from "../../core/client.ts"
import { type Credential, familyOf } from "../../core/credential.ts"
import { isAdmin } from "../../core/permission.ts"
import { reach } from "../../core/reach.ts"
import { type AccessView, renderAccount } from "../../page/account.ts"
import { endOwnCredential, heldBy } from "../../service/credential.ts"
import { csrfToken, isOwnForm } from "../csrf.ts"
import { rawFormOf } from "../request.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../respond.ts"
import { browserOf } from "../session.ts"
import type { Site } from "../site.ts"
import { appView } from "./authorization-pages.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"

export const accountPage: Endpoint = async (site, request, reply) => {
  const browser = await browserOf(site, request)
  if (browser.signedIn === null) return sendSeeOther(site, reply, `${site.basePath}/sign-in`)
  const { account } = browser.signedIn
  const held = await heldBy(site.latchkey, account)
  const page = renderAccount({
    basePath: site.basePath,
    username: account.username,
    admin: account.admin,
    csrf: csrfToken(browser),
    access: held.map(({ credential, client }) => accessView(site, account, client, credential)),
  })
  return sendPage(site, reply, 200, page)
}

/** POST /account/end-access: the account holder ends what an app holds. */
export const endAccess: Endpoint = async (site, request, reply) => {
  const browser = await browserOf(site, request)
  const values = rawFormOf(request)?.values
  if (browser.signedIn === null || !isOwnForm(site, request, csrfToken(browser), values?.get("csrf")))
    return sendErrorPage(site, reply, 403, { kind: "formForeign" })
  await endOwnCredential(site.latchkey, browser.signedIn.account, values?.get("token_id") ?? "", {
    address: addressOf(site, request),
  })
  return sendSeeOther(site, reply, `${site.basePath}/account`)
}

function accessView(
  { latchkey: { catalogue } }: Site,
  { admin }: Account,
  client: Client,
  credential: Credential,
): AccessView {
  const { consent } = credential
  const family = familyOf(credential)
  return {
    tokenId: consent.tokenId,
    app: appView(client),
    installationName: consent.installationName,
    permissions: reach(catalogue, consent.scope, client.ceiling, admin).map((name) => ({
      title: catalogue.get(name)?.title ?? name,
      admin: isAdmin(name),
    })),
    consentedAt: consent.consentedAt,
    refreshedAt: family === null || family.generation === 1 ? null : family.rotatedAt,
    endsAt: consent.endsAt,
  }
}
