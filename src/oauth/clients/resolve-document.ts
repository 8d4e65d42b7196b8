/**
 * Finds the client of a client_id that is the URL of a document, for an authorization or device authorization, and for
 * the assertion of an organization.
 * Interface CD-6…CD-9.
 *
 * 1. The setting `clients.documents` and the domain policy must allow the document.
 * 2. A fresh or pinned copy is used without a request.
 * 3. Otherwise the document is fetched. A stored client is updated. The first consent in a browser stores a new client, and so
 *    does a request for an app that an organization may connect.
 * 4. If the fetch fails, a stored copy is used for a limited time.
 *
 * Every other endpoint only reads the stored client.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { isDocumentUrl } from "../../kernel/identifier.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { FetchFailure } from "../../platform/outgoing/fetch-failure.rules.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import { decided } from "../../model/change.rules.ts"
import { isFresh, isServable } from "../../model/clients/document.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { type DocumentPolicy, judgeDocument } from "./document-policy.rules.ts"
import {
  addedDocument,
  decideFailure,
  decideUpdate,
  type DocumentClient,
  type FetchedContent,
  newDocumentClient,
} from "./document-update.rules.ts"
import { type Requester, fetchDocument } from "./fetch-document.ts"
import { resolveClient } from "./resolve.rules.ts"
import { storeOpenCeiling } from "./open-ceiling.ts"

type Needs = Pick<Services, "store" | "clock" | "catalog" | "settings" | "outgoing" | "log">

export type ResolvedDocument = DocumentClient & {
  /** Whether the client is stored. If it is not, its first consent stores it. */
  readonly isStored: boolean
}

/** Finds the client. Refuses: clientUnknown, clientDisabled, documentNotAllowed, documentBusy, documentUnavailable. */
export async function resolveDocument(
  services: Needs,
  clientId: ClientId,
  requester: Requester,
): Promise<Result<ResolvedDocument, Refusal>> {
  return resolve(services, clientId, await findStored(services, clientId), requester)
}

/** An unknown document is not fetched. Null if the client_id is not a URL. Refuses as `resolveDocument` does. */
export async function resolveStoredDocument(
  services: Needs,
  clientId: ClientId,
  requester: Requester,
): Promise<Result<ResolvedDocument | null, Refusal>> {
  if (!isDocumentUrl(clientId)) return ok(null)
  const stored = await findStored(services, clientId)
  return stored === null ? err({ reason: "clientUnknown" }) : resolve(services, clientId, stored, requester)
}

/** Also stores a new client, for which the configuration takes the place of a consent. Refuses as `resolveDocument` does. */
export async function storedDocument(
  services: Needs,
  clientId: ClientId,
  requester: Requester,
  address: string,
): Promise<Result<null, Refusal>> {
  const resolved = await resolveDocument(services, clientId, requester)
  if (!resolved.ok) return resolved
  const { isStored, ...made } = resolved.value
  if (isStored) return ok(null)
  const now = services.clock.now()
  return services.store.change({ client: clientId }, ({ client }) =>
    resolveClient(client, now) === null
      ? decided(ok(null), ...addedDocument(made, client !== null, now, now, { address }))
      : decided(ok(null)),
  )
}

/** Returns the policy that applies to an open consent page. Returns null if the client_id is not a URL. */
export async function documentPolicyOf(
  { settings }: Pick<Services, "settings">,
  clientId: ClientId,
): Promise<DocumentPolicy | null> {
  return isDocumentUrl(clientId) ? settings.current() : null
}

async function findStored({ store, clock }: Needs, clientId: ClientId): Promise<DocumentClient | null> {
  const found = await store.read({ client: clientId, document: clientId })
  const client = resolveClient(found.client, clock.now())
  return client === null || found.document === null ? null : { client, document: found.document }
}

async function resolve(
  services: Needs,
  clientId: ClientId,
  stored: DocumentClient | null,
  requester: Requester,
): Promise<Result<ResolvedDocument, Refusal>> {
  const settings = await services.settings.current()
  const judged = judgeDocument(clientId, settings, stored?.document ?? null)
  if (!judged.ok) return judged
  if (stored?.client.enabled === false) return err({ reason: "clientDisabled" })
  const now = services.clock.now()
  const ceiling = openCeiling(services.catalog, settings.openPermissions)
  const served = async ({ client, document }: DocumentClient) =>
    ok({ client: await storeOpenCeiling(services, client, ceiling), document, isStored: true })
  if (stored !== null && isFresh(stored.document, now)) return served(stored)

  const { isHostNamed } = judged.value
  const { openSchemes } = settings
  const fetched = await fetchDocument(services, { clientId, requester, isHostNamed, openSchemes })
  if (!fetched.ok) {
    const stale = await staleCopy(services, stored, clientId, fetched.error)
    return stale.ok ? served(stale.value) : stale
  }
  const { leftOut = [] } = fetched.value
  if (leftOut.length > 0)
    services.log.info({ client_id: clientId, left_out: leftOut }, "redirect URIs of a document were left out")
  if (stored === null)
    return ok({ ...newDocumentClient(clientId, fetched.value, ceiling, now), isStored: false })
  const updated = await update(services, stored, fetched.value)
  return updated.client.enabled ? served(updated) : err({ reason: "clientDisabled" })
}

function update(
  { store, clock }: Needs,
  { client, document }: DocumentClient,
  fetched: FetchedContent,
): Promise<DocumentClient> {
  const { clientId } = client
  return store.change({ client: clientId, document: clientId }, (found) =>
    found.client === null || found.document === null
      ? decided({ client, document })
      : decideUpdate({ client: found.client, document: found.document }, fetched, clock.now()),
  )
}

async function staleCopy(
  { store, clock }: Needs,
  stored: DocumentClient | null,
  clientId: ClientId,
  { reason, description }: FetchFailure,
): Promise<Result<DocumentClient, Refusal>> {
  const now = clock.now()
  const isBusy = reason === "tooManyRequests"
  if (stored !== null && !isBusy)
    await store.change({ document: clientId }, ({ document }) => decideFailure(document, description, now))
  if (stored !== null && isServable(stored.document, now)) return ok(stored)
  return err(isBusy ? { reason: "documentBusy" } : { reason: "documentUnavailable", problem: description })
}
