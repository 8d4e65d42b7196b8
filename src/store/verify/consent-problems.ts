/** The invariants of the consent, which never changes: its account, app, permissions and label. */
import { isClientId, isIdentifier } from "../../kernel/identifier.ts"
import { RESOURCES_AT_MOST } from "../../kernel/limits.ts"
import type { CredentialRow } from "../codecs/credential-row.ts"
import { problemsIn, textsOf } from "./rule.ts"
import { parseInstallationName } from "../../records/installation-name.rules.ts"

export function consentProblems(row: CredentialRow): string[] {
  const isNamed = isIdentifier(row.token_id) && isIdentifier(row.user_id) && isClientId(row.client_id)
  const label = parseInstallationName(row.installation_name ?? undefined)
  const resources = row.resources === null ? [] : textsOf(row.resources)
  return problemsIn(
    [!isNamed, "token_id, client_id or user_id is not an identifier"],
    [!label.ok || label.value !== row.installation_name, "installation_name is not a label"],
    [resources !== null && resources.length > RESOURCES_AT_MOST, "resources has too many URIs"],
  )
}
