/** GET and POST /account/security/recovery: making recovery codes, and the one page that shows them. FACTOR-6. */
import { needsSecondFactor } from "../../../core/factor.ts"
import { renderAskRecovery, renderRecoveryCodes } from "../../../page/recovery-codes.ts"
import { factorsOf } from "../../../service/factor.ts"
import { makeRecoveryCodes } from "../../../service/recovery.ts"
import { csrfToken } from "../../csrf.ts"
import { sendPage } from "../../respond.ts"
import { ownForm, provenPage, toSecurity } from "./own-page.ts"
import { showProof } from "./prove-page.ts"

const PATH = "/account/security/recovery"

export const showRecoveryCodes = provenPage(PATH, async (site, reply, { browser, signedIn }) => {
  const { latchkey, basePath } = site
  const factors = await factorsOf(latchkey, signedIn.account.userId)
  if (!needsSecondFactor(factors)) return toSecurity(site, reply)
  const replaces = factors.some(({ kind }) => kind === "recovery")
  return sendPage(site, reply, 200, renderAskRecovery({ basePath, csrf: csrfToken(browser), replaces }))
})

export const submitRecoveryCodes = ownForm(async (site, reply, own) => {
  const { latchkey, basePath } = site
  const { account, session } = own.signedIn
  const { sessionHash } = session
  const made = await makeRecoveryCodes(latchkey, account.userId, { sessionHash }, own.address)
  if (made.outcome === "unproven") return showProof(site, reply, own, PATH)
  if (made.outcome !== "done") return toSecurity(site, reply)
  const { host } = new URL(latchkey.issuer)
  const page = renderRecoveryCodes({ basePath, username: account.username, host, codes: made.codes })
  return sendPage(site, reply, 200, page)
})
