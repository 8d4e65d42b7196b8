/**
 * The forms that register and change an app. If changed permissions remove access, the form shows a preview before it
 * saves.
 */
import type { Account } from "../../model/account.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { bindingProblem } from "../../oauth/credential/binding.rules.ts"
import { digest } from "../../kernel/hash.ts"
import { type AppProblem, appProblems, type TypedApp } from "../app-problems.rules.ts"
import { previewParts } from "../preview/preview-words.ts"
import { permissionTexts } from "../../platform/languages/local-text.ts"
import type { ReachPreview } from "../preview/reach-preview.rules.ts"
import { type Offered, ownersLosses, renderAppForm, renderAppPreview } from "./form.view.ts"
import type { Consequences } from "../../platform/ui/consequences.ts"
import { renderSecret } from "./secret.view.ts"
import type { AppPageInput } from "./app-page.ts"
import { addApp } from "../add-app.ts"
import { addedGroupsProblem, type App, updateApp } from "../app.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { ownersPermissionProblem } from "../own-app.rules.ts"
import { previewAppUpdate } from "../preview.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import {
  type AppRun,
  type AppsRequest,
  type AppsRun,
  connectionOf,
  onApp,
  toApp,
  toApps,
} from "./app-request.ts"
import { newFormTicket, spendFormTicket } from "../../platform/services/form-ticket.ts"
import { EMPTY, keysOf, nameOrNone, typedIn, typedOf, updateOf } from "./typed-app.ts"
import { findAccount } from "../../accounts/find-account.ts"

const types = ["public", "confidential"] as const satisfies readonly Client["type"][]

export const showNewApp: AppsRun = (context, _, request) => show(context, request, null, EMPTY)

/** Registers an app. The form works once, so a reload or a second click registers no second app. */
export const submitNewApp: AppsRun = async (context, reply, request) => {
  const type = types.find((one) => one === fieldOf(request, "type")) ?? null
  const typed = typedIn(request, type, request.view.isAdministrators)
  const problems = await problemsOf(context, request, typed, null)
  if (type === null || problems.length > 0) return show(context, request, null, typed, { problems })
  if (!(await spendFormTicket(context.services, fieldOf(request, "ticket"))))
    return toApps(context, reply, request)
  const names = { ownerName: nameOrNone(typed.owner), serviceAccountName: nameOrNone(typed.serviceAccount) }
  const input = { ...typed, ...names, type, keys: keysOf(typed) }
  const added = await addApp(context.services, input, request.by)
  if (!added.ok) return show(context, request, null, typed, { problem: added.error })
  const { client, secret } = added.value
  if (secret === null) return toApp(context, reply, request, client.clientId, "registered")
  const { clientId, name } = client
  const connection = connectionOf(context)
  return request.send(renderSecret({ ...request.view, clientId, name, secret, isNewApp: true, connection }))
}

export const showEdit = onApp((context, _, request) =>
  show(context, request, request.app, typedOf(request.app)),
)

const submitChange: AppRun = async (context, reply, request) => {
  const { services } = context
  const { app, by, view } = request
  const { clientId, type, name } = app.client
  const typed = typedIn(request, type, view.isAdministrators)
  const problems = await problemsOf(context, request, typed, app)
  if (problems.length > 0) return show(context, request, app, typed, { problems })
  const update = updateOf(typed, app)
  const previewed = await previewAppUpdate(services, clientId, update, by)
  if (!previewed.ok) return show(context, request, app, typed, { problem: previewed.error })
  const { app: after, preview } = previewed.value
  const permissions = reachChange(app.client, after.client)
  const confirmed = confirmedChange(permissions, preview, after.client)
  const isAsked = view.isAdministrators ? permissions !== "" : preview.taken.length > 0
  const asksFirst = isAsked || preview.endsSecret === true
  if (asksFirst && fieldOf(request, "confirmed") !== confirmed) {
    const effects = effectsOf(context, view, preview)
    const page = {
      ...view,
      clientId,
      name,
      typed,
      effects,
      confirmed,
      changesPermissions: permissions !== "",
    }
    return request.send(renderAppPreview(page))
  }
  const updated = await updateApp(services, clientId, update, by)
  if (!updated.ok) return show(context, request, app, typed, { problem: updated.error })
  return toApp(context, reply, request, clientId, "saved")
}

export const submitEdit = onApp(submitChange)

