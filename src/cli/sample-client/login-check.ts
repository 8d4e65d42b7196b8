/**
 * Sends the authorization request once before a browser opens. An unknown app or redirect URI gets an error page
 * without a redirect (RFC 6749 §4.1.2.1). Without this check, `login` would wait until its timeout.
 */
import { AppRefused, errorText, isUnreachable } from "./sample-client.ts"
import { visible } from "../../platform/cli/print.ts"

const TIMEOUT_MS = 5_000

/** These statuses mean a refusal. With any other error status, a browser may still succeed. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401])

/** Throws `AppRefused` if the service refuses. An unclear response is ignored, because the browser will show it. */
export async function checkAuthorization(address: URL, clientId: string, redirectUri: string): Promise<void> {
  const response = await request(address)
  if (response === null) return
  const error = returnedError(address, response)
  if (error !== null) throw new AppRefused(`The service refuses the sign-in: ${error}`)
  if (!REFUSALS.has(response.status)) return
  throw new AppRefused(
    `The service does not know the app ${visible(clientId)}, or it is disabled, or ${redirectUri} is not registered for it: ` +
      `its authorization endpoint answers ${response.status}.`,
  )
}

/** Reads the error in a redirect to the app, such as `invalid_scope`. RFC 6749 §4.1.2.1. */
function returnedError(address: URL, { status, headers }: Response): string | null {
  const target = status >= 300 && status < 400 ? URL.parse(headers.get("location") ?? "", address.href) : null
  const error = target?.searchParams.get("error") ?? null
  const redirectUri = address.searchParams.get("redirect_uri") ?? ""
  if (target === null || error === null || !target.href.startsWith(redirectUri)) return null
  const description = target.searchParams.get("error_description") ?? undefined
  return errorText({ error, error_description: description })
}

async function request(address: URL): Promise<Response | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(address, { redirect: "manual", headers: { accept: "text/html" }, signal })
    await response.body?.cancel()
    return response
  } catch (error) {
    if (isUnreachable(error) || (error instanceof DOMException && error.name === "TimeoutError")) return null
    throw error
  }
}
