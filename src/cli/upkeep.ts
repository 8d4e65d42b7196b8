/** The commands that look after the database: a copy, a check, and the audit trail. */
import { existsSync } from "node:fs"
import { eventKinds } from "../core/event.ts"
import { command, done, misused, refused } from "./command.ts"
import { withStore } from "./open.ts"
import { instant, table } from "./print.ts"
import { withProgress } from "./progress.ts"

const backup = command({
  name: "backup",
  summary: "Write a consistent copy of the database while the service runs",
  operands: ["FILE"],
  flags: {},
  notes: [
    "To restore, stop the service, put the copy in place of latchkey.db, and remove latchkey.db-wal and latchkey.db-shm. " +
      "Keep secret.key beside it; it is not in the copy. An existing file is never written over.",
  ],
  example: "latchkey backup latchkey-monday.db",
  run: ({ operands: [file], globals }) =>
    withStore(globals, "refuse", async ({ store }) => {
      if (existsSync(file)) return refused(`${file} exists already, and is not written over.`)
      try {
        await withProgress("backup", "pages", (progress) => store.backup(file, progress))
      } catch (error) {
        if (error instanceof Error && "code" in error)
          return refused(`The copy ${file} cannot be written: ${error.message}`)
        throw error
      }
      return done({ file }, `Copied to ${file}.`)
    }),
})

const verify = command({
  name: "verify",
  summary: "Check every stored invariant",
  operands: [],
  flags: {},
  notes: [
    "Runs beside the service. Exit status 1 where an invariant fails. With --json: an array of the problems.",
  ],
  example: "latchkey verify",
  run: ({ globals }) =>
    withStore(globals, "refuse", async ({ store }) => {
      const problems = await withProgress("verify", "rows", (progress) => store.verify(progress))
      if (problems.length === 0) return done([], "Every stored invariant holds.")
      const rows = problems.map(({ table: name, key, problem }) => [name, key, problem])
      return {
        ...refused(
          problems.length === 1 ? "A stored invariant fails." : `${problems.length} stored invariants fail.`,
        ),
        printed: { json: problems, text: table(["table", "key", "problem"], rows, "") },
      }
    }),
})

const EVENTS_AT_MOST = 100_000

const events = command({
  name: "events",
  summary: "Print the audit trail, newest first",
  operands: [],
  flags: {
    kind: { value: "KIND", choices: eventKinds, summary: "of this kind only, such as signed-in" },
    limit: { value: "N", default: "1000", summary: "this many at the most" },
  },
  example: "latchkey events --kind credential-revoked --limit 20",
  run: async ({ flags, globals }) => {
    const limit = /^\d{1,6}$/.test(flags.limit) ? Number(flags.limit) : 0
    if (limit < 1 || limit > EVENTS_AT_MOST)
      return misused(`--limit is a whole number from 1 to ${EVENTS_AT_MOST}.`)
    return await withStore(globals, "refuse", async ({ store }) => {
      const recorded = await store.events({ kinds: flags.kind === null ? undefined : [flags.kind] }, { limit })
      const records = recorded.map(({ id, at, kind, userId, clientId, tokenId, address, detail }) => ({
        id,
        at,
        kind,
        user_id: userId,
        client_id: clientId,
        token_id: tokenId,
        address,
        detail,
      }))
      const rows = records.map((row) => [
        instant(row.at),
        row.kind,
        row.user_id,
        row.client_id,
        row.token_id,
        row.address,
        row.detail,
      ])
      const head = ["time", "kind", "account", "app", "credential", "address", "detail"]
      return done(records, table(head, rows, "There is no event."))
    })
  },
})

export const upkeepCommands = [backup, verify, events]
