/** Parses the file of live refresh tokens: one JSON object in each line. MOVE-7. */
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { closure, isAdmin } from "../../model/permissions/permission.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Json } from "../../kernel/json.ts"
import type { MovedToken, Skipped } from "./moved.rules.ts"

const MEMBERS = ["client_id", "user_id", "scope", "ends_at"] as const

/** `isHydra` says whether the lines have `signature` in place of `digest`. */
export function parseTokenLine(members: Json | undefined, isHydra: boolean): Result<MovedToken, Problem> {
  const key = isHydra ? "signature" : "digest"
  if (!(members instanceof Map)) return err("It is not a JSON object.")
  const unknown = [...members.keys()].find((name) => name !== key && !MEMBERS.some((known) => known === name))
  if (unknown !== undefined) return err(`The member ${JSON.stringify(unknown)} is unknown.`)
  const texts = [key, "client_id", "user_id", "scope"].map((name) => members.get(name))
  const [secret, clientId, userId, scope] = texts
  const endsAt = members.get("ends_at")
  if (typeof secret !== "string" || !(isHydra ? SIGNATURE : DIGEST).test(secret))
    return err(isHydra ? "signature is not 43 base64url characters." : "digest is not 64 hexadecimal digits.")
  if (typeof clientId !== "string" || typeof userId !== "string" || typeof scope !== "string")
    return err("client_id, user_id and scope must be texts.")
  if (typeof endsAt !== "number" || !Number.isSafeInteger(endsAt) || endsAt < 0)
    return err("ends_at is not a number of seconds.")
  return ok({
    digest: isHydra ? null : secret.toLowerCase(),
    signature: isHydra ? secret : null,
    clientId,
    userId,
    scope: scope.split(" ").filter((name) => name !== ""),
    endsAt,
  })
}

const DIGEST = /^[0-9a-fA-F]{64}$/
const SIGNATURE = /^[A-Za-z0-9_-]{43}$/

/** `other` is an id under which the file means another account or app than the one that is here. */
export type Match = "same" | "other" | "missing"

export type TokenFacts = {
  readonly account: Match
  readonly app: Match
  readonly now: number
}

/** The consent of a token, closed under implication, and the names that it leaves behind. */
export type TokenJudgment = { readonly scope: readonly Permission[]; readonly skipped: readonly Skipped[] }

/** Decides on a token. An `admin:` name is given by an administrator of this service only (MOVE-2). */
export function judgeToken(
  catalog: Catalog,
  { clientId, userId, scope, endsAt }: MovedToken,
  { account, app, now }: TokenFacts,
): Result<TokenJudgment, Skipped> {
  const name = `${userId} ${clientId}`
  const skip = (reason: string) => err<Skipped>({ what: "token", name, reason })
  if (account === "missing") return skip("There is no account of this id.")
  if (account === "other") return skip("The account of this id does not move in.")
  if (app === "missing") return skip("There is no app of this client_id.")
  if (app === "other") return skip("The app of this client_id does not move in.")
  if (endsAt <= now) return skip("It has expired.")
  const known = scope.filter((one): one is Permission => catalog.has(one as Permission) && !isAdmin(one))
  if (known.length === 0) return skip("No permission of its scope exists here.")
  const skipped = scope
    .filter(isAdmin)
    .map((one): Skipped => ({ what: "permission", name, reason: withoutAdministration(one) }))
  return ok({ scope: closure(catalog, known), skipped })
}

/** Why an `admin:` name of an app or of a token stays behind. */
export function withoutAdministration(name: string): string {
  return `${JSON.stringify(name)} gives administration, which does not move in.`
}
