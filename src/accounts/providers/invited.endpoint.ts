/** POST /invitation/with: a person accepts an invitation with a sign-in provider. */
import { invitationForm, showInvitationPage } from "../invitations/invitation.endpoint.ts"
import { openInvitation } from "../invitations/accept.ts"
import { keptWaiting } from "../sign-in/waiting-cookie.ts"
import { leaveCounted } from "./leave.ts"

export const submitInvitedWith = invitationForm(async (context, reply, form) => {
  const { services } = context
  const { browser, values, secret, username, visitor } = form
  const provider = services.providers.get(values.get("provider") ?? "")
  // The page is older than the configuration, or the invitation has ended.
  if (provider === undefined || (await openInvitation(services, secret)) === null)
    return showInvitationPage(context, reply, form, { status: 400 })
  const invited = { link: secret, username }
  const next = keptWaiting(context, reply.request, browser)
  const leaving = { purpose: "sign-in", sessionHash: null, next, invited } as const
  const left = await leaveCounted(context, reply, browser, provider, visitor, leaving)
  return left.ok ? left.value : showInvitationPage(context, reply, form, left.error)
})
