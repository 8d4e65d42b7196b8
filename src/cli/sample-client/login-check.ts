/**
 * Asks the authorization endpoint before a browser opens. A service that does not know the app, or not its redirect
 * address, shows an error page and sends no browser back (RFC 6749 §4.1.2.1): `login` would wait for its whole timeout.
 */
import { AppRefused, isUnreachable } from "./sample-client.ts"
import { visible } from "../kit/print.ts"

const TIMEOUT_MS = 5_000

/** The statuses with which services answer such a request; any other may be meant for browsers only. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401])

/** Throws `AppRefused` where the service refuses the request itself. Without a clear answer, the browser decides. */
export async function checkAuthorization(address: URL, clientId: string, redirectUri: string): Promise<void> {
  const status = await statusOf(address)
  if (status === null || !REFUSALS.has(status)) return
  throw new AppRefused(
    `The service does not know the app ${visible(clientId)}, or ${redirectUri} is not registered for it: ` +
      `its authorization endpoint answers ${status}.`,
  )
}

async function statusOf(address: URL): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(address, { redirect: "manual", headers: { accept: "text/html" }, signal })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    if (isUnreachable(error) || (error instanceof DOMException && error.name === "TimeoutError")) return null
    throw error
  }
}
