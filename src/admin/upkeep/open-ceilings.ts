/**
 * Keeps the ceilings of clients with a document and of self-registered apps equal to the setting
 * `registration.permissions`. Tokens, device codes and consents read the stored ceiling. CD-9, REG-4.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { ClientId } from "../../kernel/ids.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import { withOpenCeiling } from "../../model/clients/open-ceiling.rules.ts"
import { storeOpenCeiling } from "../../oauth/clients/open-ceiling.ts"
import type { Services } from "../../platform/services/services.ts"

/** The number of clients that are read, and changed at the same time. */
const BATCH = 100

/** During this pause between two batches, requests run. There may be a hundred thousand self-registered apps. */
const PAUSE_MILLISECONDS = 5

type Needs = Pick<Services, "store" | "settings" | "catalog">
type Ceiling = ReturnType<typeof openCeiling>

/** Returns the function that housekeeping calls in each round. It does nothing until the permissions change. */
export function openCeilings({ store, settings, catalog }: Needs): () => Promise<void> {
  let known: string | null = null
  return async () => {
    const ceiling = openCeiling(catalog, (await settings.current()).openPermissions)
    const names = ceiling.join(" ")
    if (names === known) return
    for (const registeredBy of ["document", "itself"] as const) await follow(store, registeredBy, ceiling)
    known = names
  }
}

async function follow(
  store: Needs["store"],
  registeredBy: "document" | "itself",
  ceiling: Ceiling,
): Promise<void> {
  let after: ClientId | undefined
  do {
    const page = { limit: BATCH, ...(after !== undefined && { after }) }
    const clients = await store.clients(page, { registeredBy })
    const others = clients.filter((client) => withOpenCeiling(client, ceiling) !== client)
    await Promise.all(others.map((client) => storeOpenCeiling({ store }, client, ceiling)))
    after = clients.length < BATCH ? undefined : clients.at(-1)?.clientId
    if (after !== undefined) await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
  } while (after !== undefined)
}
