/** What organizations may not connect any more, for the account holder. Interface ORG-9. */
import { decided, eventRecorded } from "../../model/change.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import { listing } from "../../oauth/token/grants/identity-assertion.rules.ts"
import { isNameOf } from "../../model/sign-in/organization.rules.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Services } from "../../platform/services/services.ts"
import { keyList } from "../../store/loadable.ts"
import { knownApps } from "../../accounts/guards/signed-in.ts"
import type { Account } from "../../model/account.rules.ts"
import type { BlockedView } from "./app-choices.view.ts"

type Holder = Pick<Account, "userId">

/** Lists the apps that an organization could connect if the account holder allowed it. */
export async function blockedViews(
  context: HttpContext,
  { userId }: Holder,
): Promise<readonly BlockedView[]> {
  const { store, providers } = context.services
  const { organizationBlocks } = await store.read({ organizationBlocks: userId })
  const listed = (organizationBlocks ?? []).filter(({ provider, clientId }) =>
    listing(providers, clientId).some(({ name }) => isNameOf(providers, provider, name)),
  )
  if (listed.length === 0) return []
  const { clients } = await store.read({ clients: keyList(listed.map(({ clientId }) => clientId)) })
  const apps = await knownApps(context, clients ?? [])
  return listed.flatMap(({ clientId, provider }) => {
    const app = apps.get(clientId)
    return app === undefined ? [] : [{ app, provider, label: providers.get(provider)?.label ?? provider }]
  })
}

/** Ends the block of an app and an organization. Returns whether there was one. */
export async function allowOrganization(
  { store, clock }: Pick<Services, "store" | "clock">,
  { userId }: Holder,
  of: { readonly app: string | undefined; readonly provider: string | undefined },
  { address }: Actor,
): Promise<boolean> {
  return store.change({ organizationBlocks: userId }, ({ organizationBlocks }) => {
    const block = organizationBlocks?.find((one) => one.clientId === of.app && one.provider === of.provider)
    if (block === undefined) return decided(false)
    const { clientId, provider } = block
    const facts = { userId, clientId, address, detail: provider }
    return decided(
      true,
      { change: "organizationAllowed", block },
      eventRecorded("organization-allowed", clock.now(), facts),
    )
  })
}
