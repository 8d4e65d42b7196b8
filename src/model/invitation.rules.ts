/** Invitations: one-time links with which people make their own account. */
import type { Hash, InvitationId, UserId } from "../kernel/ids.ts"

/** The row is deleted when the link is used, withdrawn or expired. */
export type Invitation = {
  readonly invitationId: InvitationId
  readonly linkHash: Hash
  /** The username that the page suggests, or null. */
  readonly username: string | null
  readonly email: string | null
  /** Whether the link exists only in a mail to this address. Using it confirms the address. */
  readonly isMailed: boolean
  /** Whether the account becomes an administrator. */
  readonly admin: boolean
  /** The groups of the account. Those that are removed meanwhile are left out. */
  readonly groups: readonly string[]
  /** The administrator who invited. Null for the command line. */
  readonly invitedBy: UserId | null
  readonly madeAt: number
  readonly expiresAt: number
}
