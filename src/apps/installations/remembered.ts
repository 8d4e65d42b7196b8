/** Lists and ends the consents that apps remember, for the account holder. Interface OIDC-17. */
import { decided, eventRecorded } from "../../model/change.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import { endRemembered, isValid } from "../../oauth/authorize/remembered.rules.ts"
import { isOpenidPermission, OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Services } from "../../platform/services/services.ts"
import { keyList } from "../../store/loadable.ts"
import { knownApps } from "../../accounts/guards/signed-in.ts"
import type { Account } from "../../model/account.rules.ts"
import type { RememberedView } from "./app-choices.view.ts"

type Holder = Pick<Account, "userId">

/** Lists the apps that do not ask this account again, each with its last end. None while OpenID Connect is off. */
export async function rememberedViews(
  context: HttpContext,
  { userId }: Holder,
): Promise<readonly RememberedView[]> {
  const { store, clock, catalog } = context.services
  if (!isOpenidPermission(catalog, OPENID)) return []
  const { rememberedConsents } = await store.read({ rememberedConsents: userId })
  const ends = new Map<string, number>()
  for (const row of rememberedConsents ?? [])
    if (isValid(row, clock.now())) ends.set(row.clientId, row.endsAt)
  if (ends.size === 0) return []
  const { clients } = await store.read({ clients: keyList([...ends.keys()]) })
  const apps = await knownApps(context, clients ?? [])
  return [...apps].map(([clientId, app]) => ({ app, endsAt: ends.get(clientId) ?? 0 }))
}

/** Lets an app ask the account again, or every app if the id is null. Returns whether one did not ask before. */
export async function endOwnRemembered(
  { store, clock }: Pick<Services, "store" | "clock">,
  { userId }: Holder,
  app: string | null,
  { address }: Actor,
): Promise<boolean> {
  return store.change({ rememberedConsents: userId }, ({ rememberedConsents }) => {
    const ended = (rememberedConsents ?? []).filter(({ clientId }) => app === null || clientId === app)
    const recorded = [...new Set(ended.map(({ clientId }) => clientId))].map((clientId) =>
      eventRecorded("remembered-consent-ended", clock.now(), { userId, clientId, address }),
    )
    return decided(ended.length > 0, ...ended.map(endRemembered), ...recorded)
  })
}
