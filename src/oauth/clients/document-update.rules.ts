/** Updates a stored client from its fetched document. Interface CD-6, CD-7, CD-9. */
import { defaultOpenid } from "../../model/clients/openid-members.rules.ts"
import { appDifference } from "../../model/clients/app-difference.rules.ts"
import type { ClientId, Permission } from "../../kernel/ids.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { UNUSED_APP_SECONDS } from "../../kernel/limits.ts"
import { defaultSwitches } from "../../model/clients/app-switches.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import {
  type ClientDocument,
  type DocumentPart,
  fetchedDocument,
  isFresh,
} from "../../model/clients/document.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { DocumentContent } from "./document.rules.ts"

export type FetchedContent = {
  readonly content: DocumentContent
  readonly cacheSeconds: number | null
  readonly leftOut?: readonly string[]
}

export type DocumentClient = { readonly client: Client; readonly document: ClientDocument }

export function newDocumentClient(
  clientId: ClientId,
  { content, cacheSeconds, leftOut }: FetchedContent,
  ceiling: readonly Permission[],
  now: number,
): DocumentClient {
  const client: Client = {
    ...content,
    clientId,
    ceiling,
    ceilingByHand: false,
    binding: null,
    groups: [],
    ...defaultOpenid,
    secretHash: null,
    ...defaultSwitches,
    enabled: true,
    disabledByOwner: false,
    registeredBy: "document",
    ownerId: null,
    issuedAt: now,
    iconHash: null,
    registrationHash: null,
    deleteAfter: null,
  }
  return { client, document: fetchedDocument(clientId, now, cacheSeconds, leftOut) }
}

/** Stores a client that is used until `until`, with its document. An expired row of the same client may still exist. */
export function addedDocument(
  { client, document }: DocumentClient,
  isRowThere: boolean,
  until: number,
  now: number,
  actor: Actor,
): readonly Change[] {
  const added = { ...client, deleteAfter: until + UNUSED_APP_SECONDS }
  return [
    isRowThere ? { change: "clientChanged", client: added } : { change: "clientAdded", client: added },
    { change: "documentSet", document },
    eventRecorded("app-registered", now, { clientId: client.clientId, ...actor }),
  ]
}

/**
 * Updates the stored client. If several requests wait for one fetch, only the first writes the update. `isForced` also
 * replaces a fresh copy and a pinned copy. A denied document stays as it is.
 */
export function decideUpdate(
  stored: DocumentClient,
  { content, cacheSeconds, leftOut }: FetchedContent,
  now: number,
  isForced = false,
): Decided<DocumentClient> {
  const { client: before, document } = stored
  if (document.isDenied || (!isForced && isFresh(document, now))) return decided(stored)
  if (before.keys !== null && content.keys === null && !document.mayDropKey)
    return decided(stored, ...decideFailure(document, GAVE_UP_KEY, now).changes)
  const client = { ...before, ...content }
  const parts = changedParts(before, client)
  const after = {
    ...fetchedDocument(before.clientId, now, cacheSeconds, leftOut),
    // The list keeps earlier changes, because an account may not have seen them yet.
    changed:
      parts.length > 0
        ? { at: now, parts: [...new Set([...(document.changed?.parts ?? []), ...parts])] }
        : document.changed,
  }
  const detail = appDifference(before, client)
  const changed = [
    { change: "clientChanged", client },
    eventRecorded("app-changed", now, { clientId: client.clientId, userId: client.ownerId, detail }),
  ] as const
  return decided({ client, document: after }, ...(detail === null ? [] : changed), {
    change: "documentSet",
    document: after,
  })
}

function changedParts(before: Client, after: Client): DocumentPart[] {
  const hasSameUris =
    before.redirectUris.length === after.redirectUris.length &&
    before.redirectUris.every((uri) => after.redirectUris.includes(uri))
  const hasSameKeys = JSON.stringify(before.keys) === JSON.stringify(after.keys)
  return [...(hasSameUris ? [] : ["redirect_uris" as const]), ...(hasSameKeys ? [] : ["keys" as const])]
}

const GAVE_UP_KEY =
  "The document gave up its key, so the copy with the key stays in use. An administrator can allow the document."

/** The same failure is stored again only after this time. */
const FAILURE_WRITTEN_SECONDS = 300

export function decideFailure(document: ClientDocument | null, problem: string, now: number): Decided<null> {
  if (document === null) return decided(null)
  const { failure } = document
  const isKnown = failure?.problem === problem && now - failure.at < FAILURE_WRITTEN_SECONDS
  return isKnown
    ? decided(null)
    : decided(null, { change: "documentSet", document: { ...document, failure: { at: now, problem } } })
}
