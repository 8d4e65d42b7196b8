/** Which tables a database has, in an order in which every row follows the rows that it points to. */
export type CarriedTable = {
  readonly name: string
  /** The rows are carried and compared in this order; texts by their bytes. */
  readonly key: readonly string[]
  /** Columns that only say where SQLite keeps a row. */
  readonly leftOut?: readonly string[]
}

export const carriedTables: readonly CarriedTable[] = [
  { name: "account", key: ["user_id"] },
  { name: "client", key: ["client_id"] },
  { name: "icon", key: ["client_id"] },
  { name: "credential", key: ["token_id"], leftOut: ["id"] },
  { name: "device_grant", key: ["grant_id"] },
  { name: "factor", key: ["factor_id"] },
  { name: "session", key: ["session_hash"] },
  { name: "known_browser", key: ["browser_hash", "user_id"] },
  { name: "spent_ticket", key: ["ticket_id"] },
  { name: "setting", key: ["key"] },
  { name: "meta", key: ["key"] },
  { name: "setup_link", key: ["only_one"] },
  { name: "event", key: ["id"] },
  { name: "tally", key: ["grain", "at", "client_id", "name"] },
  { name: "invalidation", key: ["id"] },
]
