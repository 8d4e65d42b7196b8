/** Confirmed actions of an owner on an app: disable, remove, replace the secret. */
import { anonymizedValues } from "../preview/anonymized-count.rules.ts"
import type { Html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { newFormTicket, spendFormTicket } from "../../platform/services/form-ticket.ts"
import { removeApp, rotateAppSecret, usersOf } from "../app.ts"
import { appActions } from "./app-actions.ts"
import { sendApp } from "./app.endpoint.ts"
import type { AppAction } from "./app-page.ts"
import { type AppsRun, connectionOf, onApp, toApp, toApps } from "./app-request.ts"
import { type QuestionInput, renderQuestion } from "./question.view.ts"
import { renderSecret } from "./secret.view.ts"

/** Shows the confirmation page. A public app has no secret to replace. */
export function ask(action: QuestionInput["action"]): AppsRun {
  return onApp(async ({ services }, _, { app: { client }, view, send, notFound }) => {
    const { clientId, name, type } = client
    const isSecret = action === "secret"
    if (isSecret && type === "public") return notFound()
    const use = isSecret ? null : await useInWords(services, view.texts, client)
    const ticket = isSecret ? newFormTicket(services) : null
    return send(renderQuestion({ ...view, clientId, name, action, use, ticket }))
  })
}

async function useInWords(services: Services, texts: Texts, client: Client): Promise<Html> {
  const { accounts, isWhole } = await usersOf(services, client)
  return accounts === 0
    ? texts.html("app-question.unused")
    : texts.html("app-question.used", anonymizedValues(accounts, isWhole))
}

/** Runs an action after which the app is still there. */
export function act(action: AppAction): AppsRun {
  const { run, done } = appActions[action]
  return onApp(async (context, reply, request) => {
    const { clientId } = request.app.client
    const outcome = await run(context.services, clientId, request.by)
    return outcome.ok
      ? toApp(context, reply, request, clientId, done)
      : sendApp(context, request, outcome.error)
  })
}

/** Removes an app. An app that was removed before gets the same response. */
export const removeOwnApp: AppsRun = async (context, reply, request) => {
  await removeApp(context.services, fieldOf(request, "id"), request.by)
  return toApps(context, reply, request, "removed")
}

/** Replaces the secret. The form works once, so a second click does not replace the new secret. */
export const makeOwnSecret = onApp(async (context, _, request) => {
  const { services } = context
  const { clientId, name, type } = request.app.client
  if (type === "public") return request.notFound()
  const isFirst = await spendFormTicket(services, fieldOf(request, "ticket"))
  const made = isFirst ? await rotateAppSecret(services, clientId, request.by) : null
  if (made?.ok === false) return request.notFound()
  const secret = made?.value.secret ?? null
  const connection = connectionOf(context)
  return request.send(renderSecret({ ...request.view, clientId, name, secret, isNewApp: false, connection }))
})
