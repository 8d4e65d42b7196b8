/** Gives a client the ceiling of the setting `registration.permissions` at once. Interface CD-9, REG-4. */
import { decided } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { withOpenCeiling } from "../../model/clients/open-ceiling.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import type { Settings } from "../../model/setting.rules.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store" | "catalog" | "settings">

/** Returns the client with `ceiling` if it follows the setting. Writes only if the ceiling changes. */
export async function storeOpenCeiling(
  { store }: Pick<Needs, "store">,
  client: Client,
  ceiling: ReturnType<typeof openCeiling>,
): Promise<Client> {
  if (withOpenCeiling(client, ceiling) === client) return client
  return store.change({ client: client.clientId }, ({ client: found }) => {
    if (found === null) return decided(client)
    const after = withOpenCeiling(found, ceiling)
    return after === found ? decided(after) : decided(after, { change: "clientChanged", client: after })
  })
}

/** Returns the client with the ceiling of these settings, without a write. A client that follows none costs nothing. */
export function withCeilingOf({ openPermissions }: Settings, catalog: Catalog, client: Client): Client {
  const isOpen = client.registeredBy === "itself" || client.registeredBy === "document"
  return isOpen ? withOpenCeiling(client, openCeiling(catalog, openPermissions)) : client
}

/** Returns the client with the ceiling of the setting as it is now, if the client follows it. */
export async function withCurrentCeiling(services: Needs, client: Client): Promise<Client> {
  if (client.registeredBy !== "itself") return client
  const { openPermissions } = await services.settings.current()
  return storeOpenCeiling(services, client, openCeiling(services.catalog, openPermissions))
}
