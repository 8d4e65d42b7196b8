/** Console pages: the list of all apps, and the page of one app with the administrator's parts. */
import type { UserId } from "../../kernel/ids.ts"
import type { Client, RegisteredBy } from "../../model/clients/client.rules.ts"
import { type AppRow, renderApps } from "./console-apps.view.ts"
import { filteredAccount } from "../console/list-filters.ts"
import { namesIn } from "../../store/paged.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { listPage, ROWS_IN_SHORT } from "../console/list-paging.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import { credentialView } from "../credentials/credential-with-app.ts"
import { eventRecords } from "../events/event-record.ts"
import { sendApp } from "../../apps/pages/app.endpoint.ts"
import { type AppsRun, onApp } from "../../apps/pages/app-request.ts"
import { registrars as registrarWords } from "../../platform/ui/console/words.ts"
import { findDocument } from "../../oauth/documents/document.ts"
import { administration } from "./console-app.view.ts"
import { rowKeys } from "../../store/list.ts"

const registrars: ReadonlySet<string> = new Set(Object.keys(registrarWords))

const marks: ReadonlyMap<string, { readonly verified?: boolean; readonly enabled?: boolean }> = new Map([
  ["verified", { verified: true }],
  ["unverified", { verified: false }],
  ["disabled", { enabled: false }],
])

/** GET /console/apps: the list of all apps. */
export const listAllApps: AppsRun = async (context, _, request) => {
  const { services } = context
  const owner = fieldOf(request, "owner")
  const name = fieldOf(request, "name").trim()
  const by = registrars.has(fieldOf(request, "by")) ? (fieldOf(request, "by") as RegisteredBy) : ""
  const only = marks.has(fieldOf(request, "only")) ? fieldOf(request, "only") : ""
  const ownerId = await filteredAccount(services, owner)
  const filter = {
    ...marks.get(only),
    ...(name !== "" && { nameContains: name }),
    ...(by !== "" && { registeredBy: by }),
    ...(ownerId.ok && ownerId.value !== undefined && { ownerId: ownerId.value }),
  }
  const { rows, paging } = await listPage(
    request,
    ownerId.ok ? (page) => services.store.clients(page, filter) : null,
    rowKeys.clients,
  )
  const shown = renderApps({
    ...request.view,
    apps: await withOwners(context, rows),
    filter: { name, owner, by, only },
    ownerProblem: ownerId.ok ? null : ownerId.error,
    hasDocuments: (await services.settings.current()).documents,
    paging,
  })
  return request.send(shown)
}

async function withOwners({ services }: HttpContext, clients: readonly Client[]): Promise<AppRow[]> {
  const names = await namesIn(
    services,
    clients.map(({ ownerId }) => ({ userId: ownerId, clientId: null })),
  )
  const nameOf = (ownerId: UserId | null) => (ownerId === null ? null : (names.accounts.get(ownerId) ?? null))
  return clients.map((client) => ({ ...client, ownerName: nameOf(client.ownerId) }))
}

/** The page of one app with the parts for administrators. */
export const showConsoleApp = onApp(async (context, _, request) => {
  const { services } = context
  const { client, owner, serviceAccount } = request.app
  const { clientId } = client
  const page = { limit: ROWS_IN_SHORT, newestFirst: true }
  const [credentials, events] = await Promise.all([
    credentialsAsOfNow(services, { clientId }, page),
    services.store.events({ clientId }, page),
  ])
  const document = client.registeredBy === "document" ? await findDocument(services, clientId) : null
  return sendApp(context, request, null, async ({ total, findings }, usedBy) =>
    administration({
      basePath: context.basePath,
      texts: request.view.texts,
      client,
      ownerName: owner?.username ?? null,
      serviceAccount,
      document: document?.ok === true ? document.value : null,
      usedBy,
      health: total,
      findings,
      credentials: credentials.map((held) => credentialView(services, held)),
      events: await eventRecords(services, events),
    }),
  )
})
