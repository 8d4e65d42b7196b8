import type { Proof, Session } from "../../model/account.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { insertInto } from "./insert.ts"
import type { Value } from "./value.ts"
import { sessionDeleteAfter } from "./retention.ts"

export type SessionRow = {
  readonly session_hash: string
  readonly user_id: string
  readonly created_at: number
  readonly seen_at: number
  readonly address: string
  readonly user_agent: string
  readonly proven_at: number | null
  readonly proven_by: string | null
}

export const sessionColumns =
  "session_hash, user_id, created_at, seen_at, address, user_agent, proven_at, proven_by"

export function sessionOf(row: SessionRow): Session {
  return {
    sessionHash: row.session_hash as Hash,
    userId: row.user_id as UserId,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    address: row.address,
    userAgent: row.user_agent,
    proof: row.proven_at === null ? null : { by: row.proven_by as Proof["by"], at: row.proven_at },
  }
}

export const INSERT_SESSION = insertInto("session", `${sessionColumns}, gone_at`)

export function sessionValues(session: Session): Value[] {
  const { sessionHash, userId, createdAt, seenAt, address, userAgent, proof } = session
  return [
    sessionHash,
    userId,
    createdAt,
    seenAt,
    address,
    userAgent,
    proof?.at ?? null,
    proof?.by ?? null,
    sessionDeleteAfter(createdAt, seenAt),
  ]
}
