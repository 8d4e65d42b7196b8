/** GET /account/security: how the account is protected. */
import { type Factor, isSecondFactor, type SecondFactor } from "../../records/factor.rules.ts"
import { type FactorView, renderSecurity } from "./security.view.ts"
import { factorsOf } from "../factors/factor.ts"
import { relyingPartyId } from "../factors/passkey.ts"
import { browsersOf } from "../sessions/sessions.ts"
import { sendPage } from "../../http/respond.ts"
import { signedInView } from "../guards/signed-in.ts"
import { accountPage } from "../guards/account-page.ts"

export const showSecurity = accountPage("/account/security", async (site, reply, own) => {
  const { services: latchkey } = site
  const { signedIn } = own
  const factors = await factorsOf(latchkey, signedIn.account.userId)
  const page = renderSecurity({
    ...signedInView(site, own),
    factors: factors.filter(isSecondFactor).map(factorView),
    recovery: recoveryOf(factors),
    offersPasskeys: relyingPartyId(latchkey.issuer) !== null,
    browsers: (await browsersOf(latchkey, signedIn)).length,
  })
  return sendPage(site, reply, 200, page)
})

export function factorView({ factorId, kind, name, addedAt, usedAt }: SecondFactor): FactorView {
  return { factorId, kind, name, addedAt, usedAt }
}

function recoveryOf(factors: readonly Factor[]) {
  const recovery = factors.find((factor) => factor.kind === "recovery")
  return recovery === undefined ? null : { left: recovery.codes.length, madeAt: recovery.addedAt }
}
