/**
 * Counts the sign-ins through providers that browsers begin and bring back: UP-5.
 *
 * A browser that has signed in here before has its own counter, so that strangers behind its address cannot keep it out.
 * The addresses of a wide network also share one, so that no network uses up the requests to a provider.
 */
import { digest } from "../../kernel/hash.ts"
import { PROVIDER_TRIES } from "../../kernel/limits.ts"
import { networkOf, wideNetworkOf } from "../../kernel/network.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Spent } from "../../store/store.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

/** A provider that does not answer is a 503, and no try of the person. */
export async function giveBackUnanswered(
  { guesses }: Pick<Services, "guesses">,
  { kind }: UpstreamFailure,
  spent: readonly Spent[],
): Promise<void> {
  if (kind === "unreachable" || kind === "busy") await guesses.giveBack(spent)
}

export async function countTry(
  { store, guesses }: Pick<Services, "store" | "guesses">,
  step: "start" | "return",
  { address, browserSecret }: { readonly address: string; readonly browserSecret: string },
) {
  const browserHash = digest(browserSecret)
  const { anyKnownBrowser } = await store.read({ anyKnownBrowser: browserHash })
  const { one, network } = PROVIDER_TRIES
  return guesses.spendAll(
    anyKnownBrowser === null
      ? [
          { key: `provider address:${step} ${networkOf(address)}`, limit: one },
          { key: `provider network:${step} ${wideNetworkOf(address)}`, limit: network },
        ]
      : [{ key: `provider browser:${step} ${browserHash}`, limit: one }],
  )
}
