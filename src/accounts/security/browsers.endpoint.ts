/** GET and POST /account/security/browsers: lists the signed-in browsers and signs them out. */
import { renderBrowsers } from "../sessions/browsers.view.ts"
import { browsersOf, endBrowser, endOtherBrowsers } from "../sessions/sessions.ts"
import { sendSeeOther } from "../../platform/http/respond.ts"
import { accountForm, accountPage } from "../guards/account-page.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { fieldOf } from "../guards/account-request.ts"

const PATH = "/account/security/browsers"

/** The page lists at most this number of browsers. The others can only be signed out all at once. */
const SHOWN_AT_MOST = 100

export const showBrowsers = accountPage(PATH, async (context, reply, request) => {
  const { services } = context
  const browsers = await browsersOf(services, request.signedIn)
  return sendAccountPage(context, reply, request, 200, renderBrowsers, {
    now: services.clock.now(),
    browsers: browsers.slice(0, SHOWN_AT_MOST).map(({ reference, isThisOne, session }) => ({
      reference,
      isThisOne,
      userAgent: session.userAgent,
      address: session.address,
      since: session.createdAt,
      seenAt: session.seenAt,
    })),
    more: Math.max(0, browsers.length - SHOWN_AT_MOST),
  })
})

export const submitBrowsers = accountForm(PATH, async (context, reply, request) => {
  const { signedIn, from } = request
  if (fieldOf(request, "others") === "yes") await endOtherBrowsers(context.services, signedIn, from.address)
  else await endBrowser(context.services, signedIn, fieldOf(request, "reference"), from.address)
  return sendSeeOther(context, reply, context.basePath + PATH)
})
