import type { Proof, Session } from "../../model/account.rules.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "./columns.ts"
import { insertInto } from "./insert.ts"
import type { Value } from "./value.ts"
import { sessionDeleteAfter } from "./retention.ts"

type Unproven = Omit<Session, "proof">

const columns = {
  sessionHash: "session_hash",
  userId: "user_id",
  createdAt: "created_at",
  seenAt: "seen_at",
  address: "address",
  userAgent: "user_agent",
} as const satisfies Columns<Unproven>

type ProofRow = { readonly proven_at: number | null; readonly proven_by: string | null }
export type SessionRow = RowOf<Unproven, typeof columns> & ProofRow
export const sessionColumns = `${columnText(columns)}, proven_at, proven_by`

export function sessionOf(row: SessionRow): Session {
  const proof = row.proven_at === null ? null : { by: row.proven_by as Proof["by"], at: row.proven_at }
  return { ...decode<Unproven, typeof columns>(columns, row), proof }
}

export const INSERT_SESSION = insertInto("session", `${sessionColumns}, gone_at`)

export function sessionValues(session: Session): Value[] {
  const { createdAt, seenAt, proof } = session
  const deleteAfter = sessionDeleteAfter(createdAt, seenAt)
  return [...encode<Unproven>(columns, session), proof?.at ?? null, proof?.by ?? null, deleteAfter]
}
