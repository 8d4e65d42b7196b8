/** An invitation in JSON. */
import type { MadeInvitation } from "../../accounts/invitations/invite.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import {
  flag,
  idShape,
  instant,
  list,
  orNull,
  type Parsed,
  record,
  text,
  usernameShape,
} from "../../platform/json/shape.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { namesIn } from "../../store/paged.ts"

export const groupName = text("The name of a group.", "staff")

export const invitationShape = record("Invitation", {
  invitation_id: idShape("invitation"),
  name: orNull(text("The username that the page suggests.", "grace")),
  email: orNull(text("The address of the person.", "grace@example.org")),
  mailed: flag("Whether the link exists in the mail alone. Using it confirms the address."),
  admin: flag("Whether the account becomes an administrator.", false),
  groups: list("The groups of the account.", groupName),
  invited_by: orNull(usernameShape),
  created_at: instant("When it was made"),
  expires_at: instant("When it expires"),
})

export type InvitationRecord = Parsed<typeof invitationShape>

/** Builds the records with the current names of the people who invited. */
export async function invitationRecords(
  services: Pick<Services, "store">,
  invitations: readonly Invitation[],
): Promise<readonly InvitationRecord[]> {
  const inviters = invitations.map(({ invitedBy: userId }) => ({ userId, clientId: null }))
  const { accounts } = await namesIn(services, inviters)
  return invitations.map(
    ({ invitationId, username, email, isMailed, admin, groups, invitedBy, ...times }) => ({
      invitation_id: invitationId,
      name: username,
      email,
      mailed: isMailed,
      admin,
      groups,
      invited_by: invitedBy === null ? null : (accounts.get(invitedBy) ?? null),
      created_at: times.madeAt,
      expires_at: times.expiresAt,
    }),
  )
}

export const madeShape = record("MadeInvitation", {
  invitation_id: idShape("invitation"),
  url: orNull(text("The one-time link. It is shown once.", "https://id.example.org/invitation?link=…")),
  expires_at: instant("When it expires"),
})

/** The answer to an invitation. `url` is null if the link was mailed. */
export function madeRecord(
  baseUrl: string,
  { invitation, secret }: MadeInvitation,
): Parsed<typeof madeShape> {
  return {
    invitation_id: invitation.invitationId,
    url: secret === null ? null : `${baseUrl}/invitation?link=${secret}`,
    expires_at: invitation.expiresAt,
  }
}
