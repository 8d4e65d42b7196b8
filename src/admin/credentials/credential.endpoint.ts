/**
 * GET /console/credential shows one credential and explains its reach. POST /console/credential/revoke ends the
 * credential.
 */
import type { Explanation } from "../../oauth/explain/explanation.rules.ts"
import {
  accessTokenExplained,
  permissionExplained,
  wholeExplained,
} from "../../oauth/explain/explanation-words.ts"
import { renderConfirm } from "../../platform/ui/console/confirm.ts"
import { renderCredential } from "./credential.view.ts"
import { instantText, secondText } from "../../platform/ui/console/instant.ts"
import { html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { endCredential } from "../../oauth/credential/credential.ts"
import { explain } from "../../oauth/explain/explain.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import {
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  notFound,
  provenConsolePage,
  sendConsole,
  toPage,
  type ConsoleRequest,
} from "../console/console-page.ts"
import { ROWS_IN_SHORT } from "../console/list-paging.ts"
import { credentialView } from "./credential-view.ts"
import { eventRecords } from "../events/event-record.ts"

const REVOKE = "/console/credential/revoke"

type Run = (
  context: HttpContext,
  reply: HttpReply,
  request: ConsoleRequest,
  explained: Explanation,
) => Promise<HttpReply> | HttpReply

function onCredential(run: Run) {
  return async (context: HttpContext, reply: HttpReply, request: ConsoleRequest): Promise<HttpReply> => {
    const found = await explain(context.services, fieldOf(request, "id"))
    return found.ok ? run(context, reply, request, found.value) : notFound(context, reply, request)
  }
}

export const showCredential = consolePage(
  "/console/credential",
  onCredential(async (context, reply, request, explained) => {
    const { credential, accessTokens, permissions } = explained
    const { tokenId, resources } = credential.consent
    const events = await context.services.store.events({ tokenId }, { limit: ROWS_IN_SHORT })
    const page = renderCredential({
      ...frameOf(context, request),
      credential: credentialView(context, explained),
      resources,
      whole: wholeExplained(explained, instantText),
      permissions: permissions.map((line) => ({
        name: line.permission,
        title: line.title,
        isReached: line.isReached,
        isConsented: line.isConsented,
        ...permissionExplained(line),
      })),
      accessTokens: accessTokens.map((token) => accessTokenExplained(token, secondText)),
      events: await eventRecords(context.services, events),
    })
    return sendConsole(context, reply, page)
  }),
)

export const showRevoke = provenConsolePage(
  REVOKE,
  onCredential((context, reply, request, { credential, client }) => {
    const { tokenId, installationName } = credential.consent
    const app = shownName(client?.name ?? "", "an app")
    const label = installationName === null ? "" : shownName(installationName, "", 100)
    const page = renderConfirm({
      ...frameOf(context, request),
      place: "credentials",
      title: "Revoke a credential",
      head: html`Revoke what
        <bdi class="name">${app}</bdi> holds${label !== "" && html` on <bdi class="name">${label}</bdi>`}?`,
      lead: "The app loses this access immediately and permanently. To regain it, the app must ask for consent again.",
      takes: [],
      action: REVOKE,
      fields: [["id", tokenId]],
      button: "Revoke the credential",
      isDangerous: true,
      back: `/console/credential?id=${tokenId}`,
      problem: null,
    })
    return sendConsole(context, reply, page)
  }),
)

export const submitRevoke = consoleForm(REVOKE, async (context, reply, request) => {
  const id = fieldOf(request, "id")
  const revoked = await endCredential(context.services, id, request.from)
  if (!revoked.ok) return notFound(context, reply, request)
  const { tokenId } = revoked.value.held.credential.consent
  return toPage(
    context,
    reply,
    `/console/credential?id=${tokenId}&done=${revoked.value.wasOver ? "unchanged" : "revoked"}`,
  )
})
