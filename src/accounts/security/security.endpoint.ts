/** GET /account/security: the security page of an account. */
import { type Factor, isSecondFactor } from "../../model/factor.rules.ts"
import { type Account, hasPassword } from "../../model/account.rules.ts"
import { isIssuerOf } from "../../model/sign-in/provider.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { providerViews } from "../factors/provider-buttons.view.ts"
import type { ConnectionsInput } from "../providers/connections.view.ts"
import { renderSecurity } from "./security.view.ts"
import { factorsOf } from "../factors/factor.ts"
import { relyingPartyId } from "../factors/offered.ts"
import { emailOf } from "../email/email.ts"
import { isAdmitted, onlyApplication } from "../sessions/session.rules.ts"
import { browsersOf } from "../sessions/sessions.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { accountPage } from "../guards/account-page.ts"

export const showSecurity = accountPage("/account/security", async (context, reply, request) => {
  const { services } = context
  const { signedIn } = request
  const factors = await factorsOf(services, signedIn.account.userId)
  const email = await emailOf(services, signedIn.account)
  return sendAccountPage(context, reply, request, 200, renderSecurity, {
    factors: factors.filter(isSecondFactor),
    recovery: recoveryOf(factors),
    offersPasskeys: relyingPartyId(services.issuer) !== null,
    hasPassword: hasPassword(signedIn.account),
    hasOwnSignIn: isAdmitted(signedIn.account, services.providers),
    connections: await connectionsOf(services, signedIn.account),
    email: services.mail === null && email === null ? undefined : (email?.address ?? null),
    browsers: (await browsersOf(services, signedIn)).length,
  })
})

async function connectionsOf(services: Services, account: Account): Promise<ConnectionsInput> {
  const { userId } = account
  const only = isAdmitted(account, services.providers) ? null : onlyApplication(services.providers)
  const { identities } = await services.store.read({ identities: userId })
  const linked = (identities ?? []).toSorted((a, b) => a.linkedAt - b.linkedAt)
  const connections = linked.map(({ identityHash, issuer, provider, shownName, linkedAt }) => {
    const label = services.providers.get(provider)?.label ?? provider
    const isOffered = [...services.providers.values()].some((one) => isIssuerOf(one, issuer))
    return { identityHash, label, shownName, linkedAt, isOffered, isOnly: provider === only?.name }
  })
  const names = new Set(linked.map(({ provider }) => provider))
  const others = only === null ? providerViews(services).filter(({ name }) => !names.has(name)) : []
  return { connections, providers: others }
}

function recoveryOf(factors: readonly Factor[]) {
  const recovery = factors.find((factor) => factor.kind === "recovery")
  return recovery === undefined ? null : { left: recovery.codes.length, madeAt: recovery.addedAt }
}
