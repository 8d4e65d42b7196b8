/** Helpers that describe violated invariants. Each gets one sentence. */
import { isIdentifier } from "../../kernel/identifier.ts"
import { PERMISSION_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { isScopeToken } from "../../model/permissions/scope-token.rules.ts"

/** Returns the sentences of the invariants that are violated. */
export function problemsIn(...claims: readonly (readonly [isBroken: boolean, problem: string])[]): string[] {
  return claims.filter(([isBroken]) => isBroken).map(([, problem]) => problem)
}

/** Whether `text` is a SHA-256 digest: 43 characters of base64url without padding. */
export function isDigest(text: unknown): boolean {
  return typeof text === "string" && /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** Whether `text` is a list of permission names, separated by single spaces and without duplicates. */
export function areNames(text: string): boolean {
  const names = text === "" ? [] : text.split(" ")
  return names.every(isPermissionName) && new Set(names).size === names.length
}

function isPermissionName(text: string): boolean {
  return isScopeToken(text) && text.length <= PERMISSION_NAME_LENGTH_AT_MOST
}

/** Returns the texts of a JSON list. Returns null for anything else. */
export function textsOf(json: string): readonly string[] | null {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) && list.every((entry) => typeof entry === "string") ? list : null
  } catch {
    return null
  }
}

export function isIdentifierOrNull(text: string | null): boolean {
  return text === null || isIdentifier(text)
}
