/** GET and POST /account/security/recovery: creates recovery codes and shows them once. FACTOR-6. */
import { needsSecondFactor } from "../../model/factor.rules.ts"
import { renderAskRecovery, renderRecoveryCodes } from "./recovery-codes.view.ts"
import { factorsOf } from "../factors/factor.ts"
import { makeRecoveryCodes } from "../factors/recovery.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { accountForm, provenPage, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"

const PATH = "/account/security/recovery"

export const showRecoveryCodes = provenPage(PATH, async (context, reply, request) => {
  const { services } = context
  const { signedIn } = request
  const factors = await factorsOf(services, signedIn.account.userId)
  if (!needsSecondFactor(factors)) return toSecurity(context, reply)
  const replaces = factors.some(({ kind }) => kind === "recovery")
  return sendAccountPage(context, reply, request, 200, renderAskRecovery, { replaces })
})

export const submitRecoveryCodes = accountForm(PATH, async (context, reply, request) => {
  const { services } = context
  const { account, session } = request.signedIn
  const { sessionHash } = session
  const made = await makeRecoveryCodes(services, account.userId, sessionHash, request.from.address)
  if (made.outcome === "unproven") return showProof(context, reply, request, PATH)
  if (made.outcome !== "done") return toSecurity(context, reply)
  const { host } = new URL(services.issuer)
  return sendAccountPage(context, reply, request, 200, renderRecoveryCodes, { host, codes: made.codes })
})
