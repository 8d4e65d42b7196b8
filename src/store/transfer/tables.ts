/** Which tables a database has, in an order in which every row follows the rows that it points to. */
export type CarriedTable = {
  readonly name: string
  /** The rows are read in this order. */
  readonly order: string
  /** Columns that only say where SQLite keeps a row. */
  readonly leftOut?: readonly string[]
  /** What is read in place of a column. */
  readonly instead?: Readonly<Record<string, string>>
}

export const carriedTables: readonly CarriedTable[] = [
  { name: "account", order: "user_id" },
  { name: "client", order: "client_id" },
  { name: "icon", order: "client_id" },
  {
    name: "credential",
    order: "id",
    leftOut: ["id"],
    // Before the first tokens the embedded database keeps room for them.
    instead: { family: "CASE WHEN generation = 0 THEN NULL ELSE family END" },
  },
  { name: "device_grant", order: "grant_id" },
  { name: "factor", order: "factor_id" },
  { name: "code_tries", order: "user_id" },
  { name: "session", order: "session_hash" },
  { name: "known_browser", order: "browser_hash, user_id" },
  { name: "spent_ticket", order: "ticket_id" },
  { name: "setting", order: "key" },
  { name: "meta", order: "key" },
  { name: "setup_link", order: "only_one" },
  { name: "event", order: "id" },
  { name: "tally", order: "grain, at, client_id, name" },
  { name: "invalidation", order: "id" },
]

/** SQLite tables behind the views `credential` and `event`. */
export const notCarried: readonly string[] = [
  "credential_row",
  "credential_aside",
  "name",
  "scope",
  "event_row",
  "event_new",
]
