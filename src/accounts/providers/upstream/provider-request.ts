/** Sends the requests of the client library through the guarded fetch. */
import type { Services } from "../../../platform/services/services.ts"
import type { OpenIdProvider } from "../../../model/sign-in/provider.rules.ts"
import type { FetchFailure, FetchReason } from "../../../platform/outgoing/fetch-failure.rules.ts"
import { UpstreamError, type UpstreamFailure } from "./upstream-failure.ts"

/** Metadata, keys, tokens and claims are all smaller. */
export const BYTES_AT_MOST = 128 * 1024

type Sent = {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

type ProviderFetch = (url: string, options: Sent) => Promise<Response>

/** Returns a `fetch` for this provider. Throws `UpstreamError` if the request fails. */
export function fetchFrom(
  { outgoing }: Pick<Services, "outgoing">,
  { allowedRanges }: Pick<OpenIdProvider, "allowedRanges">,
): ProviderFetch {
  return async (url, { method, headers, body }) => {
    const form = method === "POST" ? String(body) : undefined
    const answer = await outgoing.sendToProvider({
      url,
      allowedRanges,
      bytesAtMost: BYTES_AT_MOST,
      headers,
      ...(form !== undefined && { body: form }),
    })
    if (answer.ok) {
      const { status, contentType, text } = answer.value
      return new Response(text, { status, headers: { "content-type": contentType } })
    }
    const { host, pathname } = new URL(url)
    const detail = `${host}${pathname}: ${answer.error.description}`
    throw new UpstreamError({ kind: kindOf(answer.error), detail })
  }
}

const UNUSABLE: ReadonlySet<FetchReason> = new Set([
  "redirected",
  "notJson",
  "encoded",
  "tooLong",
  "malformed",
])

/** Tells a provider that answers in another form from one that does not answer. An outage also has a status. */
function kindOf({ reason, status = 500 }: FetchFailure): UpstreamFailure["kind"] {
  if (reason === "tooManyRequests") return "busy"
  const isAnswered = reason === "statusNotOk" && status < 500 && status !== 408 && status !== 429
  return isAnswered || UNUSABLE.has(reason) ? "unusable" : "unreachable"
}

/** Parses the body of an answer. Returns undefined for text that is not JSON. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown
  } catch {
    return undefined
  }
}
