/** GET and POST /account/security/recovery: making recovery codes, and the one page that shows them. FACTOR-6. */
import { needsSecondFactor } from "../../../records/factor.rules.ts"
import { renderAskRecovery, renderRecoveryCodes } from "../../../page/recovery-codes.ts"
import { factorsOf } from "../../../service/factor.ts"
import { makeRecoveryCodes } from "../../../service/recovery.ts"
import { sendPage } from "../../respond.ts"
import { signedInView } from "../account/signed-in.ts"
import { ownForm, provenPage, toSecurity } from "./own-page.ts"
import { showProof } from "./prove-page.ts"

const PATH = "/account/security/recovery"

export const showRecoveryCodes = provenPage(PATH, async (site, reply, own) => {
  const { latchkey } = site
  const { signedIn } = own
  const factors = await factorsOf(latchkey, signedIn.account.userId)
  if (!needsSecondFactor(factors)) return toSecurity(site, reply)
  const replaces = factors.some(({ kind }) => kind === "recovery")
  return sendPage(site, reply, 200, renderAskRecovery({ ...signedInView(site, own), replaces }))
})

export const submitRecoveryCodes = ownForm(PATH, async (site, reply, own) => {
  const { latchkey } = site
  const { account, session } = own.signedIn
  const { sessionHash } = session
  const made = await makeRecoveryCodes(latchkey, account.userId, { sessionHash }, own.address)
  if (made.outcome === "unproven") return showProof(site, reply, own, PATH)
  if (made.outcome !== "done") return toSecurity(site, reply)
  const { host } = new URL(latchkey.issuer)
  const page = renderRecoveryCodes({ ...signedInView(site, own), host, codes: made.codes })
  return sendPage(site, reply, 200, page)
})
