import type { UserId } from "../../kernel/ids.ts"
import type { CodeTries } from "../../model/factor.rules.ts"

export type CodeTriesRow = {
  readonly user_id: string
  readonly unknown_failures: number
  readonly known_failures: number
}

export const codeTriesColumns = "code_tries.user_id, code_tries.unknown_failures, code_tries.known_failures"

export function codeTriesOf(row: CodeTriesRow): CodeTries {
  return {
    userId: row.user_id as UserId,
    unknownFailures: row.unknown_failures,
    knownFailures: row.known_failures,
  }
}
