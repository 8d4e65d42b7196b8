/** The authorization service, as the kit reaches it. */

/** What went wrong between the kit and the service; for a log. */
export type Trouble = {
  readonly of: "introspection" | "stream"
  /** What the service answered; null where it did not. 401 and 403: this API's own client id or secret is not right. */
  readonly status: number | null
  /** An error whose message says it in words. */
  readonly cause: unknown
  /** 1, or more where others like it came within a second of the one told before. */
  readonly times: number
}

/** As it happens, before it is counted. */
export type Untold = Omit<Trouble, "times">

export type Service = {
  /** Without a trailing slash, as the service publishes it. */
  readonly issuer: string
  /** The Authorization header of this API's own app. */
  readonly authorization: string
  readonly fetch: typeof globalThis.fetch
  readonly report: (trouble: Untold) => void
}

/** The service said no to this API itself, or nothing that belongs here. */
export class Unanswered extends Error {
  override readonly name = "Unanswered"
  readonly status: number

  constructor(status: number) {
    super(`the service answered ${status}${because.get(status) ?? ""}`)
    this.status = status
  }
}

const because: ReadonlyMap<number, string> = new Map([
  [401, ": the client id or secret is wrong, or the app is disabled"],
  [403, ": the app is not marked as a resource server"],
])

/** The service did not say whether the token is live. */
export class ServiceUnavailable extends Error {
  override readonly name = "ServiceUnavailable"
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super("the authorization service did not answer")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`
}
