/** GET and POST /account/apps/edit. What is taken from people is told before it is saved. SVC-8, PERM-5. */
import { type OwnAppProblem, ownAppProblems, type TypedOwnApp } from "../own-app-problems.rules.ts"
import type { ReachPreview } from "../../permissions/preview/reach-preview.rules.ts"
import { renderOwnAppForm, type TypedText } from "./form.view.ts"
import { renderCeilingPreview } from "./preview.view.ts"
import { updateOwnApp } from "../own-app.ts"
import { previewOwnAppUpdate } from "../preview.ts"
import { digest } from "../../kernel/hash.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { appForm, appPage, type OwnApp, toApp } from "./own-app-page.ts"
import { offeredPermissions, textOfApp, typedApp, typedText } from "./form-input.ts"

export const showEditOwnApp = appPage("/edit", (context, reply, own) =>
  show(context, reply, own, textOfApp(own.client), {}),
)

export const submitEditOwnApp = appForm("/edit", async (context, reply, own) => {
  const { services } = context
  const { client, signedIn, from } = own
  const text = typedText(own, client.type)
  const typed = typedApp(text)
  const { openSchemes } = await services.settings.current()
  const problems = ownAppProblems(services.catalogue, typed, client, openSchemes)
  if (problems.length > 0) return show(context, reply, own, text, { problems })
  const { name, redirectUris, permissions, stepUp } = typed
  const update = { name, redirectUris, permissions, stepUp }
  const seen = await previewOwnAppUpdate(services, signedIn.account, client.clientId, update)
  if (!seen.ok) return show(context, reply, own, text, { problem: seen.error })
  const { preview } = seen.value
  const confirmed = confirmationOf(typed, preview)
  if (preview.taken.length > 0 && fieldOf(own, "confirmed") !== confirmed)
    return showPreview(context, reply, own, text, preview, confirmed)
  const updated = await updateOwnApp(services, signedIn.account, client.clientId, update, from)
  return updated.ok
    ? toApp(context, reply, client, "saved")
    : show(context, reply, own, text, { problem: updated.error })
})

/** Of the permissions that were shown as taken away, and of those that are left: another change asks again. */
function confirmationOf({ permissions }: TypedOwnApp, { taken }: ReachPreview): string {
  const lists = [taken.map(({ permission }) => permission).toSorted(), permissions.toSorted()]
  return digest(JSON.stringify(lists))
}

function showPreview(
  context: HttpContext,
  reply: HttpReply,
  own: OwnApp,
  typed: TypedText,
  { taken, emptied }: ReachPreview,
  confirmed: string,
): HttpReply {
  const { catalogue } = context.services
  const { clientId, name } = own.client
  const page = renderCeilingPreview({
    ...signedInView(context, own),
    clientId,
    name,
    taken: taken.map(({ permission, accounts }) => ({
      title: catalogue.get(permission)?.title ?? permission,
      accounts,
    })),
    emptied: emptied.accounts,
    typed,
    confirmed,
  })
  return sendPage(context, reply, 200, page)
}

type Wrong = { readonly problems?: readonly OwnAppProblem[]; readonly problem?: string }

function show(
  context: HttpContext,
  reply: HttpReply,
  own: OwnApp,
  typed: TypedText,
  wrong: Wrong,
): HttpReply {
  const { problems = [], problem = null } = wrong
  const { clientId, name, ceiling } = own.client
  const page = renderOwnAppForm({
    ...signedInView(context, own),
    of: { clientId, name },
    typed,
    offered: offeredPermissions(context, ceiling),
    problems,
    problem,
  })
  return sendPage(context, reply, problems.length > 0 || problem !== null ? 400 : 200, page)
}
