/** GET and POST /console/app/new and /console/app/edit: the registration as an administrator writes it. */
import type { Client } from "../../records/client.rules.ts"
import { type AppTrust, powersGiven } from "../../accounts/elevation.rules.ts"
import { allValues } from "../../kernel/form.ts"
import type { CatalogueEntry } from "../../permissions/permission-catalogue.rules.ts"
import { registrationProblems, type RegistrationProblem } from "../registration-problems.rules.ts"
import { previewSentences } from "../../permissions/preview/preview-words.ts"
import { type Offered, renderAppForm, renderAppPreview, type TypedApp } from "./app-form.view.ts"
import { renderSecret } from "./secret.view.ts"
import { addApp, type AdministratorsUpdate, type App, findApp, updateApp } from "../app.ts"
import { findAccount } from "../../accounts/accounts.ts"
import { previewAppUpdate } from "../preview.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { onApp } from "./apps.endpoint.ts"
import {
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  sendConsole,
  toPage,
  type ConsoleRequest,
} from "../../console/console-page.ts"
import { newFormTicket, spendFormTicket } from "../../services/form-ticket.ts"

const EMPTY: TypedApp = {
  type: null,
  name: "",
  redirectUris: [],
  permissions: [],
  verified: false,
  stepUp: false,
  resourceServer: false,
  owner: "",
}

export const showNewApp = consolePage("/console/app/new", (context, reply, visit) =>
  show(context, reply, visit, null, EMPTY),
)

export const submitNewApp = consoleForm(
  "/console/app/new",
  async (context, reply, visit) => {
    const typed = typedIn(visit, kinds.find((kind) => kind === fieldOf(visit, "type")) ?? null)
    const { type } = typed
    const ownerName = typed.owner.trim() === "" ? null : typed.owner
    // What cannot be registered leaves the form as it is; a form that did its work does nothing more.
    const problems = await problemsOf(context, typed, null)
    if (type === null || problems.length > 0) return show(context, reply, visit, null, typed, { problems })
    if (!(await spendFormTicket(context.services, fieldOf(visit, "ticket"))))
      return toPage(context, reply, "/console/apps")
    const asked = { ...typed, type, registeredBy: "administrator", ownerName, ...visit.from } as const
    const added = await addApp(context.services, asked)
    if (!added.ok) return show(context, reply, visit, null, typed, { problem: added.error })
    const { client, secret } = added.value
    if (secret === null) return toPage(context, reply, `/console/app?id=${client.clientId}&done=registered`)
    return showSecret(context, reply, visit, client, secret, true)
  },
  (_, visit) => powersGiven(null, trustIn(visit)),
)

export const showEdit = consolePage(
  "/console/app/edit",
  onApp((context, reply, visit, app) => show(context, reply, visit, app, typedOf(app))),
)

/** A change of the ceiling is shown before it is made: the form comes back with what it takes, and is sent again. */
export const submitEdit = consoleForm(
  "/console/app/edit",
  onApp(async (context, reply, visit, app) => {
    const { services } = context
    const { clientId, type } = app.client
    const typed = typedIn(visit, type)
    const update = updateOf(typed, app)
    const problems = await problemsOf(context, typed, app)
    if (problems.length > 0) return show(context, reply, visit, app, typed, { problems })
    const previewed = await previewAppUpdate(services, clientId, update)
    if (!previewed.ok) return show(context, reply, visit, app, typed, { problem: previewed.error })
    const { app: after, preview } = previewed.value
    const confirmed = changeOf(app.client, after.client)
    if (confirmed !== "" && fieldOf(visit, "confirmed") !== confirmed) {
      const sentences = previewSentences(preview)
      const shown = {
        ...frameOf(context, visit),
        clientId,
        name: app.client.name,
        typed,
        sentences,
        confirmed,
      }
      return sendConsole(context, reply, renderAppPreview(shown))
    }
    const updated = await updateApp(services, clientId, update, visit.from)
    if (!updated.ok) return show(context, reply, visit, app, typed, { problem: updated.error })
    return toPage(context, reply, `/console/app?id=${clientId}&done=saved`)
  }),
  async ({ services }, visit) => {
    const app = await findApp(services, fieldOf(visit, "id"))
    return app.ok ? powersGiven(app.value, trustIn(visit)) : []
  },
)

