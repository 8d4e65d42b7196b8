/** GET /account/apps: the apps that the account registered, newest first. */
import { isIdentifier } from "../../kernel/identifier.ts"
import { renderOwnApps } from "./list.view.ts"
import { ownApps } from "../own-app.ts"
import { sendPage } from "../../http/respond.ts"
import { appView } from "../../oauth/authorize/authorization-pages.ts"
import { accountPage } from "../../accounts/guards/account-page.ts"
import { ROWS_A_PAGE, signedInView } from "../../accounts/guards/signed-in.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { APPS } from "./own-app-page.ts"

export const listOwnApps = accountPage(APPS, async (context, reply, own) => {
  const asked = fieldOf(own, "after")
  const after = isIdentifier(asked) ? asked : undefined
  const page = { after, limit: ROWS_A_PAGE + 1, newestFirst: true }
  const found = await ownApps(context.services, own.signedIn.account, page)
  const shown = found.slice(0, ROWS_A_PAGE)
  const text = renderOwnApps({
    ...signedInView(context, own),
    apps: shown.map((client) => ({
      app: appView(client),
      type: client.type,
      enabled: client.enabled,
      registeredAt: client.issuedAt,
    })),
    older: found.length > shown.length ? `?after=${shown.at(-1)?.clientId ?? ""}` : null,
  })
  return sendPage(context, reply, 200, text)
})
