/** Decides whether the operator allows the document of a client now. Interface CD-1, CD-8, CD-9, CD-13. */
import { hostOf } from "../../kernel/https-url.ts"
import type { ClientId } from "../../kernel/ids.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { type DomainPolicy, judgeHost } from "../../model/clients/document-domains.rules.ts"
import type { ClientDocument } from "../../model/clients/document.rules.ts"

export type DocumentPolicy = DomainPolicy & {
  /** The setting `clients.documents`. */
  readonly documents: boolean
}

type NotAllowed = { readonly reason: "clientUnknown" | "documentNotAllowed" }

/** Judges a document. `stored` is its row, if its client is stored. Refuses: clientUnknown, documentNotAllowed. */
export function judgeDocument(
  clientId: ClientId,
  policy: DocumentPolicy,
  stored: ClientDocument | null,
): Result<{ readonly isHostNamed: boolean }, NotAllowed> {
  if (!policy.documents) return err({ reason: "clientUnknown" })
  const judged = judgeHost(hostOf(clientId), policy)
  // A pinned document is allowed even if its host is not on the list.
  const isRefused = judged === "denied" || (judged === "unlisted" && stored?.isPinned !== true)
  return isRefused || stored?.isDenied === true
    ? err({ reason: "documentNotAllowed" })
    : ok({ isHostNamed: judged === "named" })
}

/** Why an open consent page grants nothing. */
export type DocumentProblem = "app-gone" | "document-not-allowed" | "document-changed"

/**
 * Judges a document again when a consent page is submitted. `shownChange` is the time of the change that the page
 * showed. A consent after a change that the page did not show would hide that change from the account.
 */
export function openPageProblem(
  clientId: ClientId,
  policy: DocumentPolicy,
  stored: ClientDocument | null,
  shownChange: number | null,
): DocumentProblem | null {
  const judged = judgeDocument(clientId, policy, stored)
  if (!judged.ok) return judged.error.reason === "clientUnknown" ? "app-gone" : "document-not-allowed"
  return (stored?.changed?.at ?? null) === shownChange ? null : "document-changed"
}
