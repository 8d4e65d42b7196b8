/** Identifiers in requests. A text that cannot be the identifier of a row is refused before the store is asked. */
import { isClientId, isIdentifier, isUserId } from "../../kernel/identifier.ts"
import { DOCUMENT_URL_BYTES_AT_MOST, USER_ID_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { EXAMPLE_ID, refined, type Shape, text } from "../../platform/json/shape.rules.ts"

export function identifierShape(description: string): Shape<string> {
  return refined(text(description, EXAMPLE_ID, { most: 26 }), isIdentifier, "is not an identifier.")
}

export function userIdShape(description: string): Shape<string> {
  const id = text(description, EXAMPLE_ID, { most: USER_ID_LENGTH_AT_MOST })
  return refined(id, isUserId, "is not the id of an account.")
}

export function clientIdShape(description: string): Shape<string> {
  const id = text(description, EXAMPLE_ID, { most: DOCUMENT_URL_BYTES_AT_MOST })
  return refined(id, isClientId, "is not an identifier.")
}
