/** GET and POST /account/security/recovery: making recovery codes, and the one page that shows them. FACTOR-6. */
import { needsSecondFactor } from "../../records/factor.rules.ts"
import { renderAskRecovery, renderRecoveryCodes } from "./recovery-codes.view.ts"
import { factorsOf } from "../factors/factor.ts"
import { makeRecoveryCodes } from "../factors/recovery.ts"
import { sendPage } from "../../http/respond.ts"
import { signedInView } from "../guards/signed-in.ts"
import { accountForm, provenPage, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"

const PATH = "/account/security/recovery"

export const showRecoveryCodes = provenPage(PATH, async (site, reply, own) => {
  const { services: latchkey } = site
  const { signedIn } = own
  const factors = await factorsOf(latchkey, signedIn.account.userId)
  if (!needsSecondFactor(factors)) return toSecurity(site, reply)
  const replaces = factors.some(({ kind }) => kind === "recovery")
  return sendPage(site, reply, 200, renderAskRecovery({ ...signedInView(site, own), replaces }))
})

export const submitRecoveryCodes = accountForm(PATH, async (site, reply, own) => {
  const { services: latchkey } = site
  const { account, session } = own.signedIn
  const { sessionHash } = session
  const made = await makeRecoveryCodes(latchkey, account.userId, { sessionHash }, own.address)
  if (made.outcome === "unproven") return showProof(site, reply, own, PATH)
  if (made.outcome !== "done") return toSecurity(site, reply)
  const { host } = new URL(latchkey.issuer)
  const page = renderRecoveryCodes({ ...signedInView(site, own), host, codes: made.codes })
  return sendPage(site, reply, 200, page)
})
