/** The reasons why an outgoing request fails. Their descriptions never repeat text that the other host sent. */

const DESCRIPTIONS = {
  urlRefused: "The URL does not have the required form.",
  tooManyRequests: "Too many outgoing requests. Try again in a minute.",
  nameUnresolved: "The host name has no address.",
  addressRefused: "The host has an address that may not be requested.",
  connectionFailed: "The connection to the host failed.",
  certificateRefused: "The host has no valid certificate.",
  deadlinePassed: "The host did not answer in time.",
  redirected: "The host answered with a redirect, which is not followed.",
  statusNotOk: "The host did not answer with status 200.",
  notJson: "The answer is not JSON.",
  encoded: "The answer is compressed.",
  tooLong: "The answer is too long.",
  malformed: "The answer is not valid HTTP.",
  contentRefused: "The content was refused.",
} as const

export type FetchReason = keyof typeof DESCRIPTIONS

export type FetchFailure = {
  readonly reason: FetchReason
  /** A sentence for operators in the log, in the console and on the command line. */
  readonly description: string
  /** The HTTP status, if the host answered with one that fails. */
  readonly status?: number
}

/** Builds a failure. `detail` replaces the description and must not contain text of the other host. */
export function fetchFailure(reason: FetchReason, detail?: string): FetchFailure {
  return { reason, description: detail ?? DESCRIPTIONS[reason] }
}

/** Returns the failure for an HTTP status. Returns null for status 200. */
export function statusFailure(status: number): FetchFailure | null {
  if (status === 200) return null
  if (status >= 300 && status < 400 && status !== 304) return { ...fetchFailure("redirected"), status }
  return { ...fetchFailure("statusNotOk", `The host answered with status ${status}.`), status }
}

export function connectionFailure(code: string | undefined): FetchFailure {
  if (code === "HPE_HEADER_OVERFLOW")
    return fetchFailure("tooLong", "The headers of the answer are too long.")
  if (code?.startsWith("HPE_") === true) return fetchFailure("malformed")
  return fetchFailure(
    code !== undefined && CERTIFICATE.test(code) ? "certificateRefused" : "connectionFailed",
  )
}

const CERTIFICATE =
  /CERT|CRL|SIGNATURE|UNABLE_TO_(?:GET|VERIFY)|SELF_SIGNED|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH/

/** The failure of an answer that is not JSON. A signed or encrypted one is named, because it is a setting there. */
export function typeFailure(contentType: string | undefined): FetchFailure {
  return /^application\/jwt[ \t]*(?:;|$)/i.test(contentType ?? "")
    ? fetchFailure("notJson", "The answer is signed or encrypted (application/jwt). Plain JSON is expected.")
    : fetchFailure("notJson")
}

/** Whether the media type is `application/json`, or has the suffix `+json` (RFC 6839 §3.1). */
export function isJsonType(contentType: string | undefined): boolean {
  return /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json[ \t]*(?:;|$)/i.test(contentType ?? "")
}
