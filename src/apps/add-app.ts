/** Registers an app for its owner or for an administrator. Self-registration is in `oauth/registration`. */
import { type Decided, decided } from "../model/change.rules.ts"
import type { ClientId } from "../kernel/ids.ts"
import { digest } from "../kernel/hash.ts"
import {
  type ChosenClient,
  chosenSecretProblem,
  parseChosenId,
  withoutSecret,
} from "../model/clients/chosen-client.rules.ts"
import { parseClientId } from "../oauth/clients/resolve.rules.ts"
import { keyList } from "../store/loadable.ts"
import type { Icon } from "../model/clients/client.rules.ts"
import { OWN_APPS_AT_MOST } from "../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { Services } from "../platform/services/services.ts"
import {
  type AppWithSecret,
  findNamed,
  type Manager,
  newBinding,
  noAccount,
  OWNER_GONE,
  SERVICE_ACCOUNT_GONE,
} from "./app.ts"
import { decideNewApp } from "./app-writes.rules.ts"
import { newClient } from "./new-client.ts"
import { parseAppRegistration } from "./own-app.rules.ts"
import type { RegistrationInput } from "../model/clients/registration.rules.ts"
import { keysProblem } from "../platform/statements/verification-key.ts"
import { unknownGroupIn } from "../accounts/groups/groups.ts"

export type NewApp = RegistrationInput & {
  /** The name of the owner. Only administrators set it. */
  readonly ownerName?: string | null | undefined
  /** The name of the service account that an administrator binds the app to. */
  readonly serviceAccountName?: string | null | undefined
  /**
   * The result of `drawIcon`. The caller draws the icon first, so that an invalid picture prevents the registration.
   */
  readonly icon?: Icon | null
  /** What an administrator chose. */
  readonly chosen?: ChosenClient
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
  const missing = await unknownGroupIn(services, registration.value.groups)
  if (missing !== null) return err(missing.problem)
  const { ownerName = null, serviceAccountName = null, icon = null, chosen = nothing } = input
  const own =
    chosen.secret === null ? null : (withoutSecret(registration.value) ?? chosenSecretProblem(chosen.secret))
  if (own !== null) return err(own)
  const named = owner === null ? await findNamed(services, ownerName) : ok(owner)
  if (!named.ok) return named
  const bound = await findNamed(services, owner === null ? serviceAccountName : null)
  if (!bound.ok) return bound
  const [ownerId, serviceAccountId] = [named.value?.userId ?? null, bound.value?.userId ?? null]
  const registrar = {
    registeredBy: owner === null ? "administrator" : "user",
    ownerId,
    iconHash: icon?.hash ?? null,
    ...(chosen.clientId !== null && { clientId: chosen.clientId as ClientId }),
    ...(chosen.secret !== null && { secretHash: digest(chosen.secret) }),
  } as const
  const now = clock.now()
  const { client: unbound, secret } = newClient(registration.value, registrar, now)
  const fresh = newBinding(now, from)
  return store.change(
    {
      account: ownerId,
      ownedApps: owner?.userId ?? null,
      serviceAccount: serviceAccountId,
      client: parseClientId(chosen.clientId ?? ""),
      usedClientIds: chosen.clientId === null ? null : keyList([chosen.clientId]),
    },
    ({ account, ownedApps, serviceAccount, client: registered, usedClientIds }): Answer => {
      const isUsed = (usedClientIds ?? []).length > 0
      const id = chosen.clientId === null ? null : parseChosenId(chosen.clientId, { registered, isUsed })
      if (id?.ok === false) return decided(id)
      if (owner !== null && account?.enabled !== true) return decided(noAccount)
      if (owner !== null && (ownedApps?.count ?? 0) >= OWN_APPS_AT_MOST) return decided(tooMany)
      if (ownerId !== null && account === null) return decided(err(OWNER_GONE))
      if (serviceAccountId !== null && serviceAccount === null) return decided(err(SERVICE_ACCOUNT_GONE))
      const added = decideNewApp(unbound, serviceAccount, icon, fresh)
      if (!added.ok) return decided(added)
      const { client, changes } = added.value
      return decided(ok({ client, owner: account, serviceAccount, secret }), ...changes)
    },
  )
}

type Answer = Decided<Result<AppWithSecret, Problem>>

const nothing: ChosenClient = { clientId: null, secret: null }

const tooMany = err(
  `An account has at most ${OWN_APPS_AT_MOST} apps. Remove one that is not needed any more.`,
)
