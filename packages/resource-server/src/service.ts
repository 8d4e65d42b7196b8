/** The connection to the authorization service. */

/** A problem with the service, for a log. */
export type Trouble = {
  readonly of: "introspection" | "stream"
  /**
   * The status of the response, or null if there was none. A status of 401 or 403 means that the app of this API is not
   * set up correctly.
   */
  readonly status: number | null
  /** An error with a readable message. */
  readonly cause: unknown
  /** The number of problems of this kind since the last report. */
  readonly times: number
}

/** A problem as it occurs, without the number of its occurrences. */
export type UncountedTrouble = Omit<Trouble, "times">

export type Service = {
  /** The base URL without a trailing slash. */
  readonly issuer: string
  /** The Authorization header that this API sends to the service. */
  readonly authorization: string
  readonly fetch: typeof globalThis.fetch
  readonly report: (trouble: UncountedTrouble) => void
}

/** The service refused this API or responded with an unexpected status. */
export class UnexpectedStatus extends Error {
  override readonly name = "Unanswered"
  readonly status: number

  constructor(status: number) {
    super(`the service answered ${status}${explanations.get(status) ?? ""}`)
    this.status = status
  }
}

const explanations: ReadonlyMap<number, string> = new Map([
  [401, ": the client id or secret is wrong, or the app is disabled"],
  [403, ": the app is not marked as a resource server"],
])

/** The service did not respond, or its response is not valid. */
export class ServiceUnavailable extends Error {
  override readonly name = "ServiceUnavailable"
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super("the authorization service did not answer")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Builds the header of RFC 6749 §2.3.1. It form-encodes id and secret before encoding them as base64. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`
}
