/** Documents of clients, for administrators. Interface CD-11…CD-13. */
import { hostOf } from "../../kernel/https-url.ts"
import { isDocumentUrl } from "../../kernel/identifier.ts"
import type { ClientId } from "../../kernel/ids.ts"
import { parseJson } from "../../kernel/json.ts"
import { DOCUMENT_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import { judgeHost } from "../../model/clients/document-domains.rules.ts"
import { documentState } from "../../model/clients/document.rules.ts"
import type { Settings } from "../../model/setting.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Page } from "../../store/list-shapes.ts"
import {
  decideFailure,
  decideUpdate,
  type DocumentClient,
  type FetchedContent,
  newDocumentClient,
} from "../clients/document-update.rules.ts"
import { leftOutOf, parseDocument } from "../clients/document.rules.ts"
import { fetchDocument } from "../clients/fetch-document.ts"
import { keysProblem } from "../../platform/statements/verification-key.ts"
import { decideAllow, decideDeny, decidePin, decidePinStored, decideUnpin } from "./document-change.rules.ts"
import { documentRecord, type DocumentRecord } from "./document-record.rules.ts"

type Needs = Pick<Services, "store" | "clock">
type Managing = Needs & Pick<Services, "catalog"> & { readonly current: () => Promise<Settings> | Settings }
type Found = Result<DocumentRecord, Problem>
type Decide = (stored: DocumentClient | null) => Decided<Result<DocumentClient, Problem>>

/** Counting the credentials of an app stops at this number, because counting more would delay other requests. */
const CREDENTIALS_COUNTED = 10_000

/** Returns a page of the list of documents, sorted by their URLs. */
export async function listDocuments(services: Needs, page: Page): Promise<readonly DocumentRecord[]> {
  const clients = await services.store.clients(page, { registeredBy: "document" })
  const records = await Promise.all(clients.map(({ clientId }) => findDocument(services, clientId)))
  return records.flatMap((record) => (record.ok ? [record.value] : []))
}

export async function findDocument(services: Needs, url: string): Promise<Found> {
  const clientId = parseUrl(url)
  if (!clientId.ok) return clientId
  const { client, document } = await services.store.read({ client: clientId.value, document: clientId.value })
  if (client === null || document === null)
    return err(
      `There is no document ${JSON.stringify(url)}. A document is known from the first consent of its app on, or once it is pinned.`,
    )
  return recordOf(services, { client, document })
}

/** Stores `text` as the document of `url`. The service does not fetch the document until it is unpinned. */
export async function pinDocument(
  services: Managing,
  url: string,
  text: string,
  actor: Actor,
): Promise<Found> {
  const clientId = parseUrl(url)
  if (!clientId.ok) return clientId
  if (Buffer.byteLength(text) > DOCUMENT_BYTES_AT_MOST)
    return err(`The document has more than ${DOCUMENT_BYTES_AT_MOST / 1024} KB.`)
  const json = parseJson(text)
  if (json === undefined) return err("The document is not JSON, or it names a member twice.")
  const { openSchemes, openPermissions } = await services.current()
  const content = parseDocument(json, clientId.value, openSchemes)
  if (!content.ok) return content
  const unusable = await keysProblem(content.value.keys)
  if (unusable !== null) return err(unusable)
  const fetched = { content: content.value, cacheSeconds: null, leftOut: leftOutOf(json) }
  const now = services.clock.now()
  const made = newDocumentClient(clientId.value, fetched, openCeiling(services.catalog, openPermissions), now)
  return change(services, clientId.value, (stored) => decidePin(stored, made, fetched, now, actor))
}

export function pinStoredDocument(services: Needs, url: string, actor: Actor): Promise<Found> {
  return changeStored(services, url, (stored) => decidePinStored(stored, services.clock.now(), actor))
}

export function unpinDocument(services: Needs, url: string, actor: Actor): Promise<Found> {
  return changeStored(services, url, (stored) => decideUnpin(stored, services.clock.now(), actor))
}

/** Denies a document and disables its client. The document may be unknown. */
export async function denyDocument(services: Needs, url: string, actor: Actor): Promise<Found> {
  const clientId = parseUrl(url)
  if (!clientId.ok) return clientId
  const now = services.clock.now()
  const content = {
    type: "public",
    keys: null,
    name: hostOf(clientId.value).slice(0, 100),
    redirectUris: [],
  } as const
  const made = newDocumentClient(clientId.value, { content, cacheSeconds: null }, [], now)
  return change(services, clientId.value, (stored) => decideDeny(stored, made, now, actor))
}

export function allowDocument(services: Needs, url: string, actor: Actor): Promise<Found> {
  return changeStored(services, url, (stored) => decideAllow(stored, services.clock.now(), actor))
}

/** Fetches the document of a known client now, even if a fetch has just failed. */
export async function refreshDocument(
  services: Managing & Pick<Services, "outgoing">,
  url: string,
): Promise<Found> {
  const known = await findDocument(services, url)
  if (!known.ok) return known
  const { state } = known.value
  if (state === "pinned" || state === "denied") return err(notFetched(state))
  const clientId = url as ClientId
  const settings = await services.current()
  if (!settings.documents) return err("The setting clients.documents is off, so nothing is fetched.")
  const policy = judgeHost(hostOf(clientId), settings)
  if (policy === "denied" || policy === "unlisted")
    return err("The settings do not allow documents of that host.")
  const fetched = await fetchDocument(services, {
    clientId,
    requester: { cause: "account" },
    isHostNamed: policy === "named",
    openSchemes: settings.openSchemes,
    isForced: true,
  })
  return change(services, clientId, (stored) =>
    refreshed(stored, fetched.ok ? fetched.value : fetched.error.description, services.clock.now()),
  )
}

function refreshed(
  stored: DocumentClient | null,
  fetched: FetchedContent | string,
  now: number,
): Decided<Result<DocumentClient, Problem>> {
  if (stored === null) return decided(err("The app was just removed."))
  // During the request, an administrator may have pinned or denied the document.
  const state = documentState(stored.document, now)
  if (state === "pinned" || state === "denied") return decided(err(notFetched(state)))
  if (typeof fetched !== "string") {
    const { answer, changes } = decideUpdate(stored, fetched, now, true)
    return decided(ok(answer), ...changes)
  }
  const { changes } = decideFailure(stored.document, fetched, now)
  return decided(
    ok({ ...stored, document: { ...stored.document, failure: { at: now, problem: fetched } } }),
    ...changes,
  )
}

function notFetched(state: "pinned" | "denied"): Problem {
  return `The document is ${state}, so it is not fetched.`
}

function parseUrl(url: string): Result<ClientId, Problem> {
  return isDocumentUrl(url)
    ? ok(url as ClientId)
    : err(`${JSON.stringify(url)} is not the URL of a document, such as https://app.example/client.json.`)
}

async function changeStored(services: Needs, url: string, decide: Decide): Promise<Found> {
  const clientId = parseUrl(url)
  return clientId.ok ? change(services, clientId.value, decide) : clientId
}

async function change(services: Needs, clientId: ClientId, decide: Decide): Promise<Found> {
  const answer = await services.store.change(
    { client: clientId, document: clientId },
    ({ client, document }) => decide(client === null || document === null ? null : { client, document }),
  )
  return answer.ok ? recordOf(services, answer.value) : answer
}

async function recordOf({ store, clock }: Needs, { client, document }: DocumentClient): Promise<Found> {
  const now = clock.now()
  const { installations } = await store.usersOf(client.clientId, now, CREDENTIALS_COUNTED)
  return ok(documentRecord(client, document, installations, now))
}
