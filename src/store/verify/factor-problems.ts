/** The invariants of a stored factor that the schema cannot check: the syntax of texts, and a missing second factor. */
import { FACTOR_NAME_LENGTH_AT_MOST, RECOVERY_CODES } from "../../kernel/account-limits.ts"
import { codePointCount } from "../../kernel/visible-text.ts"
import type { FactorRow } from "../codecs/accounts/factor-row.ts"
import { areNames, isDigest, problemsIn } from "./rule.ts"

/** A row, with a flag that says whether its account has a second factor. */
export type VerifiedFactorRow = FactorRow & { readonly has_second_factor: number }

export function factorProblems(row: VerifiedFactorRow): string[] {
  const nameLength = codePointCount(row.name)
  return [
    ...problemsIn(
      [nameLength < 1 || nameLength > FACTOR_NAME_LENGTH_AT_MOST, "the name is empty or too long"],
      [row.sealed_secret !== null && !isBase64Url(row.sealed_secret), "sealed_secret is not sealed text"],
      [row.credential_id !== null && !isBase64Url(row.credential_id), "credential_id is not base64url"],
      [row.public_key !== null && !isBase64Url(row.public_key), "public_key is not base64url"],
      [row.transports !== null && !areNames(row.transports), "transports is not a list of different names"],
    ),
    ...recoveryProblems(row),
  ]
}

function recoveryProblems({ kind, codes, has_second_factor }: VerifiedFactorRow): string[] {
  if (kind !== "recovery") return []
  const digests = codes === null || codes === "" ? [] : codes.split(" ")
  return problemsIn(
    [digests.length > RECOVERY_CODES, `${digests.length} codes are kept`],
    [!digests.every(isDigest), "a code is not a digest"],
    [new Set(digests).size !== digests.length, "a code is stored twice"],
    [has_second_factor === 0, "the account has recovery codes, but no second factor"],
  )
}

function isBase64Url(text: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(text)
}
