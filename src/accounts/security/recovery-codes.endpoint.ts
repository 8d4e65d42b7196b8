/** GET and POST /account/security/recovery: creates recovery codes and shows them once. FACTOR-6. */
import { needsSecondFactor } from "../../model/factor.rules.ts"
import { renderAskRecovery, renderRecoveryCodes } from "./recovery-codes.view.ts"
import { factorsOf } from "../factors/factor.ts"
import { makeRecoveryCodes } from "../factors/recovery.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { accountView, policyOf } from "../guards/signed-in.ts"
import { accountForm, provenPage, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"

const PATH = "/account/security/recovery"

export const showRecoveryCodes = provenPage(PATH, async (context, reply, request) => {
  const { services } = context
  const { signedIn } = request
  const factors = await factorsOf(services, signedIn.account.userId)
  if (!needsSecondFactor(factors)) return toSecurity(context, reply)
  const replaces = factors.some(({ kind }) => kind === "recovery")
  const view = accountView(context, reply, request)
  return sendPage(context, reply, 200, renderAskRecovery({ ...view, replaces }), policyOf(view))
})

export const submitRecoveryCodes = accountForm(PATH, async (context, reply, request) => {
  const { services } = context
  const { account, session } = request.signedIn
  const { sessionHash } = session
  const made = await makeRecoveryCodes(services, account.userId, sessionHash, request.from.address)
  if (made.outcome === "unproven") return showProof(context, reply, request, PATH)
  if (made.outcome !== "done") return toSecurity(context, reply)
  const { host } = new URL(services.issuer)
  const view = accountView(context, reply, request)
  const page = renderRecoveryCodes({ ...view, host, codes: made.codes })
  return sendPage(context, reply, 200, page, policyOf(view))
})
