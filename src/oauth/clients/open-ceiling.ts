/** Gives a client the ceiling of the setting `registration.permissions` at once. Interface CD-9, REG-4. */
import { decided } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { followsSetting, withOpenCeiling } from "../../model/clients/open-ceiling.rules.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import type { Services } from "../../platform/services/services.ts"

/** Returns the client with `ceiling` if it follows the setting. Writes only if the ceiling changes. */
export async function storeOpenCeiling(
  { store }: Pick<Services, "store">,
  client: Client,
  ceiling: Client["ceiling"],
): Promise<Client> {
  if (withOpenCeiling(client, ceiling) === client) return client
  return store.change({ client: client.clientId }, ({ client: found }) => {
    if (found === null) return decided(client)
    const after = withOpenCeiling(found, ceiling)
    return after === found ? decided(after) : decided(after, { change: "clientChanged", client: after })
  })
}

/** Does the same with the setting as it is now. An app that does not follow the setting costs nothing. */
export async function withCurrentCeiling(
  services: Pick<Services, "store" | "catalog" | "settings">,
  client: Client,
): Promise<Client> {
  if (!followsSetting(client)) return client
  const { openPermissions } = await services.settings.current()
  return storeOpenCeiling(services, client, openCeiling(services.catalog, openPermissions))
}
