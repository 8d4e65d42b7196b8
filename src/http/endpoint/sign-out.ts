/** POST /sign-out. */
import { renderSignedOut } from "../../page/signed-out.ts"
import { signOut } from "../../service/session.ts"
import { csrfToken, isOwnForm } from "../csrf.ts"
import { rawFormOf } from "../request.ts"
import { sendErrorPage, sendPage } from "../respond.ts"
import { browserOf, clearSession } from "../session.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"

export const submitSignOut: Endpoint = async (site, request, reply) => {
  const browser = await browserOf(site, request)
  if (browser.signedIn !== null) {
    if (!isOwnForm(site, request, csrfToken(browser), rawFormOf(request)?.values.get("csrf")))
      return sendErrorPage(site, reply, 403, { kind: "formForeign" })
    await signOut(site.latchkey, browser.signedIn, addressOf(site, request))
  }
  clearSession(site, reply)
  return sendPage(site, reply, 200, renderSignedOut({ basePath: site.basePath }))
}
