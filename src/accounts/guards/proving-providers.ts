import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "../sessions/session.ts"
import { type ProviderButton, providerViews } from "../factors/provider-buttons.view.ts"
import { canProve } from "./proving-provider.rules.ts"

/** Returns the providers with which the account can prove itself by signing in there again. */
export async function provingProviders(
  { store, providers }: Pick<Services, "store" | "providers">,
  { account: { userId } }: Pick<SignedIn, "account">,
  purpose: Parameters<typeof canProve>[2],
): Promise<readonly ProviderButton[]> {
  const account = await store.read({ identities: userId, factors: userId })
  const able = [...providers].filter(([, provider]) => canProve(provider, account, purpose))
  return providerViews({ providers: new Map(able) })
}
