/** POST /invitation/with: a person accepts an invitation with a sign-in provider. */
import { waitOf } from "../../platform/languages/span.rules.ts"
import { invitationForm, showInvitationPage } from "../invitations/invitation.endpoint.ts"
import { openInvitation } from "../invitations/accept.ts"
import { keptWaiting } from "../sign-in/waiting-cookie.ts"
import { leaveFor, type Leaving } from "./leave.ts"
import { logFailure } from "./log-failure.ts"
import { failureInWords } from "./provider-words.ts"
import { askCounted, countTry } from "./tries.ts"

export const submitInvitedWith = invitationForm(async (context, reply, form) => {
  const { services } = context
  const { browser, values, secret, username, visitor } = form
  const provider = services.providers.get(values.get("provider") ?? "")
  // The page is older than the configuration, or the invitation has ended.
  if (provider === undefined || (await openInvitation(services, secret)) === null)
    return showInvitationPage(context, reply, form, { status: 400 })
  const spent = await countTry(services, "start", visitor)
  if (!spent.admitted) {
    reply.header("retry-after", spent.retryAfterSeconds)
    const text = browser.page.texts.html("common.throttled", waitOf(spent.retryAfterSeconds))
    return showInvitationPage(context, reply, form, { status: 429, text })
  }
  const invited = { link: secret, username }
  const next = keptWaiting(context, reply.request, browser)
  const leaving: Leaving = { purpose: "sign-in", sessionHash: null, next, counted: spent.spent, invited }
  const left = await askCounted(spent, () => leaveFor(context, reply, browser, provider, leaving))
  if (left.ok) return left.value
  logFailure(context, reply.request, provider, left.error)
  const problem = failureInWords(browser.page.texts, provider, left.error)
  return showInvitationPage(context, reply, form, problem)
})
