/** GET /account: the apps that are signed in to the account. Each app lists its installations, newest first. */
import type { Standing } from "../../model/permissions/standing.rules.ts"
import { isClientId } from "../../kernel/identifier.ts"
import { type AccountInput, type AppGroup, renderAccount } from "./installations.view.ts"
import { accessView, type Installation, installationCounts, installationsOf } from "./installation.ts"
import { blockedViews } from "./blocked.ts"
import { rememberedViews } from "./remembered.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendSeeOther } from "../../platform/http/respond.ts"
import { browserOf } from "../../accounts/sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { accountHolder, requestOf } from "../../accounts/guards/account-page.ts"
import { knownApps, ROWS_A_PAGE, sendAccountPage } from "../../accounts/guards/signed-in.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"

export const accountPage: Endpoint = async (context, request, reply) => {
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn === null) return sendSeeOther(context, reply, `${context.basePath}/sign-in`)
  return show(context, reply, requestOf(context, request, accountHolder, { browser, signedIn }))
}

async function show(context: HttpContext, reply: HttpReply, request: AccountRequest): Promise<HttpReply> {
  const { services } = context
  const { account } = request.signedIn
  const [app, after] = [identifierOf(request, "app"), identifierOf(request, "after")]
  const page = { limit: ROWS_A_PAGE, ...(after !== null && { after }) }
  const { rows, next } = await installationsOf(services, account, app, page)
  const counts = await installationCounts(services, account)
  return sendAccountPage(context, reply, request, 200, renderAccount, {
    now: services.clock.now(),
    groups: await groupsOf(context, request.browser.page.texts, rows, counts, account),
    installations: [...counts.values()].reduce((sum, count) => sum + count, 0),
    isOfOneApp: app !== null,
    isLater: after !== null,
    done: doneOf(request),
    remembered: app === null && after === null ? await rememberedViews(context, account) : [],
    blocked: app === null && after === null ? await blockedViews(context, account) : [],
    older: next === null ? null : `?${app === null ? "" : `app=${app}&`}after=${next}`,
  })
}

/** Groups the installations by app. The apps keep their order on the page. */
async function groupsOf(
  context: HttpContext,
  texts: Texts,
  rows: readonly Installation[],
  counts: ReadonlyMap<string, number>,
  account: Standing,
): Promise<readonly AppGroup[]> {
  const byApp = Map.groupBy(rows, ({ client }) => client.clientId)
  const apps = await knownApps(
    context,
    [...byApp.values()].flatMap(([first]) => first?.client ?? []),
  )
  return [...byApp].flatMap(([clientId, held]) => {
    const app = apps.get(clientId)
    if (app === undefined) return []
    const access = held.map((one) => accessView(context.services, texts, one, account))
    return [{ app, access, installations: Math.max(counts.get(clientId) ?? 0, access.length) }]
  })
}

/** Returns which notice the request asks for. Unknown values are ignored. */
function doneOf(request: AccountRequest): AccountInput["done"] {
  const done = fieldOf(request, "done")
  return DONE.find((one) => one === done) ?? null
}

const DONE = ["ended", "all-ended", "asks-again", "allowed-again"] as const

/** Reads an id from the request. Ignores malformed ids. */
function identifierOf(request: AccountRequest, name: string): string | null {
  const value = fieldOf(request, name)
  return isClientId(value) ? value : null
}