/** Renders the effects of a change. Owners see rounded numbers of accounts. */
function effectsOf(
  { services }: HttpContext,
  { isAdministrators, texts }: AppPageInput,
  preview: ReachPreview,
): Consequences {
  if (isAdministrators) return previewParts(preview)
  const taken = preview.taken.map(({ permission, accounts }) => ({
    title: permissionTexts(services, texts, permission).title,
    accounts,
  }))
  const { total, rest } = ownersLosses(texts, taken, preview.emptied.accounts)
  return {
    total: preview.endsSecret === true ? [...total, texts.html("app-preview.secret-ends")] : total,
    rest,
  }
}

/** Returns a text that identifies what the person confirms. It covers no other permissions and no other keys. */
function confirmedChange(permissions: string, { endsSecret }: ReachPreview, { keys }: Client): string {
  return endsSecret === true ? `${permissions} keys ${digest(JSON.stringify(keys))}` : permissions
}

function reachChange(before: Client, after: Client): string {
  const changes = (old: readonly string[], now: readonly string[], of: string) => [
    ...old.filter((name) => !now.includes(name)).map((name) => `-${of}${name}`),
    ...now.filter((name) => !old.includes(name)).map((name) => `+${of}${name}`),
  ]
  return [
    ...changes(before.ceiling, after.ceiling, ""),
    ...changes(before.groups, after.groups, "group "),
  ].join(" ")
}

async function problemsOf(
  { services }: HttpContext,
  { by }: AppsRequest,
  typed: TypedApp,
  app: App | null,
): Promise<readonly AppProblem[]> {
  const problems = appProblems(services.catalog, typed, app?.client ?? null, by.owner)
  const { type, owner, serviceAccount } = typed
  const isWrong = problems.some(({ field }) => field === "groups")
  const missing =
    by.owner !== null || isWrong
      ? null
      : await addedGroupsProblem(services, app?.client ?? { groups: [] }, typed)
  const named = [
    missing === null ? null : ({ field: "groups", message: missing } as const),
    await nameProblem(services, "owner", owner, app?.owner ?? null, () => null),
    await nameProblem(services, "service_account", serviceAccount, app?.serviceAccount ?? null, (account) =>
      bindingProblem(
        { type: type ?? "confidential", registeredBy: app?.client.registeredBy ?? "administrator" },
        account,
      ),
    ),
  ]
  return [...problems, ...named.filter((problem) => problem !== null)]
}

/** Returns the problem of a changed account name, or null. */
async function nameProblem(
  services: HttpContext["services"],
  field: AppProblem["field"],
  name: string,
  before: Account | null,
  against: (account: Account) => string | null,
): Promise<AppProblem | null> {
  if (name === "" || name === before?.username) return null
  const found = await findAccount(services, name)
  const message = found.ok ? against(found.value) : found.error
  return message === null ? null : { field, message }
}

type Wrong = { readonly problems?: readonly AppProblem[]; readonly problem?: string | null }

function show(
  context: HttpContext,
  { view, send }: AppsRequest,
  app: App | null,
  typed: TypedApp,
  { problems = [], problem = null }: Wrong = {},
): HttpReply {
  const page = renderAppForm({
    ...view,
    of: app === null ? { ticket: newFormTicket(context.services) } : app.client,
    typed,
    offered: offered(context, view, app?.client ?? null),
    onlyTakesAway: !view.isAdministrators && (app?.client.binding ?? null) !== null,
    problems,
    problem,
  })
  return send(page, problem === null && problems.length === 0 ? 200 : 400)
}

/**
 * Lists the permissions of the catalog by group. Owners do not see those that only an administrator can add. Permissions that the app has
 * are always listed, so that they can be removed.
 */
function offered(
  { services }: HttpContext,
  { isAdministrators, texts }: AppPageInput,
  client: Client | null,
): readonly Offered[] {
  const { catalog } = services
  const registered = client?.ceiling ?? []
  const entries = [...catalog.values()].filter(
    ({ name }) => isAdministrators || ownersPermissionProblem(catalog, client, [name]) === null,
  )
  const textsOf = (name: string) => permissionTexts(services, isAdministrators ? null : texts, name)
  const choices = entries.map(({ name, implies }) => ({
    ...textsOf(name),
    name,
    implies: implies.map((one) => textsOf(one).title),
  }))
  const groups = Map.groupBy(choices, ({ group }) => group)
  const departed = registered.filter((name) => !catalog.has(name))
  const gone = {
    group: texts.plain("app-form.departed"),
    permissions: departed.map((name) => ({
      name,
      title: name,
      description: texts.plain("app-form.departed.permission"),
      implies: [],
    })),
  }
  return [
    ...Array.from(groups, ([group, permissions]) => ({ group, permissions })),
    ...(departed.length === 0 ? [] : [gone]),
  ]
}
