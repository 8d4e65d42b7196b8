/** GET /console/apps and /console/app: the list, and one app with all that is around it. */
import type { UserId } from "../../kernel/ids.ts"
import type { Client, RegisteredBy } from "../../records/client.rules.ts"
import { renderConsoleApp } from "./app.view.ts"
import { type AppRow, renderApps } from "./apps.view.ts"
import { type App, findApp } from "../app.ts"
import { aroundApp, filteredAccount } from "../../console/console-lists.ts"
import { namesIn, paged } from "../../audit/paged.ts"
import { appHealth } from "../../statistics/statistics.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { appView } from "../../oauth/authorize/authorization-pages.ts"
import {
  consolePage,
  fieldOf,
  frameOf,
  notFound,
  sendConsole,
  type ConsoleRequest,
} from "../../console/console-page.ts"
import { pageOf, pagingOf, ROWS_IN_SHORT } from "../../console/list-paging.ts"
import { credentialView, eventViews } from "../../console/views.ts"

/** What an app's page says of its health. */
const HEALTH_DAYS = 7

const registrars: ReadonlySet<string> = new Set<RegisteredBy>(["administrator", "user", "itself"])

const marks: ReadonlyMap<string, { readonly verified?: boolean; readonly enabled?: boolean }> = new Map([
  ["verified", { verified: true }],
  ["unverified", { verified: false }],
  ["disabled", { enabled: false }],
])

export const showApps = consolePage("/console/apps", async (context, reply, visit) => {
  const { services } = context
  const owner = fieldOf(visit, "owner")
  const name = fieldOf(visit, "name").trim()
  const by = registrars.has(fieldOf(visit, "by")) ? (fieldOf(visit, "by") as RegisteredBy) : ""
  const only = marks.has(fieldOf(visit, "only")) ? fieldOf(visit, "only") : ""
  const ownerId = await filteredAccount(services, owner)
  const page = pageOf(visit)
  const filter = {
    ...marks.get(only),
    ...(name !== "" && { nameContains: name }),
    ...(by !== "" && { registeredBy: by }),
    ...(ownerId.ok && ownerId.value !== undefined && { ownerId: ownerId.value }),
  }
  const found = ownerId.ok
    ? await paged(
        (of) => services.store.clients(of, filter),
        ({ clientId }) => clientId,
        page,
      )
    : { rows: [], next: null }
  const shown = renderApps({
    ...frameOf(context, visit),
    apps: await withOwners(context, found.rows),
    filter: { name, owner, by, only },
    ownerProblem: ownerId.ok ? null : ownerId.error,
    paging: pagingOf(page, found),
  })
  return sendConsole(context, reply, shown)
})

async function withOwners({ services }: HttpContext, clients: readonly Client[]): Promise<AppRow[]> {
  const names = await namesIn(
    services,
    clients.map(({ ownerId }) => ({ userId: ownerId, clientId: null })),
  )
  const nameOf = (ownerId: UserId | null) => (ownerId === null ? null : (names.accounts.get(ownerId) ?? null))
  return clients.map((client) => ({ ...client, ownerName: nameOf(client.ownerId) }))
}

type Run = (
  context: HttpContext,
  reply: HttpReply,
  visit: ConsoleRequest,
  app: App,
) => Promise<HttpReply> | HttpReply

/** For what is about the app that `id` names. */
export function onApp(
  run: Run,
): (context: HttpContext, reply: HttpReply, visit: ConsoleRequest) => Promise<HttpReply> {
  return async (context, reply, visit) => {
    const found = await findApp(context.services, fieldOf(visit, "id"))
    return found.ok ? run(context, reply, visit, found.value) : notFound(context, reply, visit)
  }
}

export const showApp = consolePage(
  "/console/app",
  onApp(async (context, reply, visit, { client, owner }) => {
    const { services } = context
    const [around, health] = await Promise.all([
      aroundApp(services, client, ROWS_IN_SHORT),
      appHealth(services, client.clientId, HEALTH_DAYS, "live"),
    ])
    const page = renderConsoleApp({
      ...frameOf(context, visit),
      app: { ...client, ownerName: owner?.username ?? null, hasIcon: client.iconHash !== null },
      tile: appView(client),
      ceiling: client.ceiling.map((name) => ({ name, title: services.catalogue.get(name)?.title ?? null })),
      users: around.users,
      health: {
        days: HEALTH_DAYS,
        counts: health.total,
        findings: health.findings,
        refusals: context.recentRefusals.of(client.clientId),
      },
      credentials: around.credentials.map((held) => credentialView(context, held)),
      events: await eventViews(context, around.events),
    })
    return sendConsole(context, reply, page)
  }),
)
