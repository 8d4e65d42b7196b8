/** The command that reads the audit trail: filtered, with names, for people and for programs. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { eventKinds } from "../../records/event.rules.ts"
import { type EventRecord, eventRecord } from "../event-record.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { DAY, HOUR, MINUTE } from "../../kernel/time.ts"
import { findAccount } from "../../accounts/accounts.ts"
import { namesIn } from "../paged.ts"
import type { Store } from "../../store/store.ts"
import { type Answer, command, done, misused, refused } from "../../cli/kit/command.ts"
import { withStore } from "../../cli/kit/open.ts"
import { instant, table } from "../../cli/kit/print.ts"
import { ok } from "../../kernel/result.ts"

const EVENTS_AT_MOST = 100_000

export const events = command({
  name: "events",
  summary: "Print the audit trail, newest first",
  operands: [],
  flags: {
    account: { value: "NAME", summary: "of this account only; its id, where it is removed" },
    app: { value: "ID", summary: "of this app only" },
    kind: { value: "KIND", choices: eventKinds, summary: "of this kind only, such as signed-in" },
    since: { value: "WHEN", summary: "from then on: 90m, 12h, 7d, or an instant such as 2027-03-01T08:00Z" },
    limit: { value: "N", default: "1000", summary: "this many at the most" },
    lines: { summary: "print one JSON object a line, for other programs" },
  },
  notes: [
    "Names are those of now, where the account or the app is still there. BY is the account that did it to another's; " +
      "empty where it was the account itself, or the command line. How long events are kept is the setting " +
      "events.retention_days.",
    `KIND is one of ${eventKinds.join(", ")}.`,
  ],
  example: "latchkey events --account ada --since 7d",
  run: async ({ flags, globals }): Promise<Answer> => {
    const limit = /^\d{1,6}$/.test(flags.limit) ? Number(flags.limit) : 0
    if (limit < 1 || limit > EVENTS_AT_MOST)
      return misused(`--limit is a whole number from 1 to ${EVENTS_AT_MOST}.`)
    if (flags.lines && globals.json) return misused("--lines and --json are two ways to print the same.")
    const { account, app, kind, since } = flags
    if (app !== null && !isIdentifier(app)) return misused(`--app is the id of an app, not "${app}".`)
    return withStore(globals, "refuse", async ({ store, clock }) => {
      const from = since === null ? undefined : instantOf(since, clock.now())
      if (from === null) return misused(`--since "${since}" is neither a time ago (7d) nor an instant.`)
      const user = account === null ? undefined : await userIdOf(store, account)
      if (user?.ok === false) return refused(user.error)
      const filter = {
        kinds: kind === null ? undefined : [kind],
        userId: user?.value,
        clientId: (app ?? undefined) as ClientId | undefined,
        since: from,
      }
      const found = await store.events(filter, { limit: limit + 1 })
      const recorded = found.slice(0, limit)
      const older = `There are older ones: --limit N shows more, ${EVENTS_AT_MOST} at the most.`
      const names = await namesIn({ store }, recorded)
      const records = recorded.map((one) => eventRecord(one, names))
      const text = flags.lines ? lines(records) : tableOf(records)
      return done(records, text, ...(found.length > limit ? [older] : []))
    })
  },
})

const units = { m: MINUTE, h: HOUR, d: DAY } as const

/** The instant that `7d` or `2027-03-01` means; null where it is neither. */
function instantOf(text: string, now: number): number | null {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * units[unit as keyof typeof units]
  const [, date, time = "00:00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(at) ? null : Math.floor(at / 1000)
}

/** By name; an account that is removed has left its id. */
async function userIdOf(store: Store, name: string) {
  const found = await findAccount({ store }, name)
  if (found.ok) return ok(found.value.userId)
  return isIdentifier(name) ? ok(name as UserId) : found
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
    row.actor ?? row.actor_id,
    row.address,
    row.detail,
  ])
  return table(head, rows, "There is no event.")
}
