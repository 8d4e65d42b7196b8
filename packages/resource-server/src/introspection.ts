/** POST /oauth/introspect (RFC 7662 §2.1), with limits on time and concurrency. */
import { type Access, readIntrospection } from "./access.ts"
import { Semaphore } from "./semaphore.ts"
import { type Service, ServiceUnavailable, UnexpectedStatus, type UncountedTrouble } from "./service.ts"

/** Checks with `isFirst` do not wait behind others. */
export type Introspect = (token: string, isFirst: boolean) => Promise<Access | null>

export type IntrospectionBounds = {
  /** The time limit of a check, including the wait for other requests. */
  readonly timeoutMilliseconds: number
  /** The maximum number of concurrent requests. */
  readonly concurrency: number
}

/** If this many checks are waiting, further checks get 503. */
const MAX_WAITING = 1000

const MAX_RETRY_SECONDS = 60

/**
 * Returns a function that introspects a token. The function returns null if the token is not active. If no valid
 * response arrives, it throws `ServiceUnavailable`. No request therefore passes during an outage.
 */
export function introspectionAt(service: Service, bounds: IntrospectionBounds): Introspect {
  const semaphore = new Semaphore(bounds.concurrency, MAX_WAITING)
  return async (token, isFirst) => {
    const place = semaphore.acquire(isFirst)
    if (place === null) throw new ServiceUnavailable(1)
    const deadline = AbortSignal.timeout(bounds.timeoutMilliseconds)
    await place
    try {
      deadline.throwIfAborted()
      return await readAnswer(service, await sendRequest(service, token, deadline))
    } catch (error) {
      if (error instanceof ServiceUnavailable) throw error
      throw unavailable(service, { of: "introspection", status: null, cause: error })
    } finally {
      semaphore.release()
    }
  }
}

/**
 * Sends the request. If the connection was lost, sends it once more, because the server may have closed an idle
 * connection.
 */
async function sendRequest(service: Service, token: string, signal: AbortSignal): Promise<Response> {
  const ask = () =>
    service.fetch(`${service.issuer}/oauth/introspect`, {
      method: "POST",
      headers: {
        authorization: service.authorization,
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: `token=${encodeURIComponent(token)}&token_type_hint=access_token`,
      redirect: "error",
      signal,
    })
  try {
    return await ask()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return await ask()
  }
}

/** Whether the error says that the connection was lost, on Node or Bun. */
function isConnectionLost(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ConnectionClosed"].includes(String(cause?.code ?? code))
}

async function readAnswer(service: Service, response: Response): Promise<Access | null> {
  const { status } = response
  if (status === 200) return readIntrospection(await response.json(), service.issuer)
  await response.body?.cancel()
  const retryAfter = Number(response.headers.get("retry-after") ?? "")
  throw unavailable(service, { of: "introspection", status, cause: new UnexpectedStatus(status) }, retryAfter)
}

function unavailable(service: Service, trouble: UncountedTrouble, retryAfter = 0): ServiceUnavailable {
  service.report(trouble)
  const isGiven = Number.isFinite(retryAfter) && retryAfter >= 1
  return new ServiceUnavailable(isGiven ? Math.min(MAX_RETRY_SECONDS, Math.ceil(retryAfter)) : 2)
}
