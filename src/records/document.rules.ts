/** The document of a client whose client_id is a URL: the state and age of its stored copy. CD-6, CD-7. */
import type { ClientId } from "../kernel/ids.ts"
import { DOCUMENT_FRESH_SECONDS, DOCUMENT_STALE_SECONDS } from "../kernel/limits.ts"

/** A part of a document whose change the consent page reports. */
export type DocumentPart = "redirect_uris" | "keys"

export type ClientDocument = {
  readonly clientId: ClientId
  /** When the stored copy was fetched or pinned; null without a copy. */
  readonly fetchedAt: number | null
  readonly freshUntil: number
  /** The last fetch if it failed, with a message of this service. */
  readonly failure: { readonly at: number; readonly problem: string } | null
  /** Whether an administrator provided the copy. Such a document is not fetched. */
  readonly isPinned: boolean
  /** Whether an administrator denied the document. */
  readonly isDenied: boolean
  /** The last change that the consent page reports. */
  readonly changed: { readonly at: number; readonly parts: readonly DocumentPart[] } | null
  /** Whether an administrator allowed the document to drop its key. */
  readonly mayDropKey: boolean
}

export type DocumentState = "fresh" | "stale" | "pinned" | "denied" | "failing"

export function documentState(document: ClientDocument, now: number): DocumentState {
  if (document.isDenied) return "denied"
  if (document.isPinned) return "pinned"
  if (document.failure !== null) return "failing"
  return isFresh(document, now) ? "fresh" : "stale"
}

export function isFresh({ isPinned, freshUntil }: ClientDocument, now: number): boolean {
  return isPinned || now < freshUntil
}

/** Whether the authorization endpoint may use the stored copy while the host fails. */
export function isServable({ fetchedAt, freshUntil }: ClientDocument, now: number): boolean {
  return fetchedAt !== null && now < freshUntil + DOCUMENT_STALE_SECONDS
}

/** How long a copy is fresh. `cacheSeconds` is the lifetime in its cache headers; null without one. */
export function freshSeconds(cacheSeconds: number | null): number {
  const { least, usual, most } = DOCUMENT_FRESH_SECONDS
  return Math.min(most, Math.max(least, cacheSeconds ?? usual))
}

/** A document whose copy was fetched at `now`. */
export function fetchedDocument(
  clientId: ClientId,
  now: number,
  cacheSeconds: number | null,
): ClientDocument {
  return {
    clientId,
    fetchedAt: now,
    freshUntil: now + freshSeconds(cacheSeconds),
    failure: null,
    isPinned: false,
    isDenied: false,
    changed: null,
    mayDropKey: false,
  }
}
