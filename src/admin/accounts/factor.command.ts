/** The commands on the factors of an account. */
import type { Account } from "../../model/account.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import { type Factor, isSecondFactor } from "../../model/factor.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { factorsOf, resetFactorsOf } from "../../accounts/factors/factor.ts"
import { baseUrlFlag, baseUrlForLinks } from "../../platform/cli/base-url-flag.ts"
import { type Answer, command, done, refused, usageError } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { facts, instant, printedList } from "../../platform/cli/print.ts"
import { keysOf } from "../../platform/cli/service-keys.ts"
import { findPerson } from "../../accounts/find-account.ts"
import { factorRecord } from "./factor-record.ts"

const totp = command({
  name: "account totp",
  summary: "Enroll a one-time password (TOTP) for an account and print its secret",
  operands: ["NAME"],
  flags: {
    "base-url": {
      ...baseUrlFlag,
      summary: "the base URL of the service, whose host the app shows (default: the one it last served with)",
    },
  },
  notes: [
    "From then on, signing in needs the password and a code. The secret is printed once, for the owner's authenticator " +
      "app. It is stored encrypted with the service secret.",
  ],
  example: "latchkey account totp alice",
  run: ({ flags, operands: [name], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const baseUrl = await baseUrlForLinks({ flags, globals }, opened.store)
      if (!baseUrl.ok) return usageError(baseUrl.error)
      const keys = await keysOf(opened)
      if (!keys.ok) return refused(keys.error)
      // This import is late, because only this command uses TOTP.
      const { addTotp } = await import("../../accounts/factors/totp.ts")
      const added = await addTotp(
        { ...opened, keys: keys.value, issuer: baseUrl.value },
        name,
        fromCommandLine,
      )
      if (!added.ok) return refused(added.error)
      const json = { secret: added.value.secret, otpauth_uri: added.value.uri }
      return done(json, facts(json))
    }),
})

const factors = command({
  name: "account factors",
  summary: "List or remove the second factors of an account",
  operands: ["NAME", "list|reset"],
  notes: [
    "reset removes every one-time password, passkey and recovery code, and signs out every browser. Then the password " +
      "alone is enough to sign in, so make sure that the request comes from the owner.",
  ],
  example: "latchkey account factors alice list",
  run: ({ operands: [name, verb], globals }) =>
    withStore(globals, "refuse", (opened) => (verb === "reset" ? reset(opened, name) : list(opened, name))),
})

export const factorCommands = [totp, factors]

async function list(opened: Opened, name: string): Promise<Answer> {
  const found = await findPerson(opened, name)
  if (!found.ok) return refused(found.error)
  const records = (await factorsOf(opened, found.value.userId)).map(record)
  return printedList(records, "The account has no second factor.", (row) => ({
    kind: row.kind,
    name: row.name,
    "codes left": row.codes_left,
    added: instant(row.added_at),
    "last used": instant(row.used_at),
    "factor id": row.factor_id,
  }))
}

async function reset(opened: Opened, name: string): Promise<Answer> {
  const answer = await resetFactors(opened, name, fromCommandLine)
  if (!answer.ok) return refused(answer.error)
  const { account, removed } = answer.value
  const json = { user_id: account.userId, username: account.username, removed }
  return done(json, facts(json))
}

/** Removes all factors of a person who lost them, and signs out every browser. */
export async function resetFactors(
  services: Pick<Opened, "store" | "clock">,
  name: string,
  from: Actor,
): Promise<Result<{ readonly account: Account; readonly removed: number }, Problem>> {
  const found = await findPerson(services, name)
  if (!found.ok) return found
  const account = found.value
  const removed = (await factorsOf(services, account.userId)).filter(isSecondFactor).length
  const isDone = await resetFactorsOf(services, account.userId, from)
  return isDone ? ok({ account, removed }) : err(`There is no account named "${name}".`)
}

function record(factor: Factor) {
  const { id, kind, name, added_at, used_at, codes_left = null } = factorRecord(factor)
  return { factor_id: id, kind, name, codes_left, added_at, used_at }
}
