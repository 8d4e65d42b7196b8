/** A factor in JSON, without its secret. */
import type { Factor } from "../../model/factor.rules.ts"
import {
  choice,
  idShape,
  instant,
  integer,
  list,
  optional,
  orNull,
  type Parsed,
  record,
  text,
} from "../../platform/json/shape.rules.ts"

export const factorShape = record("Factor", {
  id: idShape("factor"),
  kind: choice("The kind of factor.", ["totp", "passkey", "recovery"]),
  name: text("The name that its owner gave it.", "Phone"),
  added_at: instant("When it was added"),
  used_at: orNull(instant("When it was last used"), null),
  codes_left: optional(integer("How many recovery codes are left. Absent for other kinds.", 10)),
})

export const factorsShape = record("Factors", { factors: list("The factors of the account.", factorShape) })

export function factorRecord(factor: Factor): Parsed<typeof factorShape> {
  const { factorId, kind, name, addedAt, usedAt } = factor
  return {
    id: factorId,
    kind,
    name,
    added_at: addedAt,
    used_at: usedAt,
    ...(factor.kind === "recovery" && { codes_left: factor.codes.length }),
  }
}
