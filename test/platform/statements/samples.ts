/** Statements that no signature protects, for tests of the rules. */
import type { StatementForm } from "../../../src/platform/statements/statement.rules.ts"
import { parseStatement, type Statement } from "../../../src/platform/statements/statement.rules.ts"
import { NOW } from "../../support/core-sample.ts"

export const ISSUER = "https://idp.example"
export const OURS = "https://auth.example"

export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
export const decode = (text: string) => Buffer.from(text, "base64url").toString("utf8")
export const jwtOf = (header: object, claims: object) => `${encode(header)}.${encode(claims)}.c2ln`

export const ANY: StatementForm = { types: "any", lengthAtMost: 16 * 1024 }
export const CLAIMS = { iss: ISSUER, sub: "s", aud: OURS, exp: NOW + 60, iat: NOW, jti: "once" }

export function statementOf(header: object, claims: object = {}): Statement {
  const parsed = parseStatement(
    jwtOf({ alg: "ES256", kid: "1", ...header }, { ...CLAIMS, ...claims }),
    decode,
    ANY,
  )
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}
