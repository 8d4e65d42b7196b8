/** Revocation by an app: RFC 7009. The app is authenticated before the token is checked. */
import { decided } from "../../model/change.rules.ts"
import type { FullToken } from "./presented-token.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { findImported } from "./imported-token.ts"
import { decideImportedRevocation, decideRevocation } from "./revoke.rules.ts"
import { type PresentedToken, readRefreshToken } from "./token.ts"
import { authenticated, withAssertion } from "../clients/authenticate-client.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import { spendAssertion } from "../clients/spent-assertion.rules.ts"
import type { JwtNeeds } from "../jwt/access-token.ts"
import { readBearer } from "./bearer.ts"

/** Revokes the credential of a token. Refuses: every reason of client authentication; tokenOfAnotherClient. */
export async function revoke(
  services: JwtNeeds,
  caller: Caller,
  text: string,
  address: string,
): Promise<Result<null, Refusal>> {
  const { store, clock, keys } = services
  const read = readBearer(services, text)
  const access = read instanceof Promise ? await read : read
  const refreshToken = access === null ? readRefreshToken(text) : null
  const found = access === null && refreshToken === null ? await findImported({ store, keys }, text) : null
  const refresh = refreshToken ?? found?.token ?? null
  const presented: PresentedToken | null = access ?? refresh
  const token: FullToken | null =
    access !== null
      ? "isSigned" in access
        ? { kind: "jwt", token: access }
        : { kind: "access", token: access }
      : refresh !== null
        ? { kind: "refresh", token: refresh }
        : null
  const now = clock.now()
  return store.change(
    withAssertion(caller, {
      client: caller.presented.clientId,
      credential: presented?.tokenId ?? null,
      serviceToken: access?.hash ?? null,
      importedToken: found?.imported.hash ?? null,
    }),
    (rows) => {
      const { client, credential, serviceToken, importedToken } = rows
      const known = authenticated(client, caller, now)
      if (!known.ok) return decided<Result<null, Refusal>>(known)
      const input = { client: known.value, credential, token, serviceToken, now, address }
      const judged =
        credential === null && importedToken !== null
          ? decideImportedRevocation(known.value, importedToken, now)
          : decideRevocation(input)
      return spendAssertion(caller, rows, judged, (again) => again)
    },
  )
}
