/** What a browser brings back from a provider. It is read before its sign-in is known, and checked afterwards. */
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { SignInProvider } from "../../../model/sign-in/provider.rules.ts"
import type { Services } from "../../../platform/services/services.ts"
import { challengeIn, checkAssertion, parseAssertion } from "./assertion.ts"
import { type Arrived, exchange, type Flow } from "../upstream/upstream.ts"
import { errorAnswer, type UpstreamFailure } from "../upstream/upstream-failure.ts"

type Answer = {
  /** Finds the sign-in. */
  readonly state: string
  readonly check: (flow: Flow) => Promise<Result<Arrived, UpstreamFailure>>
}

export function answerIn(
  services: Services,
  provider: SignInProvider,
  parameters: URLSearchParams,
): Result<Answer, UpstreamFailure> {
  if (provider.preset !== "application") {
    const state = parameters.get("state") ?? ""
    return ok({ state, check: (flow) => exchange(services, provider, parameters, flow) })
  }
  const error = parameters.get("error")
  if (error !== null) {
    const state = parameters.get("challenge") ?? ""
    return ok({ state, check: () => Promise.resolve(err(errorAnswer(error))) })
  }
  const statement = parseAssertion(parameters)
  if (!statement.ok) return statement
  const check = () => checkAssertion(services, provider, statement.value)
  return ok({ state: challengeIn(statement.value), check })
}
