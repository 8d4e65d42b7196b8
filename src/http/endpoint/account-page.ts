/** GET /account: who is signed in, and which apps hold access. */
import { asOf, familyOf } from "../../core/credential.ts"
import { isAdmin } from "../../core/permission.ts"
import { reach } from "../../core/reach.ts"
import { type AccessView, renderAccount } from "../../page/account.ts"
import type { HeldCredential } from "../../store/store.ts"
import { csrfToken } from "../csrf.ts"
import { sendPage, sendSeeOther } from "../respond.ts"
import { browserOf } from "../session.ts"
import type { Site } from "../site.ts"
import { appView } from "./authorization-pages.ts"
import type { Endpoint } from "./endpoint.ts"

const SHOWN_AT_MOST = 200

export const accountPage: Endpoint = async (site, request, reply) => {
  const browser = await browserOf(site, request)
  if (browser.signedIn === null) return sendSeeOther(site, reply, `${site.basePath}/sign-in`)
  const { account } = browser.signedIn
  const held = await site.latchkey.store.credentials({ userId: account.userId }, { limit: SHOWN_AT_MOST })
  const page = renderAccount({
    basePath: site.basePath,
    username: account.username,
    admin: account.admin,
    csrf: csrfToken(browser),
    access: held.flatMap((one) => accessView(site, one)).toReversed(),
  })
  return sendPage(site, reply, 200, page)
}

function accessView(
  { latchkey: { catalogue, clock } }: Site,
  { credential, client, account }: HeldCredential,
): AccessView[] {
  const { consent, life } = asOf(credential, clock.now())
  if (life.state !== "active" || client === null || account === null) return []
  const family = familyOf(credential)
  return [
    {
      app: appView(client),
      installationName: consent.installationName,
      permissions: reach(catalogue, consent.scope, client.ceiling, account.admin).map((name) => ({
        title: catalogue.get(name)?.title ?? name,
        admin: isAdmin(name),
      })),
      consentedAt: consent.consentedAt,
      refreshedAt: family === null || family.generation === 1 ? null : family.rotatedAt,
      endsAt: consent.endsAt,
    },
  ]
}
