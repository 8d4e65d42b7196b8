/** Operations of administrators on invitations. */
import { invite, type NotInvited, revokeInvitation } from "../../accounts/invitations/invite.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { GROUPS_OF_ACCOUNT_AT_MOST } from "../../kernel/limits.ts"
import { EMAIL_ADDRESS_LENGTH, INVITATION_DAYS } from "../../kernel/account-limits.ts"
import { type ApiStatus, refused, unknown } from "../../platform/http/api-error.ts"
import { flag, integer, list, optional, record, text } from "../../platform/json/shape.rules.ts"
import { usernameInput } from "../accounts/account-record.ts"
import { byAdministrator, success } from "../api/call.ts"
import { type Operation, operation } from "../api/operation.ts"
import { pageOf, pagingBy, readPage } from "../api/paging.ts"
import { groupName, invitationRecords, invitationShape, madeRecord, madeShape } from "./invitation-record.ts"
import { rowKeys } from "../../store/list.ts"

const newInvitation = record("NewInvitation", {
  name: optional(usernameInput),
  email: optional(
    text("The link is mailed to it, if e-mail is configured.", "grace@example.org", {
      most: EMAIL_ADDRESS_LENGTH.whole,
    }),
  ),
  groups: optional(list("The groups of the account.", groupName, { most: GROUPS_OF_ACCOUNT_AT_MOST })),
  admin: optional(flag("Whether the account becomes an administrator.", false)),
  days: optional(integer("How many days the link works.", INVITATION_DAYS.usual, INVITATION_DAYS)),
  language: optional(text("The tag of the language of the mail.", "pt-BR", { most: 40 })),
})

const statuses = {
  malformed: "INVALID_ARGUMENT",
  unknown: "INVALID_ARGUMENT",
  taken: "ALREADY_EXISTS",
  conflict: "CONFLICT",
} as const satisfies Record<NotInvited["why"], ApiStatus>

export const invitationOperations: readonly Operation[] = [
  operation("GET", "/api/admin/invitations", "adminListInvitations", {
    summary: "List the open invitations, oldest first",
    needs: ["admin:accounts"],
    query: record(null, pagingBy(isIdentifier)),
    answers: pageOf("InvitationPage", invitationShape),
    run: async ({ services, query }) => {
      const found = await readPage(query, (page) => services.store.invitations(page), rowKeys.invitations)
      return success({ ...found, items: await invitationRecords(services, found.items) })
    },
  }),
  operation("POST", "/api/admin/invitations", "adminInvite", {
    summary: "Invite a person to make an account",
    notes: "The link works once. If it was mailed, `url` is null: the link is in the mail alone.",
    needs: ["admin:accounts"],
    body: newInvitation,
    status: 201,
    answers: madeShape,
    refuses: ["ALREADY_EXISTS", "CONFLICT"],
    run: async ({ services, body, ...call }) => {
      const { name = null, email = null, groups = [], admin = false, language = null } = body
      const { days = INVITATION_DAYS.usual } = body
      const input = { username: name, email, groups, admin, days, language }
      const made = await invite(services, input, byAdministrator(call))
      if (!made.ok) {
        const { why, field, problem } = made.error
        const status = statuses[why]
        return refused(status, status === "INVALID_ARGUMENT" ? `body.${field}: ${problem}` : problem)
      }
      return success(madeRecord(services.issuer, made.value))
    },
  }),
  operation("DELETE", "/api/admin/invitations/{id}", "adminRevokeInvitation", {
    summary: "Withdraw an invitation",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND"],
    run: async ({ services, path, ...call }) =>
      (await revokeInvitation(services, path.id, byAdministrator(call)))
        ? success(null)
        : unknown("invitation"),
  }),
]
