/** The page of one app. */
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { readKeySet } from "../../model/clients/key-set.rules.ts"
import { thumbprintOf } from "../../platform/statements/verification-key.ts"
import { permissionTexts } from "../../platform/languages/local-text.ts"
import type { Services } from "../../platform/services/services.ts"
import type { ShownKeys } from "./keys.view.ts"
import { type AdministratorsView, renderApp } from "./app.view.ts"
import { usersOf } from "../app.ts"
import { type AppHealth, appHealth } from "../statistics/statistics.ts"
import type { AppUsers } from "../../store/list-shapes.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { appView } from "../../accounts/sign-in/app-view.ts"
import { type AppRequest, connectionOf, onApp } from "./app-request.ts"

const DAYS = 30

export const showApp = onApp((context, _, request) => sendApp(context, request, null))

export async function sendApp(
  context: HttpContext,
  { app: { client }, view, send }: AppRequest,
  problem: string | null,
  administration?: (health: AppHealth, usedBy: AppUsers) => Promise<AdministratorsView>,
): Promise<HttpReply> {
  const { services } = context
  const [health, usedBy, keys] = await Promise.all([
    appHealth(services, client.clientId, DAYS, "live"),
    usersOf(services, client),
    shownKeys(services, client),
  ])
  const page = renderApp({
    ...view,
    app: appView(client),
    client,
    permissions: client.ceiling.map((name) => ({
      name,
      title: permissionTexts(services, view.isAdministrators ? null : view.texts, name).title,
      admin: isAdmin(name),
    })),
    usedBy,
    health: health.total,
    findings: health.findings,
    refusals: context.recentRefusals.of(client.clientId),
    days: DAYS,
    connection: connectionOf(context, client.ceiling),
    keys,
    problem,
    administration: (await administration?.(health, usedBy)) ?? null,
  })
  return send(page, problem === null ? 200 : 400)
}

async function shownKeys(
  { store }: Pick<Services, "store">,
  { clientId, keys }: Client,
): Promise<ShownKeys | null> {
  if (keys === null) return null
  const { fetchedKeys } = await store.read({ fetchedKeys: keys.jwksUri === null ? null : clientId })
  const fetched = fetchedKeys?.jwksUri === keys.jwksUri ? fetchedKeys : null
  const jwks = keys.jwks ?? fetched?.copy?.jwks ?? null
  const known = jwks === null ? [] : readKeySet(jwks)
  return {
    address: keys.jwksUri,
    fetchedAt: fetched?.copy?.fetchedAt ?? null,
    problem: fetched?.problem ?? null,
    workload: keys.workload,
    keys: await Promise.all(
      known.map(async (key) => ({ name: key.kid ?? key.kty, thumbprint: await thumbprintOf(key) })),
    ),
  }
}
