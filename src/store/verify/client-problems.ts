/** The invariants of a stored app. */
import { type ClientType, type RegisteredBy, SIGNING_ALGORITHMS } from "../../model/clients/client.rules.ts"
import { REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { wellFormedRedirectUri } from "../../model/clients/redirect-registration.rules.ts"
import { postLogoutProblem } from "../../model/clients/openid-members.rules.ts"
import { parseKeySet } from "../../model/clients/key-set.rules.ts"
import { discoveryOf, parseWorkload } from "../../model/clients/workload.rules.ts"
import { parseHttpsUrl } from "../../kernel/https-url.ts"
import { parseJson } from "../../kernel/json.ts"
import { parseClientName } from "../../model/clients/registration.rules.ts"
import type { ClientRow } from "../codecs/client-row.ts"
import { isClientId, isDocumentUrl, isIdentifier } from "../../kernel/identifier.ts"
import { areNames, isDigest, problemsIn, textsOf } from "./rule.ts"

const registrars = { administrator: true, user: true, itself: true, document: true } satisfies Record<
  RegisteredBy,
  true
>

export function clientProblems(row: ClientRow): string[] {
  return [
    ...nameProblems(row.name),
    ...redirectProblems(row),
    ...problemsIn(
      [!isIdOf(row), "client_id is not an identifier of such an app"],
      [!areNames(row.ceiling), "the ceiling is not a list of different names"],
      [!areNames(row.groups), "groups is not a list of different names"],
      [
        postLogoutProblem(row.post_logout_redirect_uris.split(" ").filter((uri) => uri !== "")) !== null,
        "post_logout_redirect_uris has an address that cannot be registered",
      ],
      [!Object.hasOwn(registrars, row.registered_by), `registered_by is ${row.registered_by}`],
      [row.secret_hash !== null && !isDigest(row.secret_hash), "secret_hash is not a digest"],
      [row.jwks !== null && !parseKeySet(parseJson(row.jwks)).ok, "jwks is not a set of public keys"],
      [row.jwks_uri !== null && !parseHttpsUrl(row.jwks_uri).ok, "jwks_uri is not an https URL"],
      [
        row.signing_alg !== null && !SIGNING_ALGORITHMS.some((known) => known === row.signing_alg),
        `signing_alg is ${row.signing_alg}`,
      ],
      [!isWorkload(row), "workload is not an issuer, an audience and a subject, or its keys are of another"],
      [
        row.registration_hash !== null && !isDigest(row.registration_hash),
        "registration_hash is not a digest",
      ],
      [
        row.gone_at !== null && row.registered_by !== "itself" && row.registered_by !== "document",
        "gone_at is set, but the app did not register itself",
      ],
      [
        row.service_token_id !== null && !isIdentifier(row.service_token_id),
        "service_token_id is not an identifier",
      ],
    ),
  ]
}

function isIdOf({ client_id, registered_by }: ClientRow): boolean {
  return registered_by === "document" ? isDocumentUrl(client_id) : isClientId(client_id)
}

function isWorkload({ workload, jwks, jwks_uri }: ClientRow): boolean {
  if (workload === null) return true
  const json = parseJson(workload)
  const textOf = (member: string) => String(json instanceof Map ? json.get(member) : null)
  const named = { issuer: textOf("issuer"), audience: textOf("audience"), subject: textOf("subject") }
  const isWritten = parseWorkload(named).ok && JSON.stringify(named) === workload
  return isWritten && (jwks !== null || jwks_uri === discoveryOf(named.issuer))
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
      [uris.length > REDIRECT_URIS_AT_MOST, `redirect_uris has ${uris.length} URIs`],
      [new Set(uris).size !== uris.length, "redirect_uris has a URI twice"],
    ),
  ]
}
