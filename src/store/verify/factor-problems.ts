/** What the schema cannot say of one stored factor: the syntax of its texts, and what it needs of others. */
import { FACTOR_NAME_LENGTH_AT_MOST, RECOVERY_CODES } from "../../kernel/limits.ts"
import { codePointCount } from "../../kernel/visible-text.ts"
import type { FactorRow } from "../codecs/factor-row.ts"
import { areNames, isDigest, problemsIn } from "./rule.ts"

/** A row, and whether its account has a second factor. */
export type VerifiedFactorRow = FactorRow & { readonly has_second_factor: number }

export function factorProblems(row: VerifiedFactorRow): string[] {
  const nameLength = codePointCount(row.name)
  return [
    ...problemsIn(
      [nameLength < 1 || nameLength > FACTOR_NAME_LENGTH_AT_MOST, "the name is empty or too long"],
      [row.sealed_secret !== null && !isBase64Url(row.sealed_secret), "sealed_secret is not sealed text"],
      [row.credential_id !== null && !isBase64Url(row.credential_id), "credential_id is not base64url"],
      [row.public_key !== null && !isBase64Url(row.public_key), "public_key is not base64url"],
      [row.transports !== null && !areNames(row.transports), "transports is no list of different names"],
    ),
    ...recoveryProblems(row),
  ]
}

function recoveryProblems({ kind, codes, has_second_factor }: VerifiedFactorRow): string[] {
  if (kind !== "recovery") return []
  const digests = codes === null || codes === "" ? [] : codes.split(" ")
  return problemsIn(
    [digests.length > RECOVERY_CODES, `${digests.length} codes are kept`],
    [!digests.every(isDigest), "a code is no digest"],
    [new Set(digests).size !== digests.length, "a code is there twice"],
    [has_second_factor === 0, "recovery codes without a second factor"],
  )
}

function isBase64Url(text: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(text)
}
