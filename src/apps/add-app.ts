/** Registering an app, by its owner or by an administrator. An app that registers itself: `oauth/registration`. */
import { type Decided, decided } from "../records/change.rules.ts"
import type { Icon } from "../records/client.rules.ts"
import { OWN_APPS_AT_MOST } from "../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { Services } from "../services/services.ts"
import { type AppWithSecret, type Manager, noAccount, OWNER_GONE, recordedApp } from "./app.ts"
import { addedClient, newClient } from "./new-client.ts"
import { type AskedApp, parseAppRegistration } from "./own-app.rules.ts"
import { findAccount } from "../accounts/find-account.ts"

export type NewApp = AskedApp & {
  /** The account that an administrator names as the owner. */
  readonly ownerName?: string | null | undefined
  /** Made by `drawIcon`, so that a broken picture registers nothing. */
  readonly icon?: Icon | null
}

/** Registers an app. The secret of a confidential one is stored as a digest; it is known only here. */
export async function addApp(
  services: Pick<Services, "store" | "clock" | "catalogue">,
  asked: NewApp,
  by: Manager,
): Promise<Result<AppWithSecret, Problem>> {
  const { store, clock, catalogue } = services
  const { owner, ...from } = by
  const registration = parseAppRegistration(catalogue, asked, owner)
  if (!registration.ok) return registration
  const { ownerName = null, icon = null } = asked
  const named = owner !== null || ownerName === null ? ok(owner) : await findAccount(services, ownerName)
  if (!named.ok) return named
  const ownerId = named.value?.userId ?? null
  const registrar = {
    registeredBy: owner === null ? "administrator" : "user",
    ownerId,
    iconHash: icon?.hash ?? null,
  } as const
  const now = clock.now()
  const { client, secret } = newClient(registration.value, registrar, now)
  return store.change(
    { account: ownerId, ownedApps: owner?.userId ?? null },
    ({ account, ownedApps }): Decided<Result<AppWithSecret, Problem>> => {
      if (owner !== null && account?.enabled !== true) return decided(noAccount)
      if (owner !== null && (ownedApps?.count ?? 0) >= OWN_APPS_AT_MOST) return decided(tooMany)
      if (ownerId !== null && account === null) return decided(err(OWNER_GONE))
      return decided(
        ok({ client, owner: account, secret }),
        ...addedClient(client, icon),
        recordedApp("app-registered", client, now, from),
      )
    },
  )
}

const tooMany = err(
  `An account has at most ${OWN_APPS_AT_MOST} apps. Remove one that is not needed any more.`,
)
