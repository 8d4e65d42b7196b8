/** The headers that the app reads. Each of them is always set, so that a client's own copy never arrives. */
import type { GateAnswer } from "./answer.rules.ts"

/** The part of the kit's access that is used. */
export type Identified = {
  readonly accountId: string
  readonly username: string
  readonly clientId: string
  readonly tokenId: string
  readonly permissions: readonly string[]
  readonly groups: readonly string[]
}

export function passedAnswer(access: Identified, assertion: string): GateAnswer {
  return passed("passed", [
    access.accountId,
    encodeURIComponent(access.username),
    access.clientId,
    access.tokenId,
    access.permissions.join(" "),
    access.groups.join(" "),
    assertion,
  ])
}

/** The names of the headers in the order of the values above. */
export const IDENTITY_HEADERS = [
  "Latchkey-Account",
  "Latchkey-Username",
  "Latchkey-Client",
  "Latchkey-Credential",
  "Latchkey-Permissions",
  "Latchkey-Groups",
  "Latchkey-Assertion",
] as const

export const PUBLIC_ANSWER = passed(
  "public",
  IDENTITY_HEADERS.map(() => ""),
)

function passed(reason: string, values: readonly string[]): GateAnswer {
  const identity = IDENTITY_HEADERS.flatMap((name, at) => [name, values[at] ?? ""])
  return { status: 200, headers: [...identity, "Cache-Control", "no-store"], body: "", reason }
}
