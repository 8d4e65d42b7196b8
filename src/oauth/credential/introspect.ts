/** Introspection for resource servers: RFC 7662. Live reach, or `{"active": false}` and nothing else. */
import type { Client } from "../../records/client.rules.ts"
import { introspection, type Introspection } from "./introspection.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { readAccessToken } from "./token.ts"
import { bearerLoad, judgeBearer } from "./bearer.ts"
import { authenticateCaller, authenticated, type Caller } from "../clients/authenticate-client.ts"
import type { Services } from "../../services/services.ts"

/**
 * The caller is authenticated before the token is checked. All rows are read at once. The extra read tells a caller
 * without authentication nothing, because only the whole token finds the row.
 * Refuses: what client authentication refuses; notAResourceServer.
 */
export async function introspect(
  services: Pick<Services, "store" | "clock" | "catalogue" | "issuer" | "tallies">,
  caller: Caller,
  text: string,
): Promise<Result<Introspection, Refusal>> {
  const token = readAccessToken(text)
  const now = services.clock.now()
  const load = { client: caller.presented.clientId, ...bearerLoad(token?.tokenId ?? null) }
  const found = await services.store.read(load)
  const known = asResourceServer(authenticated(found.client, caller, now))
  if (!known.ok) return known
  const judged = token === null ? null : judgeBearer(services, token, found, now)
  const bearer = judged instanceof Promise ? await judged : judged
  services.tallies.count("introspection.answered", known.value.clientId)
  return ok(introspection(bearer?.ok === true ? bearer.value : null, services.issuer))
}

/** The app that asks. Refuses: what client authentication refuses; notAResourceServer. */
export async function resourceServer(
  services: Pick<Services, "store" | "clock">,
  caller: Caller,
): Promise<Result<Client, Refusal>> {
  return asResourceServer(await authenticateCaller(services, caller))
}

function asResourceServer(known: Result<Client, Refusal>): Result<Client, Refusal> {
  if (known.ok && !known.value.resourceServer) return err({ reason: "notAResourceServer" })
  return known
}
