/** Introspection for resource servers: RFC 7662. Live reach, or `{"active": false}` and nothing else. */
import type { Client } from "../core/client.ts"
import { introspection, type Introspection } from "../core/introspection.ts"
import { accept, refuse, type Result } from "../core/result.ts"
import { checkBearer } from "./bearer.ts"
import { authenticated, type Caller } from "./client.ts"
import type { Latchkey } from "./latchkey.ts"

/** Who asks, before the token is read. Refuses: what client authentication refuses; notAResourceServer. */
export async function introspect(
  latchkey: Pick<Latchkey, "store" | "clock" | "catalogue" | "issuer" | "tallies">,
  caller: Caller,
  text: string,
): Promise<Result<Introspection>> {
  const known = await resourceServer(latchkey, caller)
  if (!known.ok) return known
  const bearer = await checkBearer(latchkey, text)
  latchkey.tallies.count("introspection.answered", known.value.clientId)
  return accept(introspection(bearer.ok ? bearer.value : null, latchkey.issuer))
}

/** The app that asks. Refuses: what client authentication refuses; notAResourceServer. */
export async function resourceServer(
  { store, clock }: Pick<Latchkey, "store" | "clock">,
  caller: Caller,
): Promise<Result<Client>> {
  const { client } = await store.read({ client: caller.presented.clientId })
  const known = authenticated(client, caller, clock.now())
  if (known.ok && !known.value.resourceServer) return refuse({ reason: "notAResourceServer" })
  return known
}
