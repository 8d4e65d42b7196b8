/** GET /account/security: how the account is protected. */
import { type Factor, isSecondFactor, type SecondFactor } from "../../../records/factor.rules.ts"
import { type FactorView, renderSecurity } from "../../../page/security.ts"
import { factorsOf } from "../../../service/factor.ts"
import { relyingPartyId } from "../../../service/passkey.ts"
import { browsersOf } from "../../../service/sessions.ts"
import { sendPage } from "../../respond.ts"
import { signedInView } from "../account/signed-in.ts"
import { ownPage } from "./own-page.ts"

export const showSecurity = ownPage("/account/security", async (site, reply, own) => {
  const { latchkey } = site
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
