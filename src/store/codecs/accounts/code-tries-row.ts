import type { CodeTries } from "../../../model/factor.rules.ts"
import { type Columns, columnText, decode, type RowOf } from "../columns.ts"

const columns = {
  userId: "user_id",
  unknownFailures: "unknown_failures",
  knownFailures: "known_failures",
} as const satisfies Columns<CodeTries>

export type CodeTriesRow = RowOf<CodeTries, typeof columns>
export const codeTriesColumns = columnText(columns)
export const codeTriesOf = (row: CodeTriesRow): CodeTries => decode(columns, row)
