/**
 * Warns at the start of permissions that apps name and the catalog lacks, of those that keep OpenID Connect off, and of
 * groups that the catalog names and that do not exist: a misplaced configuration file would otherwise show only in refused requests.
 */
import type { ClientId, Permission } from "../../kernel/ids.ts"
import { settings } from "../../model/setting.rules.ts"
import type { Services } from "../../platform/services/services.ts"

const BATCH = 500
const NAMED_AT_MOST = 20

type Needs = Pick<Services, "store" | "catalog" | "log">

/** Reads the apps that administrators and users registered. The ceilings of the others follow a setting. */
export async function warnOfUnknownPermissions({ store, catalog, log }: Needs): Promise<void> {
  const unknown = new Map<Permission, ClientId>()
  for (const registeredBy of ["administrator", "user"] as const) {
    let after: ClientId | undefined
    do {
      const page = { limit: BATCH, ...(after !== undefined && { after }) }
      const clients = await store.clients(page, { registeredBy })
      for (const { clientId, ceiling } of clients)
        for (const name of ceiling) if (!catalog.has(name) && !unknown.has(name)) unknown.set(name, clientId)
      after = clients.length < BATCH ? undefined : clients.at(-1)?.clientId
    } while (after !== undefined && unknown.size < NAMED_AT_MOST)
  }
  if (unknown.size === 0) return
  const named = [...unknown].slice(0, NAMED_AT_MOST)
  log.warn(
    { permissions: named.map(([name]) => name), apps: [...new Set(named.map(([, clientId]) => clientId))] },
    "apps are registered with permissions that this node does not define, so no person can consent to them. Does it read " +
      "the right configuration file?",
  )
}

export async function warnOfUnknownGroups({ store, catalog, log }: Needs): Promise<void> {
  const groups: string[] = []
  for (const name of new Set([...catalog.values()].flatMap(({ forGroups }) => forGroups)))
    if ((await store.read({ group: name })).group === null) groups.push(name)
  if (groups.length > 0)
    log.warn(
      { groups },
      "for_groups names groups that do not exist, and they admit no account. Add each: group add NAME",
    )
}

/** The setting may have been turned on before the configuration file defined such a permission. */
export async function warnOfOpenidConflict({ store, catalog, log }: Needs): Promise<void> {
  const { setting } = await store.read({ setting: settings.openid.key })
  const problem = setting?.value === "on" ? settings.openid.check?.("on", catalog) : null
  if (typeof problem === "string") log.warn({ problem }, "openid.enabled is on, but OpenID Connect is off")
}
