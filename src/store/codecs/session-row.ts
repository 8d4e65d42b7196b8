import type { Proof, Session } from "../../model/account.rules.ts"
import { SESSIONS_AT_MOST } from "../../kernel/account-limits.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "./columns.ts"
import { insertInto } from "./insert.ts"
import type { Value } from "./value.ts"
import { sessionDeleteAfter } from "./retention.ts"

type Unproven = Omit<Session, "proof" | "vouched">

const columns = {
  sessionHash: "session_hash",
  userId: "user_id",
  createdAt: "created_at",
  seenAt: "seen_at",
  address: "address",
  userAgent: "user_agent",
} as const satisfies Columns<Unproven>

type ProofRow = {
  readonly proven_at: number | null
  readonly proven_by: string | null
  /** The methods, separated by spaces. */
  readonly proven_amr: string | null
}
type VouchedRow = { readonly vouched_by: string | null; readonly vouched_at: number | null }
export type SessionRow = RowOf<Unproven, typeof columns> & ProofRow & VouchedRow
export const sessionColumns = `${columnText(columns)}, proven_at, proven_by, proven_amr, vouched_by, vouched_at`

export function sessionOf(row: SessionRow): Session {
  const { proven_at: at, proven_by: by, proven_amr: amr, vouched_by: voucher, vouched_at: vouchedAt } = row
  const methods = amr === null ? {} : { amr: amr.split(" ") }
  const proof = at === null ? null : { by: by as Proof["by"], at, ...methods }
  const vouched = voucher === null || vouchedAt === null ? null : { by: voucher, at: vouchedAt }
  return { ...decode<Unproven, typeof columns>(columns, row), proof, vouched }
}

export const INSERT_SESSION = insertInto("session", `${sessionColumns}, gone_at`)

export function sessionValues(session: Session): Value[] {
  const { createdAt, seenAt, proof, vouched } = session
  const deleteAfter = sessionDeleteAfter(createdAt, seenAt)
  const voucher = [vouched?.by ?? null, vouched?.at ?? null]
  return [...encode<Unproven>(columns, session), ...proofValues(proof), ...voucher, deleteAfter]
}

/** What an account has beyond its limit, without the session that was just added. The values are `surplusValues`. */
const SURPLUS = `user_id = ? AND session_hash <> ? AND (seen_at, session_hash) <=
  (SELECT seen_at, session_hash FROM session WHERE user_id = ? AND session_hash <> ?
   ORDER BY seen_at DESC, session_hash DESC LIMIT 1 OFFSET ${SESSIONS_AT_MOST - 1})`
export const SURPLUS_SESSIONS = `SELECT session_hash FROM session WHERE ${SURPLUS}`
export const END_SURPLUS_SESSIONS = `DELETE FROM session WHERE ${SURPLUS}`

export function surplusValues({ userId, sessionHash }: Session): string[] {
  return [userId, sessionHash, userId, sessionHash]
}

export function proofValues(proof: Proof | null): Value[] {
  return [proof?.at ?? null, proof?.by ?? null, proof?.amr?.join(" ") ?? null]
}
