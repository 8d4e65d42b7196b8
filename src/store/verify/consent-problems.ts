/** The invariants of the consent, which never changes: its account, app, permissions and label. */
import { isClientId, isIdentifier, isUserId } from "../../kernel/identifier.ts"
import { RESOURCES_AT_MOST } from "../../kernel/limits.ts"
import type { CredentialRow } from "../codecs/credential-row.ts"
import { problemsIn, textsOf } from "./rule.ts"
import { parseInstallationName } from "../../model/installation-name.rules.ts"

/** The name of a number that no row has is null. A pattern would accept it as the text "null". */
function isNamedBy(isId: (text: string) => boolean, id: string | null): boolean {
  return id !== null && isId(id)
}

export function consentProblems(row: CredentialRow): string[] {
  const isNamed =
    isIdentifier(row.token_id) && isNamedBy(isUserId, row.user_id) && isNamedBy(isClientId, row.client_id)
  const label = parseInstallationName(row.installation_name ?? undefined)
  const resources = row.resources === null ? [] : textsOf(row.resources)
  return problemsIn(
    [!isNamed, "token_id, client_id or user_id is not an identifier"],
    [!label.ok || label.value !== row.installation_name, "installation_name is not a label"],
    [resources !== null && resources.length > RESOURCES_AT_MOST, "resources has too many URIs"],
  )
}
