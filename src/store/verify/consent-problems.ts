/** What must hold of the part of a credential that never changes: whose it is, for what, and its label. */
import { isIdentifier } from "../../kernel/identifier.ts"
import { RESOURCES_AT_MOST } from "../../kernel/limits.ts"
import type { CredentialRow } from "../codecs/credential-row.ts"
import { problemsIn, textsOf } from "./rule.ts"
import { parseInstallationName } from "../../records/installation-name.rules.ts"

export function consentProblems(row: CredentialRow): string[] {
  const ids = [row.token_id, row.client_id, row.user_id]
  const label = parseInstallationName(row.installation_name ?? undefined)
  const resources = row.resources === null ? [] : textsOf(row.resources)
  return problemsIn(
    [!ids.every(isIdentifier), "token_id, client_id or user_id is no identifier"],
    [!label.ok || label.value !== row.installation_name, "installation_name is no label"],
    [resources !== null && resources.length > RESOURCES_AT_MOST, "resources has too many addresses"],
  )
}
