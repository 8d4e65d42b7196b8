/** The tables to move, in order. A table comes after the tables that its rows refer to. */
export type CarriedTable = {
  readonly name: string
  /** The ORDER BY with which the rows are read. */
  readonly order: string
  /** Columns that only say where SQLite stores a row. They are not moved. */
  readonly leftOut?: readonly string[]
  /** SQL expressions that replace columns. */
  readonly instead?: Readonly<Record<string, string>>
}

export const carriedTables: readonly CarriedTable[] = [
  // A service account comes after its owner.
  { name: "account", order: "owner_id IS NOT NULL, user_id" },
  { name: "account_group", order: "name" },
  { name: "membership", order: "user_id, group_name, provider" },
  { name: "import", order: "id" },
  { name: "removed_account", order: "user_id" },
  { name: "client", order: "client_id" },
  { name: "icon", order: "client_id" },
  { name: "fetched_keys", order: "client_id" },
  { name: "client_document", order: "client_id" },
  {
    name: "credential",
    order: "id",
    leftOut: ["id"],
    // Before the first tokens are issued, SQLite reserves bytes in this column.
    instead: { family: "CASE WHEN generation = 0 THEN NULL ELSE family END" },
  },
  { name: "imported_token", order: "token_hash" },
  { name: "service_token", order: "token_id, place" },
  { name: "device_grant", order: "grant_id" },
  { name: "factor", order: "factor_id" },
  { name: "identity", order: "identity_hash" },
  { name: "code_tries", order: "user_id" },
  { name: "session", order: "session_hash" },
  { name: "session_credential", order: "token_id" },
  { name: "remembered_consent", order: "id" },
  { name: "organization_block", order: "user_id, client_id, provider" },
  { name: "known_browser", order: "browser_hash, user_id" },
  { name: "email", order: "user_id" },
  { name: "one_time_link", order: "link_hash" },
  { name: "invitation", order: "invitation_id" },
  { name: "outbox", order: "mail_id" },
  { name: "spent_ticket", order: "ticket_id" },
  { name: "spent_assertion", order: "assertion_hash" },
  { name: "setting", order: "key" },
  { name: "logo", order: "key" },
  { name: "applied", order: "what, made" },
  { name: "meta", order: "key" },
  { name: "signing_key", order: "made_at, kid" },
  { name: "setup_link", order: "only_one" },
  { name: "event", order: "id" },
  { name: "tally", order: "grain, at, client_id, name" },
  { name: "invalidation", order: "id" },
]
