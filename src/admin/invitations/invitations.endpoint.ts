/** GET /console/invitations, and the forms that invite a person and withdraw an invitation. INVITE-5. */
import { allGroups } from "../../accounts/groups/groups.ts"
import { invite, revokeInvitation } from "../../accounts/invitations/invite.ts"
import { allValues } from "../../kernel/form.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { InvitationId } from "../../kernel/ids.ts"
import { INVITATION_DAYS } from "../../kernel/account-limits.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { newFormTicket, spendFormTicket } from "../../platform/services/form-ticket.ts"
import { renderConfirm } from "../../platform/ui/console/confirm.ts"
import { noConsequences } from "../../platform/ui/consequences.ts"
import { consoleForm, consolePage, type ConsoleRequest, provenConsolePage } from "../console/console-page.ts"
import { listPage } from "../console/list-paging.ts"
import { invitationRecords, madeRecord } from "./invitation-record.ts"
import { forWhom, renderInvitations, renderInvited, renderNewInvitation } from "./invitations.view.ts"
import { rowKeys } from "../../store/list.ts"

const LIST = "/console/invitations"
const NEW = "/console/invitation/new"
const REVOKE = "/console/invitation/revoke"

export const showInvitations = consolePage(LIST, async (request) => {
  const { services } = request
  const { rows, paging } = await listPage(
    request,
    (page) => services.store.invitations(page),
    rowKeys.invitations,
  )
  const invitations = await invitationRecords(services, rows)
  return request.send(renderInvitations({ ...request.frame, invitations, paging }))
})

export const showNewInvitation = provenConsolePage(NEW, (request) => show(request, null))

/** The form works once, so a reload of the page with the link makes no second invitation. */
export const submitNewInvitation = consoleForm(NEW, async (request) => {
  const { services, form } = request
  if (!(await spendFormTicket(services, request.field("ticket")))) return request.redirect(LIST)
  const typed = (name: string) => request.field(name).trim() || null
  const input = {
    username: typed("name"),
    email: typed("email"),
    groups: allValues(form, "group"),
    admin: request.field("admin") === "on",
    days: Number(request.field("days")),
    language: typed("language"),
  }
  const made = await invite(services, input, request.from)
  if (!made.ok) return show(request, made.error.problem)
  const { url, expires_at: expiresAt } = madeRecord(services.issuer, made.value)
  return url === null
    ? request.redirect(`${LIST}?done=invited`)
    : request.send(renderInvited({ ...request.frame, url, expiresAt }))
})

async function show(request: ConsoleRequest, problem: string | null): Promise<HttpReply> {
  const { mail, languages } = request.services
  const page = renderNewInvitation({
    ...request.frame,
    ticket: newFormTicket(request.services),
    name: request.field("name"),
    email: request.field("email"),
    days: request.field("days") || String(INVITATION_DAYS.usual),
    language: request.field("language"),
    admin: request.field("admin") === "on",
    chosen: new Set(allValues(request.form, "group")),
    groups: await allGroups(request.services),
    sendsMail: mail !== null,
    languages: languages.tags,
    problem,
  })
  return request.send(page, problem === null ? 200 : 400)
}

export const showRevoke = provenConsolePage(REVOKE, async (request) => {
  const id = request.field("id")
  const key = isIdentifier(id) ? (id as InvitationId) : null
  const { invitationById } = await request.services.store.read({ invitationById: key })
  const [record] = await invitationRecords(request.services, invitationById === null ? [] : [invitationById])
  if (record === undefined) return request.notFound()
  const page = renderConfirm({
    ...request.frame,
    place: "accounts",
    title: "Withdraw an invitation",
    head: "Withdraw the invitation?",
    lead: `${forWhom(record)}: the link stops working at once. An account that was made with it stays.`,
    takes: noConsequences,
    action: REVOKE,
    fields: [["id", id]],
    button: "Withdraw",
    isDangerous: true,
    back: LIST,
  })
  return request.send(page)
})

export const submitRevoke = consoleForm(REVOKE, async (request) => {
  await revokeInvitation(request.services, request.field("id"), request.from)
  return request.redirect(`${LIST}?done=uninvited`)
})
