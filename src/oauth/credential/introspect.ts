/** Introspection: RFC 7662. */
import type { Client } from "../../model/clients/client.rules.ts"
import type { Account } from "../../model/account.rules.ts"
import { applicationUsers, introspection, type Introspection, mayBeLinked } from "./introspection.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { bearerLoad, judgeBearer, readBearer } from "./bearer.ts"
import { authenticateCaller, authenticated } from "../clients/authenticate-client.ts"
import type { JwtNeeds } from "../jwt/access-token.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import type { Services } from "../../platform/services/services.ts"

/**
 * Introspects a token. One read loads the client and the rows of the token. The client is authenticated first, so a
 * caller without valid credentials learns nothing about the token. Only where the configuration has an application, a
 * second read loads the links of the account. Refuses: every reason of client authentication; notAResourceServer.
 */
export async function introspect(
  services: JwtNeeds & Pick<Services, "catalog" | "providers" | "tallies" | "resources">,
  caller: Caller,
  text: string,
): Promise<Result<Introspection, Refusal>> {
  if (caller.proof !== null) {
    const spent = await authenticateCaller(services, caller, asResourceServer)
    if (!spent.ok) return spent
  }
  const read = readBearer(services, text)
  const token = read instanceof Promise ? await read : read
  const now = services.clock.now()
  const found = await services.store.read(bearerLoad(token, caller.presented.clientId))
  const known = asResourceServer(authenticated(found.client, caller, now))
  if (!known.ok) return known
  const judged = token === null ? null : judgeBearer(services, token, found, now)
  const bearer = judged instanceof Promise ? await judged : judged
  services.tallies.count("introspection.answered", known.value.clientId)
  const active = bearer?.ok === true ? bearer.value : null
  const users =
    active !== null && mayBeLinked(active.account, services.providers)
      ? await usersOf(services, active.account)
      : []
  return ok(introspection(active, services.issuer, services.resources.spellingOf, users))
}

async function usersOf({ store, providers }: Pick<Services, "store" | "providers">, { userId }: Account) {
  const { identities } = await store.read({ identities: userId })
  return applicationUsers(providers, identities ?? [])
}

/** Refuses: notAResourceServer. Such a client stores nothing, because no rate limit counts introspections. */
export function asResourceServer(known: Result<Client, Refusal>): Result<Client, Refusal> {
  if (known.ok && !known.value.resourceServer) return err({ reason: "notAResourceServer" })
  return known
}
