/** Asking the service: POST /oauth/introspect (RFC 7662 §2.1), with bounds on everything. */
import { type Access, readIntrospection } from "./access.ts"
import { Slots } from "./slots.ts"
import { type Service, ServiceUnavailable, Unanswered, type Untold } from "./service.ts"

export type Ask = (token: string) => Promise<Access | null>

export type IntrospectionBounds = {
  /** From the check to the answer, waiting for a turn included. */
  readonly timeoutMilliseconds: number
  /** Questions that are under way at a time. */
  readonly concurrency: number
}

/** Checks that may wait for a turn; one more is answered 503. */
const WAITING_AT_MOST = 1000

const LONGEST_RETRY_SECONDS = 60

/**
 * Answers null for a token that is not live. Throws `ServiceUnavailable` for everything but an answer: no request passes
 * because the service could not be asked.
 */
export function introspectionAt(service: Service, bounds: IntrospectionBounds): Ask {
  const slots = new Slots(bounds.concurrency, WAITING_AT_MOST)
  return async (token) => {
    const deadline = AbortSignal.timeout(bounds.timeoutMilliseconds)
    if (!(await slots.take())) throw new ServiceUnavailable(1)
    try {
      deadline.throwIfAborted()
      return await answerOf(service, await sent(service, token, deadline))
    } catch (error) {
      if (error instanceof ServiceUnavailable) throw error
      throw unavailable(service, { of: "introspection", status: null, cause: error })
    } finally {
      slots.give()
    }
  }
}

/** A connection that was kept open may have been closed by the other side just now: that is tried once more. */
async function sent(service: Service, token: string, signal: AbortSignal): Promise<Response> {
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

/** What runtimes throw when a connection broke; Node and Bun say why. */
function isConnectionLost(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ConnectionClosed"].includes(String(cause?.code ?? code))
}

async function answerOf(service: Service, response: Response): Promise<Access | null> {
  const { status } = response
  if (status === 200) return readIntrospection(await response.json(), service.issuer)
  await response.body?.cancel()
  const retryAfter = Number(response.headers.get("retry-after") ?? "")
  throw unavailable(service, { of: "introspection", status, cause: new Unanswered(status) }, retryAfter)
}

function unavailable(service: Service, trouble: Untold, retryAfter = 0): ServiceUnavailable {
  service.report(trouble)
  const isGiven = Number.isFinite(retryAfter) && retryAfter >= 1
  return new ServiceUnavailable(isGiven ? Math.min(LONGEST_RETRY_SECONDS, Math.ceil(retryAfter)) : 2)
}
