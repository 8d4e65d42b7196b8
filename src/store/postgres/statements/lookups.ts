/** Looks up each kind of row. Each kind has one statement for all keys, and a decoder for its rows. */
import { accountColumns, accountOf } from "../../codecs/account-row.ts"
import { credentialColumns, credentialOf, type CredentialRow } from "../../codecs/credential-row.ts"
import {
  type AnyLookup,
  type Kind,
  lookups as shared,
  type OwnKind,
  seenAt,
  type Source,
} from "../../statements/lookups.ts"

type Lookup = { readonly sql: string } & (
  { readonly row: (row: never) => unknown } | { readonly rows: (row: never) => unknown }
)

/** Rows of one table that share a statement. They are found by their own id or through a credential. */
export type Joined = "client" | "appOf" | "account" | "ownerOf"

/** The keys of a `KeyList`. */
const LISTED = "ARRAY(SELECT json_array_elements_text(load_key::json))"

const CREDENTIAL = `SELECT token_id AS load_key, version, ${credentialColumns} FROM credential WHERE token_id = ANY(?)`

/** The look-ups whose statements SQLite does not share. */
const own: { readonly [K in Exclude<OwnKind, Joined>]: Lookup } = {
  credential: { sql: CREDENTIAL, row: credentialOf },
  tokensOf: {
    sql: CREDENTIAL,
    row: (row: CredentialRow) => ({ ...credentialOf({ ...row, openid: null }), code: null }),
  },
  boundCredential: {
    sql: `SELECT load_key, version, ${credentialColumns} FROM credential JOIN
      (SELECT client_id AS load_key, service_token_id FROM client
       WHERE client_id = ANY(?) AND service_account_id IS NOT NULL) AS bound ON token_id = service_token_id`,
    row: credentialOf,
  },
  organizationCredentials: {
    sql: `SELECT user_id AS load_key, ${credentialColumns} FROM credential
      WHERE user_id = ANY(?) AND organization IS NOT NULL AND state = 'active'`,
    rows: credentialOf,
  },
  boundCredentials: {
    sql: `SELECT load_key, version, ${credentialColumns} FROM credential JOIN
      (SELECT load_key, service_token_id FROM unnest(?::text[]) AS load_key
       JOIN client ON client_id = ANY(${LISTED})) AS bound ON token_id = service_token_id`,
    rows: credentialOf,
  },
  usedClientIds: {
    sql: `SELECT load_key, used FROM unnest(?::text[]) AS load_key
      CROSS JOIN LATERAL json_array_elements_text(load_key::json) AS used
      WHERE EXISTS (SELECT 1 FROM credential WHERE client_id = used)
        OR used IN (SELECT client_id FROM device_grant)`,
    rows: ({ used }: { readonly used: string }) => used,
  },
  boundAccount: {
    sql: `SELECT client_id AS load_key, ${accountColumns} FROM client JOIN usable_account AS account ON user_id = service_account_id
      WHERE client_id = ANY(?)`,
    row: accountOf,
  },
  serviceAccount: {
    sql: `SELECT user_id AS load_key, ${accountColumns} FROM usable_account AS account WHERE user_id = ANY(?)`,
    row: accountOf,
  },
  knownBrowser: {
    sql: `SELECT load_key, seen_at FROM unnest(?::text[]) AS load_key
      JOIN known_browser ON browser_hash = split_part(load_key, ' ', 1) AND user_id = split_part(load_key, ' ', 2)`,
    row: seenAt,
  },
}

const sharedLookups = Object.fromEntries(
  Object.entries(shared).map(([kind, lookup]: [string, AnyLookup]) => [
    kind,
    { ...lookup, ...batched(lookup) },
  ]),
)

export const lookups = { ...sharedLookups, ...own } as { readonly [K in Exclude<Kind, Joined>]: Lookup }

/** Returns the statement that looks up all keys at once. The column `load_key` has the key of a row. */
function batched(source: Source): Pick<Lookup, "sql"> {
  if ("any" in source || "one" in source) {
    const one = "any" in source ? source.any : source.one.replaceAll("?1", `load_key::${source.key}`)
    return {
      sql: `SELECT load_key, found.* FROM unnest(?::text[]) AS load_key CROSS JOIN LATERAL (${one}) AS found`,
    }
  }
  if ("anyOf" in source)
    return {
      sql: `SELECT load_key, found.* FROM unnest(?::text[]) AS load_key CROSS JOIN LATERAL
        (SELECT ${source.columns} FROM ${source.from} WHERE ${source.anyOf} = ANY(${LISTED})) AS found`,
    }
  const { columns, from, by, and, order } = source
  const where = and === undefined ? "" : ` AND ${and}`
  const ordered = order === undefined ? "" : ` ORDER BY ${order}`
  return {
    sql: `SELECT ${by} AS load_key, ${columns} FROM ${from} WHERE ${by} = ANY(?)${where}${ordered}`,
  }
}
