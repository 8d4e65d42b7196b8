/** The `provider` commands, and those that link accounts. */
import { openLog } from "../../kernel/log.ts"
import { type Answer, command, done, type Globals, refused, usageError } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { columns, facts, printedList, table, visible } from "../../platform/cli/print.ts"
import type { Account } from "../../model/account.rules.ts"
import { baseUrlFlag, knownBaseUrl } from "../../platform/cli/base-url-flag.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import { linkAccount, unlinkAccount } from "../../accounts/providers/link.ts"
import { checkProvider } from "./check.ts"
import type { CheckState } from "./rule-findings.rules.ts"
import { providerRecord } from "./provider-record.ts"
import { relinkProvider } from "./relink.ts"

function withProvider(
  globals: Globals,
  name: string,
  run: (opened: Opened, provider: SignInProvider) => Promise<Answer>,
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const provider = opened.providers.get(name)
    return provider === undefined
      ? refused(`The configuration file names no sign-in provider "${name}".`)
      : run(opened, provider)
  })
}

const list = command({
  name: "provider list",
  summary: "List the sign-in providers of the configuration file",
  flags: { "base-url": baseUrlFlag },
  notes: ["The redirect URI is what you register at the provider."],
  example: "latchkey provider list",
  run: ({ flags, globals }) =>
    withStore(globals, "refuse", async (opened) => {
      // Before the first start no redirect URI is shown, because it would be a guess.
      const baseUrl = await knownBaseUrl({ flags, globals }, opened.store)
      if (!baseUrl.ok) return usageError(baseUrl.error)
      const records = [...opened.providers.values()].map((one) => providerRecord(one, baseUrl.value))
      return printedList(records, "The configuration file names no sign-in provider.", (row) => ({
        name: row.name,
        label: row.label,
        issuer: "url" in row ? row.url : row.issuer,
        "creates accounts": row.creates_accounts,
        "connects apps": row.assertions?.clients.length ?? null,
        "redirect uri": row.redirect_uri,
      }))
    }),
})

const words: Readonly<Record<CheckState, string>> = { fine: "ok", warning: "warning", problem: "PROBLEM" }

const check = command({
  name: "provider check",
  summary: "Check a sign-in provider",
  operands: ["NAME"],
  flags: { "base-url": baseUrlFlag },
  notes: [
    "Reads its metadata and its keys, opens its sign-in page with the redirect URI, and sends a code and a token that " +
      "do not exist, which shows whether the provider accepts client id and secret, and whether userinfo answers. Exit " +
      "status 1 if there is a problem.",
  ],
  example: "latchkey provider check work",
  run: ({ flags, operands: [name], globals }) =>
    withProvider(globals, name, async (opened, provider) => {
      const baseUrl = await knownBaseUrl({ flags, globals }, opened.store)
      if (!baseUrl.ok) return usageError(baseUrl.error)
      const outgoing = new GuardedFetch(opened.outgoing, opened.clock)
      const services = { ...opened, outgoing, log: openLog("silent") }
      const findings = await checkProvider(services, provider, baseUrl.value)
      const isFine = findings.every(({ state }) => state !== "problem")
      const text = columns(
        findings.map(({ state, check: what, seen }) => [words[state], what, visible(seen)]),
      )
      return { exit: isFine ? 0 : 1, printed: { json: { name, ok: isFine, findings }, text }, remarks: [] }
    }),
})

const relink = command({
  name: "provider relink",
  summary: "Relink the accounts of a provider whose issuer has changed",
  operands: ["NAME"],
  flags: { "dry-run": { summary: "change nothing, and show what would change" } },
  notes: [
    "Each account keeps its subject. If the provider gave people new subjects, link each one with account link instead.",
  ],
  example: "latchkey provider relink work --dry-run",
  run: ({ flags, operands: [name], globals }) =>
    withProvider(globals, name, async (opened, provider) => {
      const relinked = await relinkProvider(opened, provider, flags["dry-run"])
      if (!relinked.ok) return refused(relinked.error)
      const rows = relinked.value.map(({ username, subject, from, isTaken }) => ({
        username,
        subject,
        from,
        taken: isTaken,
      }))
      const json = { name, issuer: provider.issuer, dry_run: flags["dry-run"], relinked: rows }
      const head = ["account", "subject", "from", "taken"]
      const lines = rows.map((row) => [row.username, row.subject, row.from, row.taken])
      return done(json, table(head, lines, "Every account is linked to the present issuer."))
    }),
})

const link = command({
  name: "account link",
  summary: "Let a person at a sign-in provider sign in to an account",
  operands: ["NAME", "PROVIDER", "SUBJECT"],
  notes: [
    "SUBJECT is the sub of the provider's ID tokens, or the number of a GitHub account. Make sure that it belongs to " +
      "the holder of the account: it is enough to sign in.",
  ],
  example: "latchkey account link alice work 248289761001",
  run: ({ operands, globals }) => changeLink(globals, operands, linkAccount, true),
})

const unlink = command({
  name: "account unlink",
  summary: "Remove the link of an account to a person at a sign-in provider",
  operands: ["NAME", "PROVIDER", "SUBJECT"],
  notes: [
    "Signs its browsers out. Administration that the rule of the provider gave is taken back, except from the last " +
      "administrator.",
  ],
  example: "latchkey account unlink alice work 248289761001",
  run: ({ operands, globals }) => changeLink(globals, operands, unlinkAccount, false),
})

type Verb = (
  opened: Opened,
  provider: SignInProvider,
  name: string,
  subject: string,
  from: typeof fromCommandLine,
) => Promise<Result<Account, Problem>>

function changeLink(
  globals: Globals,
  [name, providerName, subject]: readonly [string, string, string],
  verb: Verb,
  isLinked: boolean,
): Promise<Answer> {
  return withProvider(globals, providerName, async (opened, provider) => {
    const answer = await verb(opened, provider, name, subject, fromCommandLine)
    if (!answer.ok) return refused(answer.error)
    const { userId: user_id, username } = answer.value
    const json = { user_id, username, provider: provider.name, subject, linked: isLinked }
    return done(json, facts(json))
  })
}

export const providerCommands = [list, check, relink]
export const linkCommands = [link, unlink]
