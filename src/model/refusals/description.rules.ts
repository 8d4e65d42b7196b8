/** What a refusal says to the developer of the app, where the description of its reason can be more exact. */
import { wireError } from "./reasons.rules.ts"
import type { Refusal } from "./refusal.rules.ts"

/** Parameters that a description may name. Another name is text of the request. */
const DESCRIBED: ReadonlySet<string> = new Set([
  "client_id",
  "client_secret",
  "code",
  "code_verifier",
  "device_code",
  "grant_type",
  "installation_name",
  "redirect_uri",
  "refresh_token",
  "resource",
  "scope",
  "token",
])

/**
 * Returns the description of a refusal for developers. It names a missing parameter, and the place at which a form is
 * malformed. Other names come from the request, and no description contains text of a request.
 */
export function descriptionOf(refusal: Refusal): string {
  const { description } = wireError(refusal.reason)
  if (refusal.reason === "parameterMissing") return `${description.slice(0, -1)}: ${refusal.parameter}.`
  if (refusal.reason !== "bodyNotForm" || refusal.place === undefined) return description
  const inside = DESCRIBED.has(refusal.parameter ?? "") ? `, in ${refusal.parameter},` : ""
  const space = refusal.isSpace === true ? " A form encodes a space as + or %20." : ""
  return `${description.slice(0, -1)}: character ${refusal.place}${inside} is not encoded correctly.${space}`
}
