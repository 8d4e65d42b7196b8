/** `client_credentials`: RFC 6749 §4.4. One change authenticates the app, checks its binding and stores the token. */
import { decided } from "../../../model/change.rules.ts"
import type { Result } from "../../../kernel/result.ts"
import { randomSecret } from "../../../kernel/random.ts"
import type { Services } from "../../../platform/services/services.ts"
import { authenticated, withAssertion } from "../../clients/authenticate-client.ts"
import type { Caller } from "../../clients/client-authentication.rules.ts"
import { spendAssertion } from "../../clients/spent-assertion.rules.ts"
import type { ServiceTokenResponse } from "../../credential/token-response.rules.ts"
import { accessToken } from "../../credential/token.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { type ClientCredentialsRequest, decideClientCredentials } from "./client-credentials.rules.ts"

/** Issues an access token. Refuses: every reason of client authentication and of `decideClientCredentials`. */
export async function issueServiceToken(
  {
    store,
    clock,
    catalog,
    settings,
    tallies,
    resources: { spellingOf, jwtOf },
  }: Pick<Services, "store" | "clock" | "catalog" | "settings" | "tallies" | "resources">,
  caller: Caller,
  request: ClientCredentialsRequest,
): Promise<Result<ServiceTokenResponse, Refusal>> {
  const { clientId } = caller.presented
  const { accessSeconds } = await settings.current()
  const now = clock.now()
  const secret = randomSecret()
  const answer = await store.change(
    withAssertion(caller, { client: clientId, boundCredential: clientId, boundAccount: clientId }),
    (found) => {
      const { client, boundCredential, boundAccount } = found
      const known = authenticated(client, caller, now)
      if (!known.ok) return decided<Result<ServiceTokenResponse, Refusal>>(known)
      const bound = { client: known.value, credential: boundCredential, account: boundAccount }
      const judged = decideClientCredentials(catalog, bound, request, {
        now,
        accessSeconds,
        spellingOf,
        jwtOf,
        accessToken: (tokenId, familyKey) => accessToken(tokenId, secret, familyKey),
      })
      return spendAssertion(caller, found, judged)
    },
  )
  if (answer.ok) tallies.count("service-token.issued", clientId)
  return answer
}
