/** The answers of the gate. Proxies pass on only 200, 401, 403 and 503 as they are. */

export type GateAnswer = {
  readonly status: 200 | 401 | 403 | 503
  /** Names and values alternate. */
  readonly headers: readonly string[]
  readonly body: string
  /** For metrics and the log. */
  readonly reason: string
}

/** The part of the kit's refusal that is used. */
export type KitRefusal = {
  readonly reason: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly error: { readonly code: number; readonly status: string; readonly message: string }
  }
}

const COMMON = [
  "Content-Type",
  "application/json",
  "Cache-Control",
  "no-store",
  "X-Content-Type-Options",
  "nosniff",
]

/** A refusal that no token changes. Its message says nothing about the routes. */
export function refusedAnswer(reason: string, message: string): GateAnswer {
  const body = JSON.stringify({ error: { code: 403, status: "PERMISSION_DENIED", message } })
  return { status: 403, headers: COMMON, body, reason }
}

export const NOT_TRUSTED = refusedAnswer("notTrusted", "The caller is not a trusted proxy.")
export const NO_FAMILY = refusedAnswer("noFamily", "This is not an address of the gate for proxies.")
export const NOT_DECLARED = refusedAnswer("notDeclared", "This request is not allowed.")
export const PATH_REFUSED = refusedAnswer("pathRefused", "This path is not allowed.")

export function headerMissing(name: string): GateAnswer {
  return refusedAnswer("headerMissing", `The header ${name} is missing, empty or repeated.`)
}

export const UNCHECKED: GateAnswer = {
  status: 503,
  headers: [...COMMON, "Retry-After", "2"],
  body: JSON.stringify({
    error: { code: 503, status: "UNAVAILABLE", message: "The access token cannot be checked right now." },
  }),
  reason: "fault",
}

/** The refusal of the kit. Proxies would turn its 400 into 500: a malformed header gets 401, a missing elevation 403. */
export function answerOfRefusal({ reason, status, headers, body }: KitRefusal): GateAnswer {
  const code = status === 401 || status === 403 || status === 503 ? status : mapped(reason)
  return {
    status: code,
    headers: Object.entries(headers).flat(),
    body: JSON.stringify({ error: { ...body.error, code } }),
    reason,
  }
}

function mapped(reason: string): 401 | 403 {
  return reason === "tokenMalformed" ? 401 : 403
}
