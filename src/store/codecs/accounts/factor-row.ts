import type { FactorId, Hash, UserId } from "../../../kernel/ids.ts"
import type { Factor, Passkey } from "../../../model/factor.rules.ts"
import { insertInto } from "../insert.ts"
import type { Value } from "../value.ts"

export type FactorRow = {
  readonly factor_id: string
  readonly user_id: string
  readonly kind: string
  readonly name: string
  readonly added_at: number
  readonly used_at: number | null
  readonly sealed_secret: string | null
  readonly used_step: number | null
  readonly credential_id: string | null
  readonly public_key: string | null
  readonly counter: number | null
  readonly transports: string | null
  readonly backed_up: number | null
  readonly codes: string | null
}

export const factorColumns =
  "factor_id, user_id, kind, name, added_at, used_at, sealed_secret, used_step, credential_id, public_key, counter, " +
  "transports, backed_up, codes"

export function factorOf(row: FactorRow): Factor {
  switch (row.kind) {
    case "totp":
      return {
        ...enrolledOf(row),
        kind: "totp",
        sealedSecret: row.sealed_secret ?? "",
        usedStep: row.used_step ?? 0,
      }
    case "passkey":
      return passkeyOf(row)
    case "recovery":
      return { ...enrolledOf(row), kind: "recovery", codes: wordsOf(row.codes) as Hash[] }
  }
  throw new Error(`the stored factor ${row.factor_id} has an unknown kind`)
}

export function passkeyOf(row: FactorRow): Passkey {
  return {
    ...enrolledOf(row),
    kind: "passkey",
    credentialId: row.credential_id ?? "",
    publicKey: row.public_key ?? "",
    counter: row.counter ?? 0,
    transports: wordsOf(row.transports),
    isBackedUp: row.backed_up === 1,
  }
}

function enrolledOf(row: FactorRow) {
  return {
    factorId: row.factor_id as FactorId,
    userId: row.user_id as UserId,
    name: row.name,
    addedAt: row.added_at,
    usedAt: row.used_at,
  }
}

export function factorValues(factor: Factor): Value[] {
  const { factorId, userId, kind, name, addedAt, usedAt } = factor
  return [factorId, userId, kind, name, addedAt, usedAt, ...ownValues(factor)]
}

function ownValues(factor: Factor): Value[] {
  switch (factor.kind) {
    case "totp":
      return [factor.sealedSecret, factor.usedStep, null, null, null, null, null, null]
    case "passkey": {
      const { credentialId, publicKey, counter, transports, isBackedUp } = factor
      return [null, null, credentialId, publicKey, counter, transports.join(" "), isBackedUp ? 1 : 0, null]
    }
    case "recovery":
      return [null, null, null, null, null, null, null, factor.codes.join(" ")]
  }
}

export const INSERT_FACTOR = insertInto("factor", factorColumns)

/** Updates only the columns that can change. The secret and the key never change. */
export const UPDATE_FACTOR = `
  UPDATE factor SET name = ?, used_at = ?, used_step = ?, counter = ?, backed_up = ?, codes = ? WHERE factor_id = ?`

export function changedValues(factor: Factor): Value[] {
  const { factorId, name, usedAt } = factor
  const usedStep = factor.kind === "totp" ? factor.usedStep : null
  const [counter, backedUp] =
    factor.kind === "passkey" ? [factor.counter, factor.isBackedUp ? 1 : 0] : [null, null]
  const codes = factor.kind === "recovery" ? factor.codes.join(" ") : null
  return [name, usedAt, usedStep, counter, backedUp, codes, factorId]
}

function wordsOf(text: string | null): string[] {
  return text === null || text === "" ? [] : text.split(" ")
}
