/** The invariants of one stored app. */
import type { ClientType, RegisteredBy } from "../../records/client.rules.ts"
import { REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { wellFormedRedirectUri } from "../../records/redirect-registration.rules.ts"
import { parseClientName } from "../../records/registration.rules.ts"
import type { ClientRow } from "../codecs/client-row.ts"
import { areNames, isBit, isDigest, isIdentifierOrNull, problemsIn, textsOf } from "./rule.ts"

/** A row with whether its owner is there. */
export type VerifiedClientRow = ClientRow & { readonly has_owner: number }

const registrars = { administrator: true, user: true, itself: true } satisfies Record<RegisteredBy, true>

export function clientProblems(row: VerifiedClientRow): string[] {
  const flags = [row.verified, row.step_up, row.resource_server, row.enabled, row.disabled_by_owner]
  return [
    ...typeProblems(row),
    ...nameProblems(row.name),
    ...redirectProblems(row),
    ...problemsIn(
      [!isIdentifierOrNull(row.client_id), "client_id is no identifier"],
      [!areNames(row.ceiling), "the ceiling is not a list of different names"],
      [!flags.every(isBit), "a flag is neither 0 nor 1"],
      [row.enabled === 1 && row.disabled_by_owner === 1, "it is enabled, and disabled by its owner"],
      [!Object.hasOwn(registrars, row.registered_by), `registered_by says ${row.registered_by}`],
      [row.owner_id !== null && row.has_owner === 0, "the owner does not exist"],
      [row.registration_hash !== null && !isDigest(row.registration_hash), "registration_hash is no digest"],
      [
        row.gone_at !== null && row.registered_by !== "itself",
        "it goes by itself and did not come by itself",
      ],
      [row.registration_hash !== null && row.gone_at === null, "registration_hash and gone_at disagree"],
    ),
  ]
}

function typeProblems(row: ClientRow): string[] {
  return problemsIn(
    [row.type !== "public" && row.type !== "confidential", `the type ${row.type} does not exist`],
    [(row.type === "confidential") !== (row.secret_hash !== null), "type and secret_hash disagree"],
    [row.secret_hash !== null && !isDigest(row.secret_hash), "secret_hash is no digest"],
    [row.type !== "confidential" && row.resource_server === 1, "a public app is a resource server"],
  )
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
