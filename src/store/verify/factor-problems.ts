/** The invariants of one stored factor: which columns its kind fills, and what they may say. */
import { FACTOR_NAME_LENGTH_AT_MOST, RECOVERY_CODES } from "../../kernel/limits.ts"
import { codePointCount } from "../../kernel/visible-text.ts"
import type { FactorRow } from "../codecs/factor-row.ts"
import { areNames, isDigest, problemsIn } from "./rule.ts"

/** A row with whether its account has a second factor at all. */
export type VerifiedFactorRow = FactorRow & { readonly has_second_factor: number }

type Column = keyof FactorRow

/** The columns that one kind fills and the others leave empty. */
const columnsOf: Readonly<Record<string, readonly Column[]>> = {
  __proto__: null as never,
  totp: ["sealed_secret", "used_step"],
  passkey: ["credential_id", "public_key", "counter", "transports", "backed_up"],
  recovery: ["codes"],
}

export function factorProblems(row: VerifiedFactorRow): string[] {
  if (!(row.kind in columnsOf)) return [`the kind ${row.kind} does not exist`]
  const nameLength = codePointCount(row.name)
  return [
    ...columnProblems(row),
    ...problemsIn(
      [nameLength < 1 || nameLength > FACTOR_NAME_LENGTH_AT_MOST, "the name is empty or too long"],
      [row.sealed_secret !== null && !isBase64Url(row.sealed_secret), "sealed_secret is not sealed text"],
      [row.used_step !== null && row.used_step < 0, "used_step is negative"],
      [row.credential_id !== null && !isBase64Url(row.credential_id), "credential_id is not base64url"],
      [row.public_key !== null && !isBase64Url(row.public_key), "public_key is not base64url"],
      [row.counter !== null && row.counter < 0, "counter is negative"],
      [row.backed_up !== null && row.backed_up !== 0 && row.backed_up !== 1, "a flag is neither 0 nor 1"],
      [row.transports !== null && !areNames(row.transports), "transports is no list of different names"],
    ),
    ...recoveryProblems(row),
  ]
}

function columnProblems(row: VerifiedFactorRow): string[] {
  return Object.entries(columnsOf).flatMap(([kind, columns]) =>
    columns
      .filter((column) => (row[column] !== null) !== (kind === row.kind))
      .map(
        (column) => `${column} is ${kind === row.kind ? "empty" : "filled"} in a factor of kind ${row.kind}`,
      ),
  )
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
