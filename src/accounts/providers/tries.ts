/**
 * Counts the sign-ins through providers that browsers begin and bring back: UP-5.
 *
 * A browser that has signed in here before has its own counter, so that strangers behind its address cannot keep it out.
 * The addresses of a wide network also share one, so that no network uses up the requests to a provider.
 */
import { digest } from "../../kernel/hash.ts"
import { PROVIDER_TRIES } from "../../kernel/account-limits.ts"
import { networkOf, wideNetworkOf } from "../../kernel/network.ts"
import type { Result } from "../../kernel/result.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Spent, SpentAll } from "../../store/limits.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

type Step = "start" | "return"

export type Visitor = { readonly address: string; readonly browserSecret: string }

export async function countTry(
  { store, guesses }: Pick<Services, "store" | "guesses">,
  step: Step,
  visitor: Visitor,
): Promise<SpentAll> {
  const { anyKnownBrowser } = await store.read({ anyKnownBrowser: digest(visitor.browserSecret) })
  const { ofBrowser, ofAddress } = countersOf(step, visitor)
  return guesses.spendAll(anyKnownBrowser === null ? ofAddress : ofBrowser)
}

function countersOf(step: Step, { address, browserSecret }: Visitor) {
  const { one, network } = PROVIDER_TRIES
  return {
    ofBrowser: [{ key: `provider browser:${step} ${digest(browserSecret)}`, limit: one }],
    ofAddress: [
      { key: `provider address:${step} ${networkOf(address)}`, limit: one },
      { key: `provider network:${step} ${wideNetworkOf(address)}`, limit: network },
    ],
  }
}

/** Runs requests to a provider. If it does not answer, the response is 503, and no try of the person. */
export async function askCounted<T>(
  spent: Extract<SpentAll, { admitted: true }>,
  ask: () => Promise<Result<T, UpstreamFailure>>,
): Promise<Result<T, UpstreamFailure>> {
  const answer = await checkCounted(spent, ask)
  if (!answer.ok && ["unreachable", "busy"].includes(answer.error.kind)) await spent.giveBack()
  return answer
}

/** Gives back what the visitor counted. A sealed list may be forged, so other counters in it are left alone. */
export async function giveBackTries(
  { guesses }: Pick<Services, "guesses">,
  counted: readonly Spent[],
  visitor: Visitor,
): Promise<void> {
  const counters = (["start", "return"] as const).flatMap((step) =>
    Object.values(countersOf(step, visitor)).flat(),
  )
  const own = new Set(counters.map(({ key }) => key))
  await guesses.giveBack(counted.filter(({ key }) => own.has(key)))
}
