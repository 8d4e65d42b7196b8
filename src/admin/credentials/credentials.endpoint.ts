/** GET /console/credentials lists credentials by account, app and state. */
import { renderCredentials } from "./credentials.view.ts"
import { filteredAccount, filteredApp } from "../console/list-filters.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import { consolePage } from "../console/console-page.ts"
import { listPage } from "../console/list-paging.ts"
import { credentialView } from "./credential-with-app.ts"
import { rowKeys } from "../../store/list.ts"

export const showCredentials = consolePage("/console/credentials", async (request) => {
  const { services } = request
  const [account, app, state] = [request.field("account"), request.field("app"), request.field("state")]
  const [userId, clientId] = await Promise.all([
    filteredAccount(services, account),
    filteredApp(services, app),
  ])
  const now = services.clock.now()
  const filter = {
    userId: userId.ok ? userId.value : undefined,
    clientId: clientId.ok ? clientId.value : undefined,
    live: state === "live" ? now : undefined,
    over: state === "over" ? now : undefined,
  }
  const { rows, paging } = await listPage(
    request,
    userId.ok && clientId.ok ? (page) => credentialsAsOfNow(services, filter, page) : null,
    rowKeys.credentials,
  )
  const shown = renderCredentials({
    ...request.frame,
    credentials: rows.map((held) => credentialView(services, held)),
    filter: { account, app, state: state === "live" || state === "over" ? state : "" },
    problems: {
      account: userId.ok ? null : userId.error,
      app: clientId.ok ? null : clientId.error,
    },
    paging,
  })
  return request.send(shown)
})
