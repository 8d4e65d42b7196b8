/** Revocation by an app: RFC 7009. The app is authenticated before the token is read. */
import { decided } from "../../records/change.rules.ts"
import type { FullToken } from "./presented-token.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { decideRevocation } from "./revoke.rules.ts"
import { type PresentedToken, readAccessToken, readRefreshToken } from "./token.ts"
import { authenticated, type Caller } from "../clients/authenticate-client.ts"
import type { Services } from "../../services/services.ts"

/** Refuses: what client authentication refuses; tokenOfAnotherClient. */
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
    { client: caller.presented.clientId, credential: presented?.tokenId ?? null },
    ({ client, credential }) => {
      const known = authenticated(client, caller, now)
      if (!known.ok) return decided<Result<null, Refusal>>(known)
      return decideRevocation({ client: known.value, credential, token, now, address })
    },
  )
}
