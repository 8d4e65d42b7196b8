/**
 * GET /console/credential shows one credential and explains its reach. POST /console/credential/revoke ends the
 * credential.
 */
import { noConsequences } from "../../platform/ui/consequences.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Explanation } from "../../oauth/explain/explanation.rules.ts"
import {
  accessTokenExplained,
  permissionExplained,
  wholeExplained,
} from "../../oauth/explain/explanation-words.ts"
import { renderConfirm } from "../../platform/ui/console/confirm.ts"
import { renderCredential } from "./credential.view.ts"
import { instantText, secondText } from "../../platform/ui/console/instant.ts"
import { titleOf } from "../../platform/languages/local-text.ts"
import { html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { endCredential } from "../../oauth/credential/credential.ts"
import { explain } from "../../oauth/explain/explain.ts"
import { consoleForm, consolePage, type ConsoleRequest, provenConsolePage } from "../console/console-page.ts"
import { ROWS_IN_SHORT } from "../console/list-paging.ts"
import { credentialView } from "./credential-with-app.ts"
import { eventRecords } from "../events/event-record.ts"

const REVOKE = "/console/credential/revoke"

type Run = (request: ConsoleRequest, explained: Explanation) => Promise<HttpReply> | HttpReply

function onCredential(run: Run) {
  return async (request: ConsoleRequest): Promise<HttpReply> => {
    const found = await explain(request.services, request.field("id"))
    return found.ok ? run(request, found.value) : request.notFound()
  }
}

export const showCredential = consolePage(
  "/console/credential",
  onCredential(async (request, explained) => {
    const { credential, accessTokens, permissions } = explained
    const { tokenId, resources } = credential.consent
    const events = await request.services.store.events({ tokenId }, { limit: ROWS_IN_SHORT })
    const page = renderCredential({
      ...request.frame,
      credential: credentialView(request.services, explained),
      resources: resources.map((one) => request.services.resources.spellingOf(one) ?? one),
      whole: wholeExplained(explained, instantText),
      permissions: permissions.map((line) => ({
        name: line.permission,
        title: titleOf(request.services, line.permission),
        isReached: line.isReached,
        isConsented: line.isConsented,
        ...permissionExplained(line),
      })),
      accessTokens: accessTokens.map((token) => accessTokenExplained(token, secondText)),
      events: await eventRecords(request.services, events),
    })
    return request.send(page)
  }),
)

export const showRevoke = provenConsolePage(
  REVOKE,
  onCredential((request, { credential, client }) => {
    const { tokenId, installationName } = credential.consent
    const app = shownName(client?.name ?? "", "an app")
    const label = installationName === null ? "" : shownName(installationName, "", 100)
    const page = renderConfirm({
      ...request.frame,
      place: "credentials",
      title: "Revoke a credential",
      head: html`Revoke what
        <bdi class="name">${app}</bdi> holds${label !== "" && html` on <bdi class="name">${label}</bdi>`}?`,
      lead: "The app loses this access immediately and permanently. To regain it, the app must ask for consent again.",
      takes: noConsequences,
      action: REVOKE,
      fields: [["id", tokenId]],
      button: "Revoke the credential",
      isDangerous: true,
      back: `/console/credential?id=${tokenId}`,
    })
    return request.send(page)
  }),
)

export const submitRevoke = consoleForm(REVOKE, async (request) => {
  const id = request.field("id")
  const revoked = await endCredential(request.services, id, request.from)
  if (!revoked.ok) return request.notFound()
  const { tokenId } = revoked.value.held.credential.consent
  return request.redirect(
    `/console/credential?id=${tokenId}&done=${revoked.value.wasOver ? "unchanged" : "revoked"}`,
  )
})
