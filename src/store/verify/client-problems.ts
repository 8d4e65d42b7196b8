/** The invariants of one stored app. */
import type { ClientType, RegisteredBy } from "../../records/client.rules.ts"
import { REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { wellFormedRedirectUri } from "../../records/redirect-registration.rules.ts"
import { parseClientName } from "../../records/registration.rules.ts"
import type { ClientRow } from "../codecs/client-row.ts"
import { areNames, isDigest, isIdentifierOrNull, problemsIn, textsOf } from "./rule.ts"

const registrars = { administrator: true, user: true, itself: true } satisfies Record<RegisteredBy, true>

export function clientProblems(row: ClientRow): string[] {
  return [
    ...nameProblems(row.name),
    ...redirectProblems(row),
    ...problemsIn(
      [!isIdentifierOrNull(row.client_id), "client_id is no identifier"],
      [!areNames(row.ceiling), "the ceiling is not a list of different names"],
      [!Object.hasOwn(registrars, row.registered_by), `registered_by says ${row.registered_by}`],
      [row.secret_hash !== null && !isDigest(row.secret_hash), "secret_hash is no digest"],
      [row.registration_hash !== null && !isDigest(row.registration_hash), "registration_hash is no digest"],
      [
        row.gone_at !== null && row.registered_by !== "itself",
        "it goes by itself and did not come by itself",
      ],
    ),
  ]
}

function nameProblems(name: string): string[] {
  const parsed = parseClientName(name)
  if (!parsed.ok) return [`name: ${parsed.error}`]
  return problemsIn([parsed.value !== name, "name is not composed and trimmed"])
}

function redirectProblems(row: ClientRow): string[] {
  const uris = textsOf(row.redirect_uris)
  if (uris === null) return ["redirect_uris is not a JSON list of texts"]
  const problems = uris.flatMap((uri) => {
    const checked = wellFormedRedirectUri(uri, row.type as ClientType)
    return checked.ok ? [] : [`redirect_uris, ${JSON.stringify(uri)}: ${checked.error}`]
  })
  return [
    ...problems,
    ...problemsIn(
      [uris.length > REDIRECT_URIS_AT_MOST, `redirect_uris has ${uris.length} addresses`],
      [new Set(uris).size !== uris.length, "redirect_uris has an address twice"],
    ),
  ]
}
