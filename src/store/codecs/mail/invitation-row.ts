import type { Invitation } from "../../../model/invitation.rules.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "../columns.ts"
import { insertInto } from "../insert.ts"
import type { Value } from "../value.ts"

/** The names of groups have no spaces. */
type Stored = Omit<Invitation, "isMailed" | "admin" | "groups"> & {
  readonly isMailed: number
  readonly admin: number
  readonly groups: string
}

const columns = {
  invitationId: "invitation_id",
  linkHash: "link_hash",
  username: "username",
  email: "email",
  isMailed: "is_mailed",
  admin: "admin",
  groups: "groups",
  invitedBy: "invited_by",
  madeAt: "made_at",
  expiresAt: "expires_at",
} as const satisfies Columns<Stored>

export type InvitationRow = RowOf<Stored, typeof columns>
export const invitationColumns = columnText(columns)

export function invitationOf(row: InvitationRow): Invitation {
  const { is_mailed: isMailed, admin, groups } = row
  return {
    ...decode<Stored, typeof columns>(columns, row),
    isMailed: isMailed === 1,
    admin: admin === 1,
    groups: groups === "" ? [] : groups.split(" "),
  }
}

export function invitationValues({ isMailed, admin, groups, ...of }: Invitation): Value[] {
  return encode<Stored>(columns, {
    ...of,
    isMailed: isMailed ? 1 : 0,
    admin: admin ? 1 : 0,
    groups: groups.join(" "),
  })
}

export const INSERT_INVITATION = insertInto("invitation", invitationColumns)
export const END_INVITATION = "DELETE FROM invitation WHERE invitation_id = ?"
/** The mail of an invitation has the id of the invitation. */
export const DROP_MAIL = "DELETE FROM outbox WHERE mail_id = ? AND next_try_at IS NOT NULL"
/** Ends the invitations of an administrator, with their mails. */
export const END_INVITATIONS = [
  `DELETE FROM outbox WHERE next_try_at IS NOT NULL
    AND mail_id IN (SELECT invitation_id FROM invitation WHERE invited_by = ?)`,
  "DELETE FROM invitation WHERE invited_by = ?",
]
