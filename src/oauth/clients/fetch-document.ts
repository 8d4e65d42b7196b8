/** Fetches the document of a client through `platform/outgoing/guarded-fetch.ts`. Interface CD-1…CD-5, OUT-1…OUT-7. */
import type { ClientId } from "../../kernel/ids.ts"
import { DOCUMENT_BYTES_AT_MOST, DOCUMENT_FRESH_SECONDS } from "../../kernel/limits.ts"
import { type Result, ok } from "../../kernel/result.ts"
import type { FetchRequest } from "../../platform/outgoing/guarded-fetch.ts"
import type { FetchFailure } from "../../platform/outgoing/fetch-failure.rules.ts"
import type { OpenSchemes } from "../../model/clients/redirect-registration.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { FetchedContent } from "./document-update.rules.ts"
import { leftOutOf, parseDocument } from "./document.rules.ts"
import { keysProblem } from "../../platform/statements/verification-key.ts"

/** Whose limits apply to a fetch. */
export type Requester = Pick<FetchRequest, "cause" | "account">

type DocumentFetch = {
  readonly clientId: ClientId
  readonly requester: Requester
  readonly isHostNamed: boolean
  readonly openSchemes: OpenSchemes
  /** Whether an administrator asked for the fetch. Cached responses and failures are then ignored. */
  readonly isForced?: boolean
}

export async function fetchDocument(
  { outgoing }: Pick<Services, "outgoing">,
  { clientId, requester, isHostNamed, openSchemes, isForced = false }: DocumentFetch,
): Promise<Result<FetchedContent, FetchFailure>> {
  // A cached response is reused for the shortest time that a copy can be fresh, so the sign-in page and the consent
  // page share one fetch.
  const reuseSeconds = isForced ? 0 : DOCUMENT_FRESH_SECONDS.least
  const request = {
    url: clientId,
    ...requester,
    isHostNamed,
    bytesAtMost: DOCUMENT_BYTES_AT_MOST,
    reuseSeconds,
  }
  if (isForced) outgoing.forgetFailure(request)
  const fetched = await outgoing.getJson(request)
  if (!fetched.ok) return fetched
  const content = parseDocument(fetched.value.json, clientId, openSchemes)
  if (!content.ok) return outgoing.refuseContent(request, content.error)
  const unusable = await keysProblem(content.value.keys)
  return unusable === null
    ? ok({
        content: content.value,
        cacheSeconds: fetched.value.cacheSeconds,
        leftOut: leftOutOf(fetched.value.json),
      })
    : outgoing.refuseContent(request, unusable)
}
