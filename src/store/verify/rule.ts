/** Helpers for problems of stored rows: a sentence for each invariant that does not hold. */
import { isIdentifier } from "../../kernel/identifier.ts"
import { PERMISSION_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { isScopeToken } from "../../permissions/scope-token.rules.ts"

/** Collects the sentences whose condition holds. */
export function problemsIn(...claims: readonly (readonly [isBroken: boolean, problem: string])[]): string[] {
  return claims.filter(([isBroken]) => isBroken).map(([, problem]) => problem)
}

/** A SHA-256 digest, base64url without padding: 43 characters. */
export function isDigest(text: unknown): boolean {
  return typeof text === "string" && /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** Names that a permission can have, divided by single spaces, none twice. */
export function areNames(text: string): boolean {
  const names = text === "" ? [] : text.split(" ")
  return names.every(isPermissionName) && new Set(names).size === names.length
}

function isPermissionName(text: string): boolean {
  return isScopeToken(text) && text.length <= PERMISSION_NAME_LENGTH_AT_MOST
}

/** The texts of a JSON list, or null for anything else. */
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
