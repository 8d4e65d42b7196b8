/** GET /account/security: the security page of an account. */
import { type Factor, isSecondFactor } from "../../records/factor.rules.ts"
import { renderSecurity } from "./security.view.ts"
import { factorsOf } from "../factors/factor.ts"
import { relyingPartyId } from "../factors/passkey.ts"
import { browsersOf } from "../sessions/sessions.ts"
import { sendPage } from "../../http/respond.ts"
import { signedInView } from "../guards/signed-in.ts"
import { accountPage } from "../guards/account-page.ts"

export const showSecurity = accountPage("/account/security", async (context, reply, own) => {
  const { services } = context
  const { signedIn } = own
  const factors = await factorsOf(services, signedIn.account.userId)
  const page = renderSecurity({
    ...signedInView(context, own),
    factors: factors.filter(isSecondFactor),
    recovery: recoveryOf(factors),
    offersPasskeys: relyingPartyId(services.issuer) !== null,
    browsers: (await browsersOf(services, signedIn)).length,
  })
  return sendPage(context, reply, 200, page)
})

function recoveryOf(factors: readonly Factor[]) {
  const recovery = factors.find((factor) => factor.kind === "recovery")
  return recovery === undefined ? null : { left: recovery.codes.length, madeAt: recovery.addedAt }
}
