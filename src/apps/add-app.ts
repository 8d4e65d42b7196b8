/** Registers an app for its owner or for an administrator. Self-registration is in `oauth/registration`. */
import { type Decided, decided } from "../model/change.rules.ts"
import type { Icon } from "../model/clients/client.rules.ts"
import { OWN_APPS_AT_MOST } from "../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { Services } from "../platform/services/services.ts"
import {
  type AppWithSecret,
  type Manager,
  newBinding,
  noAccount,
  OWNER_GONE,
  SERVICE_ACCOUNT_GONE,
} from "./app.ts"
import { addedApp } from "./app-writes.rules.ts"
import { bindingProblem, decideBinding } from "../oauth/credential/binding.rules.ts"
import { newClient } from "./new-client.ts"
import { parseAppRegistration } from "./own-app.rules.ts"
import type { RegistrationInput } from "../model/clients/registration.rules.ts"
import { keysProblem } from "../oauth/clients/verification-key.ts"
import { findAccount } from "../accounts/find-account.ts"

export type NewApp = RegistrationInput & {
  /** The name of the owner. Only administrators set it. */
  readonly ownerName?: string | null | undefined
  /** The name of the service account that an administrator binds the app to. */
  readonly serviceAccountName?: string | null | undefined
  /**
   * The result of `drawIcon`. The caller draws the icon first, so that an invalid picture prevents the registration.
   */
  readonly icon?: Icon | null
}

/**
 * Registers an app. The result is the only place with the secret of a confidential app, because the database stores a
 * digest.
 */
export async function addApp(
  services: Pick<Services, "store" | "clock" | "catalog">,
  input: NewApp,
  by: Manager,
): Promise<Result<AppWithSecret, Problem>> {
  const { store, clock, catalog } = services
  const { owner, ...from } = by
  const registration = parseAppRegistration(catalog, input, owner)
  if (!registration.ok) return registration
  const problem = await keysProblem(registration.value.keys)
  if (problem !== null) return err(problem)
  const { ownerName = null, serviceAccountName = null, icon = null } = input
  const named = owner !== null || ownerName === null ? ok(owner) : await findAccount(services, ownerName)
  if (!named.ok) return named
  const bound =
    owner !== null || serviceAccountName === null ? ok(null) : await findAccount(services, serviceAccountName)
  if (!bound.ok) return bound
  const [ownerId, serviceAccountId] = [named.value?.userId ?? null, bound.value?.userId ?? null]
  const registrar = {
    registeredBy: owner === null ? "administrator" : "user",
    ownerId,
    iconHash: icon?.hash ?? null,
  } as const
  const now = clock.now()
  const { client: unbound, secret } = newClient(registration.value, registrar, now)
  const fresh = newBinding(now, from)
  return store.change(
    { account: ownerId, ownedApps: owner?.userId ?? null, serviceAccount: serviceAccountId },
    ({ account, ownedApps, serviceAccount }): Decided<Result<AppWithSecret, Problem>> => {
      if (owner !== null && account?.enabled !== true) return decided(noAccount)
      if (owner !== null && (ownedApps?.count ?? 0) >= OWN_APPS_AT_MOST) return decided(tooMany)
      if (ownerId !== null && account === null) return decided(err(OWNER_GONE))
      if (serviceAccountId !== null && serviceAccount === null) return decided(err(SERVICE_ACCOUNT_GONE))
      const notBindable = bindingProblem(unbound, serviceAccount)
      if (notBindable !== null) return decided(err(notBindable))
      const { binding, changes } = decideBinding(unbound, null, serviceAccount, fresh)
      const client = { ...unbound, binding }
      return decided(
        ok({ client, owner: account, serviceAccount, secret }),
        ...addedApp(client, icon, now, from),
        ...changes,
      )
    },
  )
}

const tooMany = err(
  `An account has at most ${OWN_APPS_AT_MOST} apps. Remove one that is not needed any more.`,
)
