/** GET and POST /account/security/passkey: adding a passkey. FACTOR-2. */
import { renderNewPasskey } from "./new-passkey.view.ts"
import { askNewPasskey, enrolPasskey, type PasskeyEnrolled } from "../factors/passkey.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage } from "../../http/respond.ts"
import { keepBrowser } from "../../http/browser-cookies.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { passkeyAnswerOf, passkeyView } from "../factors/proof-form.ts"
import { signedInView } from "../guards/signed-in.ts"
import { accountForm, provenPage, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"
import { FULL } from "./shared-sentences.ts"
import type { AccountRequest } from "../guards/account-request.ts"

const PATH = "/account/security/passkey"

export const showNewPasskey = provenPage(PATH, (site, reply, own) => show(site, reply, own, 200, null))

export const submitNewPasskey = accountForm(PATH, async (site, reply, own) => {
  const { browser, signedIn, values, address } = own
  const answer = { ...passkeyAnswerOf(values), name: values.get("name") ?? "" }
  const enrolled = await enrolPasskey(site.services, signedIn, answer, browser.secret, address)
  if (enrolled.outcome === "done") return toSecurity(site, reply)
  if (enrolled.outcome === "unproven") return showProof(site, reply, own, PATH)
  return show(site, reply, own, 400, problemOf(enrolled))
})

function problemOf(enrolled: PasskeyEnrolled): string {
  switch (enrolled.outcome) {
    case "bad-name":
      return enrolled.problem
    case "taken":
      return "This device or key is enrolled already."
    case "too-many":
      return FULL
    default:
      return "That did not work. Please try again."
  }
}

async function show(
  site: HttpContext,
  reply: HttpReply,
  own: AccountRequest,
  status: number,
  problem: string | null,
): Promise<HttpReply> {
  const { browser, signedIn, values } = own
  keepBrowser(site, reply, browser)
  const { services: latchkey } = site
  const passkey = passkeyView(await askNewPasskey(latchkey, signedIn, browser.secret))
  const name = values.get("name") ?? ""
  const page = renderNewPasskey({ ...signedInView(site, own), passkey, name, problem })
  return sendPage(site, reply, status, page, { runsScript: passkey !== null })
}
