/** GET /account/apps: the apps of an account, newest first. */
import { isIdentifier } from "../../kernel/identifier.ts"
import { paged } from "../../store/paged.ts"
import { renderOwnApps } from "./list.view.ts"
import { appView } from "../../accounts/sign-in/app-view.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { ROWS_A_PAGE } from "../../accounts/guards/signed-in.ts"
import type { AppsRun } from "./app-request.ts"
import { rowKeys } from "../../store/list.ts"

export const listOwnApps: AppsRun = async ({ services }, _, request) => {
  const { userId, admin } = request.signedIn.account
  const after = fieldOf(request, "after")
  const page = { after: isIdentifier(after) ? after : undefined, limit: ROWS_A_PAGE, newestFirst: true }
  const { rows, next } = await paged(
    (of) => services.store.clients(of, { ownerId: userId }),
    rowKeys.clients,
    page,
  )
  const text = renderOwnApps({
    ...request.view,
    admin,
    apps: rows.map((client) => ({
      app: appView(client),
      type: client.type,
      enabled: client.enabled,
      registeredAt: client.issuedAt,
    })),
    older: next === null ? null : `?after=${next}`,
  })
  return request.send(text)
}
