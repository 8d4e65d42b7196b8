/** The command that prints the audit trail. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { eventKinds, seriousKinds } from "../../model/event.rules.ts"
import { actorOf } from "./event-actor.rules.ts"
import { type EventRecord, eventRecords } from "./event-record.ts"
import { isClientId, isDocumentUrl, isIdentifier } from "../../kernel/identifier.ts"
import { DAY, HOUR, MINUTE } from "../../kernel/time.ts"
import type { Store } from "../../store/store.ts"
import { type Answer, command, done, usageError, refused } from "../../platform/cli/command.ts"
import { withStore } from "../../platform/cli/open.ts"
import { instant, table } from "../../platform/cli/print.ts"
import { ok } from "../../kernel/result.ts"
import { findAccount, hasHadAccount } from "../../accounts/find-account.ts"

const MAX_EVENTS = 100_000

export const events = command({
  name: "events",
  summary: "Print the audit trail, newest first",
  flags: {
    account: { value: "NAME", summary: "only events of this account; for a removed one, its id" },
    app: { value: "ID", summary: "only events of this app" },
    serious: { summary: "only events that an operator should look into" },
    kind: { value: "KIND", choices: eventKinds, summary: "only events of this kind, such as signed-in" },
    since: {
      value: "WHEN",
      summary: "only events since then: 90m, 12h, 7d, or a time such as 2027-03-01T08:00Z",
    },
    limit: { value: "N", default: "1000", summary: "the most events to print" },
    lines: { summary: "print one JSON object per line" },
  },
  notes: [
    "Names of accounts and apps are the current ones. BY is who did it: an account, an app, the command line or the " +
      "service itself, or unknown where no one has signed in. The setting events.retention_days says how long events are kept.",
    `KIND is one of ${eventKinds.join(", ")}.`,
  ],
  example: "latchkey events --account ada --since 7d",
  run: async ({ flags, globals }): Promise<Answer> => {
    const limit = /^\d{1,6}$/.test(flags.limit) ? Number(flags.limit) : 0
    if (limit < 1 || limit > MAX_EVENTS)
      return usageError(`--limit must be a whole number from 1 to ${MAX_EVENTS}.`)
    if (flags.lines && globals.json) return usageError("Use either --lines or --json, not both.")
    const { account, app, kind, since } = flags
    if (flags.serious && kind !== null) return usageError("Use either --serious or --kind, not both.")
    return withStore(globals, "refuse", async ({ store, clock }) => {
      if (app !== null && !(await mayBeApp(store, app)))
        return usageError(`--app must be the id of an app, not "${app}".`)
      const from = since === null ? undefined : instantOf(since, clock.now())
      if (from === null)
        return usageError(
          `--since "${since}" is neither an age such as 7d nor a time such as 2027-03-01T08:00Z.`,
        )
      const user = account === null ? undefined : await userIdOf(store, account)
      if (user?.ok === false) return refused(user.error)
      const filter = {
        kinds: kind !== null ? [kind] : flags.serious ? seriousKinds : undefined,
        userId: user?.value,
        clientId: (app ?? undefined) as ClientId | undefined,
        since: from,
      }
      const found = await store.events(filter, { limit: limit + 1 })
      const recorded = found.slice(0, limit)
      const older = `There are older events: show more with --limit N, up to ${MAX_EVENTS}.`
      const records = await eventRecords({ store }, recorded)
      const text = flags.lines ? lines(records) : tableOf(records)
      return done(records, text, ...(found.length > limit ? [older] : []))
    })
  },
})

const units = { m: MINUTE, h: HOUR, d: DAY } as const

/** Parses an age such as `7d` or a time such as `2027-03-01`. Returns null for any other text. */
function instantOf(text: string, now: number): number | null {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * units[unit as keyof typeof units]
  const [, date, time = "00:00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(at) ? null : Math.floor(at / 1000)
}

/** Finds an account by name. Also accepts the id of a removed account. */
async function userIdOf(store: Store, name: string) {
  const found = await findAccount({ store }, name)
  if (found.ok) return ok(found.value.userId)
  return (await hasHadAccount(store, name)) ? ok(name as UserId) : found
}

/** Whether this is the id of an app, or of one that was removed. */
async function mayBeApp(store: Store, id: string): Promise<boolean> {
  if (isIdentifier(id) || isDocumentUrl(id)) return true
  return isClientId(id) && (await store.read({ client: id as ClientId })).client !== null
}

function lines(records: readonly EventRecord[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n")
}

function tableOf(records: readonly EventRecord[]): string {
  const head = ["time", "kind", "account", "app", "credential", "by", "address", "detail"]
  const rows = records.map((row) => [
    instant(row.at),
    row.kind,
    row.username ?? row.user_id,
    row.client_name === null ? row.client_id : `${row.client_name} (${row.client_id})`,
    row.token_id,
    actorOf(row),
    row.address,
    row.detail,
  ])
  return table(head, rows, "There are no events.")
}
