/** Reads a client by its client_id. Inside a change, rules call `resolveClient` on the loaded row instead. */
import type { ClientId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { resolveClient } from "./resolve.rules.ts"

type Needs = Pick<Services, "store" | "clock">

export async function readClient({ store, clock }: Needs, clientId: ClientId): Promise<Client | null> {
  const { client } = await store.read({ client: clientId })
  return resolveClient(client, clock.now())
}
