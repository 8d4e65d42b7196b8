/**
 * The document of a client whose client_id is a URL. The row says how old the stored copy is and what its state is.
 * CD-6, CD-7.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { DOCUMENT_FRESH_SECONDS, DOCUMENT_STALE_SECONDS } from "../../kernel/limits.ts"

/** The part of a document that changed. The consent page reports such changes. */
export type DocumentPart = "redirect_uris" | "keys"

export type ClientDocument = {
  readonly clientId: ClientId
  /** When the stored copy was fetched or pinned. The value is null without a copy. */
  readonly fetchedAt: number | null
  readonly freshUntil: number
  /** When the last fetch failed, and why. The message never contains text of the other host. */
  readonly failure: { readonly at: number; readonly problem: string } | null
  /** Whether an administrator provided the copy. The service then does not fetch the document. */
  readonly isPinned: boolean
  readonly isDenied: boolean
  /** The last change that the consent page reports. */
  readonly changed: { readonly at: number; readonly parts: readonly DocumentPart[] } | null
  /** Whether an administrator allowed the document to drop its key. */
  readonly mayDropKey: boolean
  /** The redirect URIs of the copy that were left out, each with the reason. CD-5. */
  readonly leftOut: readonly string[]
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

/** Whether the authorization endpoint may use the stored copy while its host fails. */
export function isServable({ fetchedAt, freshUntil }: ClientDocument, now: number): boolean {
  return fetchedAt !== null && now < freshUntil + DOCUMENT_STALE_SECONDS
}

/** Returns how long a copy is fresh. `cacheSeconds` is the lifetime in its cache headers, or null. */
export function freshSeconds(cacheSeconds: number | null): number {
  const { least, usual, most } = DOCUMENT_FRESH_SECONDS
  return Math.min(most, Math.max(least, cacheSeconds ?? usual))
}

/** Returns the row of a document that was fetched at `now`. */
export function fetchedDocument(
  clientId: ClientId,
  now: number,
  cacheSeconds: number | null,
  leftOut: readonly string[] = [],
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
    leftOut,
  }
}
