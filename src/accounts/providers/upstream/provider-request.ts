/** Sends the requests of the client library through the guarded fetch. */
import type { Services } from "../../../platform/services/services.ts"
import type { SignInProvider } from "../../../model/sign-in/provider.rules.ts"
import { UpstreamError } from "./upstream-failure.ts"

/** Metadata, keys, tokens and claims are all smaller. */
const BYTES_AT_MOST = 128 * 1024

type Sent = {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

type ProviderFetch = (url: string, options: Sent) => Promise<Response>

/** Returns a `fetch` for this provider. Throws `UpstreamError` if the request fails. */
export function fetchFrom(
  { outgoing }: Pick<Services, "outgoing">,
  { allowedRanges }: Pick<SignInProvider, "allowedRanges">,
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
    const { reason, description } = answer.error
    const kind = reason === "tooManyRequests" ? "busy" : "unreachable"
    throw new UpstreamError({ kind, detail: `${new URL(url).host}: ${description}` })
  }
}

/** Parses the body of an answer. Returns undefined for text that is not JSON. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown
  } catch {
    return undefined
  }
}
