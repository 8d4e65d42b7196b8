/** Reads a client by its client_id, outside a change. Inside one, the rules call `resolveClient` on the loaded row. */
import type { ClientId } from "../../kernel/ids.ts"
import type { Result } from "../../kernel/result.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Services } from "../../services/services.ts"
import type { Refusal } from "../refusal.rules.ts"
import { resolveClient, resolveEnabledClient } from "./resolve.rules.ts"

type Needs = Pick<Services, "store" | "clock">

export async function readClient({ store, clock }: Needs, clientId: ClientId): Promise<Client | null> {
  const { client } = await store.read({ client: clientId })
  return resolveClient(client, clock.now())
}

/** Refuses: clientUnknown, clientDisabled. */
export async function readEnabledClient(
  { store, clock }: Needs,
  clientId: ClientId,
): Promise<Result<Client, Refusal>> {
  const { client } = await store.read({ client: clientId })
  return resolveEnabledClient(client, clock.now())
}