function trustIn(visit: ConsoleRequest): AppTrust {
  const { owner, ...typed } = typedIn(visit, null)
  return { ...typed, owner: owner.trim() === "" ? null : owner.trim() }
}

/** Which names enter the ceiling and leave it; empty where it stays as it is. */
function changeOf({ ceiling: before }: Client, { ceiling: after }: Client): string {
  const gone = before.filter((name) => !after.includes(name)).map((name) => `-${name}`)
  const come = after.filter((name) => !before.includes(name)).map((name) => `+${name}`)
  return [...gone, ...come].join(" ")
}

function typedOf({ client, owner }: App): TypedApp {
  const { type, name, redirectUris, ceiling, verified, stepUp, resourceServer } = client
  const account = owner?.username ?? ""
  return { type, name, redirectUris, permissions: ceiling, verified, stepUp, resourceServer, owner: account }
}

function typedIn(visit: ConsoleRequest, type: TypedApp["type"]): TypedApp {
  const isOn = (name: string) => fieldOf(visit, name) === "on"
  return {
    type,
    name: fieldOf(visit, "name"),
    redirectUris: fieldOf(visit, "redirect_uris")
      .split(/\s+/)
      .filter((uri) => uri !== ""),
    permissions: allValues(visit.form, "permission"),
    verified: isOn("verified"),
    stepUp: isOn("step_up"),
    resourceServer: isOn("resource_server"),
    owner: fieldOf(visit, "owner"),
  }
}

const kinds = ["public", "confidential"] as const satisfies readonly Client["type"][]

/** All that is wrong at once; whether the owner is there is looked up. */
async function problemsOf(
  { services }: HttpContext,
  typed: TypedApp,
  app: App | null,
): Promise<readonly RegistrationProblem[]> {
  const problems = registrationProblems(services.catalogue, typed, app?.client ?? null)
  const owner = typed.owner.trim()
  if (owner === "" || owner === app?.owner?.username) return problems
  const found = await findAccount(services, owner)
  return found.ok ? problems : [...problems, { field: "owner", message: found.error }]
}

/** An owner who was not touched is not looked up again: the name may be another one's by now. */
function updateOf({ type: _, owner, ...typed }: TypedApp, { owner: before }: App): AdministratorsUpdate {
  const name = owner.trim()
  if (name === (before?.username ?? "")) return typed
  return { ...typed, ownerName: name === "" ? null : name }
}

type Wrong = { readonly problems?: readonly RegistrationProblem[]; readonly problem?: string | null }

function show(
  context: HttpContext,
  reply: HttpReply,
  visit: ConsoleRequest,
  app: App | null,
  typed: TypedApp,
  { problems = [], problem = null }: Wrong = {},
): HttpReply {
  const page = renderAppForm({
    ...frameOf(context, visit),
    clientId: app?.client.clientId ?? null,
    ticket: newFormTicket(context.services),
    typed,
    offered: offered(context, app?.client.ceiling ?? []),
    problems,
    problem,
  })
  return sendConsole(context, reply, page, problem === null && problems.length === 0 ? 200 : 400)
}

/** The catalogue by its groups; behind it what is registered and left it, so that it can be taken away. */
function offered(
  { services: { catalogue } }: HttpContext,
  registered: Client["ceiling"],
): readonly Offered[] {
  const withTitles = (entry: CatalogueEntry) => ({
    ...entry,
    implies: entry.implies.map((name) => catalogue.get(name)?.title ?? name),
  })
  const groups = Map.groupBy(catalogue.values(), ({ group }) => group)
  const departed = registered.filter((name) => !catalogue.has(name))
  const gone = {
    group: "No longer in the catalogue",
    permissions: departed.map((name) => ({
      name,
      title: name,
      description: "Reaches nothing.",
      implies: [],
    })),
  }
  return [
    ...Array.from(groups, ([group, permissions]) => ({ group, permissions: permissions.map(withTitles) })),
    ...(departed.length === 0 ? [] : [gone]),
  ]
}

export function showSecret(
  context: HttpContext,
  reply: HttpReply,
  visit: ConsoleRequest,
  { clientId, name }: Client,
  secret: string,
  isNew: boolean,
): HttpReply {
  return sendConsole(
    context,
    reply,
    renderSecret({
      ...frameOf(context, visit),
      clientId,
      name,
      secret,
      isNew,
      issuer: context.services.issuer,
    }),
  )
}
