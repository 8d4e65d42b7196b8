/** The commands on the factors of an account. */
import type { Factor } from "../../model/factor.rules.ts"
import { checkServiceSecret, refuseNewSecret } from "../../platform/services/check-secret.ts"
import { factorsOf } from "../../accounts/factors/factor.ts"
import { deriveKeys, hasServiceSecret, type Keys, readServiceSecret } from "../../kernel/keys.ts"
import { type Answer, command, done, refused } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { facts, instant, table } from "../../platform/cli/print.ts"
import { findPerson } from "../../accounts/find-account.ts"
import { factorRecord } from "./factor-record.ts"
import { resetFactors } from "./reset-factors.ts"

const totp = command({
  name: "account totp",
  summary: "Enroll a one-time password (TOTP) for an account and print its secret",
  operands: ["NAME"],
  notes: [
    "From then on, signing in needs the password and a code. The secret is printed once, for the owner's authenticator " +
      "app. It is stored encrypted with the service secret.",
  ],
  example: "latchkey account totp alice",
  run: ({ operands: [name], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const { store, dataDir } = opened
      const given = process.env["LATCHKEY_SECRET_KEY"]
      let keys: Keys
      try {
        if (!hasServiceSecret(dataDir, given)) await refuseNewSecret(store)
        keys = deriveKeys(readServiceSecret(dataDir, given))
        await checkServiceSecret(store, keys)
      } catch (error) {
        return refused((error as Error).message)
      }
      // This import is late, because only this command uses TOTP.
      const { addTotp } = await import("../../accounts/factors/totp.ts")
      const added = await addTotp({ ...opened, keys }, name, fromCommandLine)
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
  const rows = records.map((row) => [
    row.kind,
    row.name,
    row.codes_left,
    instant(row.added_at),
    instant(row.used_at),
    row.factor_id,
  ])
  const head = ["kind", "name", "codes left", "added", "last used", "factor id"]
  return done(records, table(head, rows, "The account has no second factor."))
}

async function reset(opened: Opened, name: string): Promise<Answer> {
  const answer = await resetFactors(opened, name, fromCommandLine)
  if (!answer.ok) return refused(answer.error)
  const { account, removed } = answer.value
  const json = { user_id: account.userId, username: account.username, removed }
  return done(json, facts(json))
}

function record(factor: Factor) {
  const { id, kind, name, added_at, used_at, codes_left = null } = factorRecord(factor)
  return { factor_id: id, kind, name, codes_left, added_at, used_at }
}
