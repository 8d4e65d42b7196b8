/** Reads the consents that a preview covers, and what their apps reach. */
import type { ClientId } from "../../kernel/ids.ts"
import type { HeldConsent } from "../../model/credential.rules.ts"
import type { Bounds } from "../../model/permissions/standing.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { accountPreview, type ReachPreview } from "./reach-preview.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "catalog" | "providers">

export type PreviewedAccounts = Parameters<typeof accountPreview>[1]

/** Previews what a change of accounts does to their consents. `after` is as for `accountPreview`. */
export async function previewOfAccounts(
  services: Needs,
  change: PreviewedAccounts,
  consents: readonly HeldConsent[],
  after: Parameters<typeof accountPreview>[4],
): Promise<ReachPreview> {
  const bounds = await boundsOf(services, consents)
  return accountPreview(services, change, consents, (clientId) => bounds.get(clientId) ?? NOTHING, after)
}

export function consentsOf({ store, clock }: Needs, of: Parameters<Needs["store"]["consentsOf"]>[0]) {
  return store.consentsOf(of, clock.now())
}

const NOTHING: Bounds = { ceiling: [], groups: [] }

async function boundsOf(
  { store }: Needs,
  consents: readonly HeldConsent[],
): Promise<ReadonlyMap<ClientId, Bounds>> {
  const ids = [...new Set(consents.map(({ clientId }) => clientId))]
  const found = await Promise.all(ids.map((clientId) => store.read({ client: clientId })))
  return new Map(found.flatMap(({ client }) => (client === null ? [] : [[client.clientId, client]])))
}
