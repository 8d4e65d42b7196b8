/** The `document` commands. */
import { readFile } from "node:fs/promises"
import { type Answer, command, done, type Globals, refused } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { facts, instant, printedList } from "../../platform/cli/print.ts"
import { program } from "../../platform/cli/program.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { readSettings, type Settings } from "../../model/setting.rules.ts"
import { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts"
import { all } from "../../store/list.ts"
import {
  allowDocument,
  denyDocument,
  findDocument,
  listDocuments,
  pinDocument,
  refreshDocument,
  unpinDocument,
} from "../../oauth/documents/document.ts"
import type { DocumentRecord } from "../../oauth/documents/document-record.rules.ts"

const operator = { ...fromCommandLine, actorId: null }
const EXAMPLE = "https://app.example/client.json"

function servicesOf(opened: Opened) {
  return { ...opened, current: async () => readSettings(await opened.store.settings(), opened.catalog) }
}

type Verb = (opened: ReturnType<typeof servicesOf>) => Promise<Result<DocumentRecord, Problem>>

/** `remarkOn` returns what the operator should do next. The value is null if nothing is needed. */
function runOn(
  globals: Globals,
  verb: Verb,
  remarkOn: (record: DocumentRecord, settings: Settings) => string | null = () => null,
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const services = servicesOf(opened)
    const answer = await verb(services)
    if (!answer.ok) return refused(answer.error)
    const remark = remarkOn(answer.value, await services.current())
    return done(answer.value, shown(answer.value), ...(remark === null ? [] : [remark]))
  })
}

const DOCUMENTS_OFF = `The setting clients.documents is off, so the app cannot be used yet: ${program} setting set clients.documents on`

function shown(record: DocumentRecord): string {
  return facts({
    ...record,
    left_out: record.left_out.length === 0 ? null : record.left_out.join("; "),
    fetched_at: instant(record.fetched_at),
    next_fetch_at: instant(record.next_fetch_at),
  })
}

const list = command({
  name: "document list",
  summary: "List the documents of clients, with their last and next fetch",
  notes: [
    "An authorization fetches a document if its copy is no longer fresh. The state is fresh, stale, failing (the last " +
      "fetch failed), pinned or denied.",
  ],
  example: "latchkey document list",
  run: ({ globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const records = await all(
        (page) => listDocuments(opened, page),
        ({ client_id }) => client_id,
      )
      return printedList(records, "There are no documents.", (row) => ({
        "client id": row.client_id,
        name: row.client_name,
        state: row.state,
        fetched: instant(row.fetched_at),
        "next fetch": instant(row.next_fetch_at),
        credentials: row.credentials,
        "last error": row.last_error,
      }))
    }),
})

const show = command({
  name: "document show",
  summary: "Show what is known of a document",
  operands: ["URL"],
  example: `latchkey document show ${EXAMPLE}`,
  run: ({ operands: [url], globals }) => runOn(globals, (opened) => findDocument(opened, url)),
})

const pin = command({
  name: "document pin",
  summary: "Keep a document from a file, so that it is not fetched",
  operands: ["URL", "FILE"],
  notes: ["The app is registered if it is not known yet. Its host counts as one that you named."],
  example: `latchkey document pin ${EXAMPLE} client.json`,
  run: async ({ operands: [url, file], globals }) => {
    const text = await readFile(file, "utf8").catch((error: unknown) => error as Error)
    return typeof text === "string"
      ? runOn(
          globals,
          (opened) => pinDocument(opened, url, text, operator),
          (_, { documents }) => (documents ? null : DOCUMENTS_OFF),
        )
      : refused(`The file ${file} cannot be read: ${text.message}`)
  },
})

const unpin = command({
  name: "document unpin",
  summary: "Fetch a pinned document again, from the next authorization on",
  operands: ["URL"],
  example: `latchkey document unpin ${EXAMPLE}`,
  run: ({ operands: [url], globals }) => runOn(globals, (opened) => unpinDocument(opened, url, operator)),
})

const refresh = command({
  name: "document refresh",
  summary: "Fetch a document now",
  operands: ["URL"],
  example: `latchkey document refresh ${EXAMPLE}`,
  run: ({ operands: [url], globals }) =>
    runOn(
      globals,
      async (opened) => {
        const outgoing = new GuardedFetch(opened.outgoing, opened.clock)
        return refreshDocument({ ...opened, outgoing }, url)
      },
      ({ last_error: error }) =>
        error === null ? null : `The fetch failed, so the stored copy stays: ${error}`,
    ),
})

const deny = command({
  name: "document deny",
  summary: "Refuse a document, and every token of its app",
  operands: ["URL"],
  example: `latchkey document deny ${EXAMPLE}`,
  run: ({ operands: [url], globals }) => runOn(globals, (opened) => denyDocument(opened, url, operator)),
})

const allow = command({
  name: "document allow",
  summary: "Allow a denied document, or one that gave up its key",
  operands: ["URL"],
  notes: [
    "A document that is not denied may have no key the next time that it is fetched or pinned. From then on, its app " +
      "needs none.",
  ],
  example: `latchkey document allow ${EXAMPLE}`,
  run: ({ operands: [url], globals }) => runOn(globals, (opened) => allowDocument(opened, url, operator)),
})

export const documentCommands = [list, show, pin, unpin, refresh, deny, allow]
