/** Revocation by an app: RFC 7009. The app is authenticated before the token is checked. */
import { decided } from "../../records/change.rules.ts"
import type { FullToken } from "./presented-token.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { decideRevocation } from "./revoke.rules.ts"
import { type PresentedToken, readAccessToken, readRefreshToken } from "./token.ts"
import { authenticated, withAssertion } from "../clients/authenticate-client.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import { spendAssertion } from "../clients/spent-assertion.rules.ts"
import type { Services } from "../../services/services.ts"

/** Revokes the credential of a token. Refuses: every reason of client authentication; tokenOfAnotherClient. */
export async function revoke(
  { store, clock }: Pick<Services, "store" | "clock">,
  caller: Caller,
  text: string,
  address: string,
): Promise<Result<null, Refusal>> {
  const access = readAccessToken(text)
  const refresh = access === null ? readRefreshToken(text) : null
  const presented: PresentedToken | null = access ?? refresh
  const token: FullToken | null =
    access !== null
      ? { kind: "access", token: access }
      : refresh !== null
        ? { kind: "refresh", token: refresh }
        : null
  const now = clock.now()
  return store.change(
    withAssertion(caller, {
      client: caller.presented.clientId,
      credential: presented?.tokenId ?? null,
      serviceToken: access?.hash ?? null,
    }),
    ({ client, credential, serviceToken, spentAssertion }) => {
      const known = authenticated(client, caller, now)
      if (!known.ok) return decided<Result<null, Refusal>>(known)
      const judged = decideRevocation({ client: known.value, credential, token, serviceToken, now, address })
      return spendAssertion(caller, spentAssertion, judged, (again) => again)
    },
  )
}
