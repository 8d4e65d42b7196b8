/**
 * Keeps the ceiling of every client with a document equal to the setting `registration.permissions`. Tokens, device
 * codes and consents read the stored ceiling. CD-9.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import { decided } from "../../model/change.rules.ts"
import type { Services } from "../../platform/services/services.ts"

/** The number of clients that are changed at the same time. */
const BATCH = 100

type Ceiling = ReturnType<typeof openCeiling>

/** Returns the function that housekeeping calls in each round. It does nothing until the permissions change. */
export function documentCeilings({
  store,
  settings,
  catalog,
}: Pick<Services, "store" | "settings" | "catalog">): () => Promise<void> {
  let known: string | null = null
  const apply = (clientId: ClientId, ceiling: Ceiling) =>
    store.change({ client: clientId }, ({ client }) =>
      client === null || client.ceiling.join(" ") === ceiling.join(" ")
        ? decided(null)
        : decided(null, { change: "clientChanged", client: { ...client, ceiling } }),
    )
  return async () => {
    const ceiling = openCeiling(catalog, (await settings.current()).openPermissions)
    const names = ceiling.join(" ")
    if (names === known) return
    let after: ClientId | undefined
    do {
      const page = { limit: BATCH, ...(after !== undefined && { after }) }
      const clients = await store.clients(page, { registeredBy: "document" })
      await Promise.all(clients.map(({ clientId }) => apply(clientId, ceiling)))
      after = clients.length < BATCH ? undefined : clients.at(-1)?.clientId
    } while (after !== undefined)
    known = names
  }
}
