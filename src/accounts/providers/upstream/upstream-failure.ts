/** Why a sign-in through a provider failed. `detail` is for the log and for operators. It contains no secret. */
export type UpstreamFailure = {
  readonly kind:
    /** The provider does not answer. */
    | "unreachable"
    /** The provider answers in a form that this service does not read: signed, compressed, redirected, status 201. */
    | "unusable"
    /** Too many requests to the provider are under way. */
    | "busy"
    /** The person canceled at the provider. */
    | "canceled"
    /** The provider answered with an error. */
    | "refused"
    /** The provider refuses this service, or its metadata does not fit the configuration. */
    | "misconfigured"
    /** An answer did not pass its checks. */
    | "invalid"
    /** An answer came too late, was used before, or answers no sign-in of this browser. */
    | "stale"
  readonly detail: string
}

/** The provider answered with an error in place of a sign-in. RFC 6749 §4.1.2.1. */
export function errorAnswer(error: string): UpstreamFailure {
  const kind = error === "access_denied" ? "canceled" : "refused"
  return { kind, detail: `The provider answered with the error ${shown(error)}.` }
}

export function shown(error: string): string {
  return /^[a-z_.]{1,60}$/i.test(error) ? error : "of an unknown kind"
}

/** Thrown through the client library. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError"
  readonly failure: UpstreamFailure

  constructor(failure: UpstreamFailure) {
    super(failure.detail)
    this.failure = failure
  }
}
