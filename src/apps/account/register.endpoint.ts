/** GET and POST /account/apps/new: registering an app in one's own name. SVC-8. */
import { type OwnAppProblem, ownAppProblems } from "../own-app-problems.rules.ts"
import { renderOwnAppForm, type TypedText } from "./form.view.ts"
import { renderSecret } from "./secret.view.ts"
import { registerOwnApp } from "../own-app.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { accountForm, accountPage } from "../../accounts/guards/account-page.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { APPS, connectionOf, toApp, toApps } from "./own-app-page.ts"
import { offeredPermissions, typedApp, typedText } from "./form-input.ts"
import { newFormTicket, spendFormTicket } from "../../services/form-ticket.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"

const empty: TypedText = { type: null, name: "", redirectUris: "", permissions: [], stepUp: false }

export const showNewOwnApp = accountPage(`${APPS}/new`, (context, reply, own) =>
  show(context, reply, own, empty, {}),
)

/** A form that is sent again, by a reload or a second click, registers nothing more. */
export const submitNewOwnApp = accountForm(`${APPS}/new`, async (context, reply, own) => {
  const { services } = context
  const text = typedText(own, null)
  const typed = typedApp(text)
  const { openSchemes } = await services.settings.current()
  const problems = ownAppProblems(services.catalogue, typed, null, openSchemes)
  if (problems.length > 0 || typed.type === null) return show(context, reply, own, text, { problems })
  if (!(await spendFormTicket(services, fieldOf(own, "ticket")))) return toApps(context, reply)
  const { signedIn, from } = own
  const asked = { ...typed, type: typed.type }
  const registered = await registerOwnApp(services, signedIn.account, asked, from)
  if (!registered.ok) return show(context, reply, own, text, { problem: registered.error })
  const { client, secret } = registered.value
  if (secret === null) return toApp(context, reply, client, "registered")
  const { clientId, name } = client
  const connection = connectionOf(context)
  const shown = { ...signedInView(context, own), clientId, name, secret, isNewApp: true, connection }
  const page = renderSecret(shown)
  return sendPage(context, reply, 200, page)
})

type Wrong = { readonly problems?: readonly OwnAppProblem[]; readonly problem?: string }

function show(
  context: HttpContext,
  reply: HttpReply,
  own: AccountRequest,
  typed: TypedText,
  wrong: Wrong,
): HttpReply {
  const { problems = [], problem = null } = wrong
  const page = renderOwnAppForm({
    ...signedInView(context, own),
    of: { ticket: newFormTicket(context.services) },
    typed,
    offered: offeredPermissions(context, []),
    problems,
    problem,
  })
  return sendPage(context, reply, problems.length > 0 || problem !== null ? 400 : 200, page)
}
