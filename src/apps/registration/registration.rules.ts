/** Decides whether a registration creates an app or finds one: RFC 7591 §3; interface REG-2, SVC-8. */
import { addedApp, type NewClient } from "../app-writes.rules.ts"
import { MINUTE } from "../../kernel/time.ts"
import { type Change, type Decided, decided } from "../../model/change.rules.ts"
import type { Client, Icon } from "../../model/clients/client.rules.ts"
import { withOpenCeiling } from "../../model/clients/open-ceiling.rules.ts"
import { deletedUnlessUsedAt } from "../../model/self-registration.rules.ts"
import { resolveClient } from "../../oauth/clients/resolve.rules.ts"

/** An app that is ready to be stored, with its icon. */
export type PreparedApp = NewClient & { readonly icon: Icon | null }

/**
 * Decides on a registration. `before` is an app with the same metadata and without a consent. If that app has not
 * expired, the response names it.
 */
export function decideRegistration(
  before: Client | null,
  { client, secret, icon }: PreparedApp,
  address: string,
  now: number,
): Decided<NewClient> {
  const same = resolveClient(before, now)
  return same === null
    ? decided({ client, secret }, ...forgotten(before), ...addedApp(client, icon, now, { address }))
    : repeated(withOpenCeiling(same, client.ceiling), same, now)
}

/** A repeated registration counts as use, so `deleteAfter` moves. It moves at most once a minute, to save writes. */
function repeated(client: Client, stored: Client, now: number): Decided<NewClient> {
  const deleteAfter = deletedUnlessUsedAt(now)
  const isOld = stored.deleteAfter !== null && deleteAfter - stored.deleteAfter > MINUTE
  const after = isOld ? { ...client, deleteAfter } : client
  const answer = { client, secret: null }
  return after === stored ? decided(answer) : decided(answer, { change: "clientChanged", client: after })
}

/** Registration hashes are unique. An expired app whose row still exists therefore loses its hash. */
function forgotten(gone: Client | null): readonly Change[] {
  return gone === null ? [] : [{ change: "clientChanged", client: { ...gone, registrationHash: null } }]
}
