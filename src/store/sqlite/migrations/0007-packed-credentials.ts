/**
 * Credentials in a third of their room: digests as bytes in packed columns, numbers for what repeats, a place in the table
 * that the identifier leads to. Every column is described in docs/storage.md.
 *
 * Rows are read as version 6 wrote them and written as version 7 does; nothing here follows later versions.
 */
import type { DatabaseSync } from "node:sqlite"
import type { Hash, Permission } from "../../../kernel/ids.ts"
import type { AccessToken, Retirement } from "../../../records/credential.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { codeBytes } from "../../codecs/packed-code.ts"
import { familyBytes } from "../../codecs/packed-family.ts"
import type { Value } from "../../codecs/value.ts"
import { homeOf } from "../statements/place.ts"

const TABLES = `
-- Accounts and apps by number.
CREATE TABLE name (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id     TEXT NOT NULL UNIQUE,
  gone   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE scope (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  client INTEGER NOT NULL REFERENCES name ON DELETE CASCADE,
  names  TEXT NOT NULL,
  UNIQUE (client, names)
) STRICT;

-- The packed tokens stand last: they alone change with a refresh.
CREATE TABLE credential_row (
  id                INTEGER PRIMARY KEY,
  token_id          TEXT NOT NULL,
  client            INTEGER NOT NULL,
  account           INTEGER NOT NULL,
  installation_name TEXT,
  scope             ANY NOT NULL,
  resources         TEXT,
  consented_at      INTEGER NOT NULL,
  ends_at           INTEGER NOT NULL,
  code_expires_at   INTEGER,
  gone              INTEGER NOT NULL,
  state             INTEGER NOT NULL,
  over_at           INTEGER,
  because           TEXT,
  elevated_until    INTEGER,
  code              BLOB,
  generation        INTEGER NOT NULL,
  rotated_at        INTEGER,
  rotated_from      TEXT,
  family            BLOB
) STRICT;
CREATE TABLE credential_aside (
  id       INTEGER PRIMARY KEY,
  token_id TEXT NOT NULL UNIQUE
) STRICT;
`

/** After the rows: an index that is made at once is smaller than one that grew. */
const AFTER = `
DROP TABLE credential;
CREATE INDEX credential_of_account ON credential_row (account);
CREATE INDEX credential_of_client ON credential_row (client);
CREATE INDEX credential_gone ON credential_row (gone);
UPDATE name SET gone = 1
  WHERE NOT EXISTS (SELECT 1 FROM account WHERE user_id = name.id)
    AND NOT EXISTS (SELECT 1 FROM client WHERE client_id = name.id);

-- A number goes with its account or app, or with the last credential of it.
CREATE TRIGGER account_unnamed AFTER DELETE ON account BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.user_id;
  DELETE FROM name WHERE id = OLD.user_id AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number);
END;
CREATE TRIGGER client_unnamed AFTER DELETE ON client BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.client_id;
  DELETE FROM name WHERE id = OLD.client_id AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;
CREATE TRIGGER credential_unnamed AFTER DELETE ON credential_row BEGIN
  DELETE FROM credential_aside WHERE id = OLD.id;
  DELETE FROM name WHERE number IN (OLD.account, OLD.client) AND gone = 1
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number)
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;

-- The rows in words, for whoever looks.
CREATE VIEW credential AS SELECT
  credential_row.id AS id, token_id,
  (SELECT name.id FROM name WHERE number = client) AS client_id,
  (SELECT name.id FROM name WHERE number = account) AS user_id,
  installation_name,
  CASE typeof(scope) WHEN 'integer' THEN (SELECT names FROM scope WHERE number = credential_row.scope) ELSE scope END
    AS scope,
  resources, consented_at, ends_at, code_expires_at, gone * 86400 AS gone_at,
  CASE state WHEN 0 THEN 'issued' WHEN 1 THEN 'active' WHEN 2 THEN 'revoked' WHEN 3 THEN 'ended' ELSE state END AS state,
  over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family
FROM credential_row;
`

const NAMES = `
INSERT INTO name (id) SELECT client_id FROM credential GROUP BY client_id;
INSERT OR IGNORE INTO name (id) SELECT user_id FROM credential GROUP BY user_id;
`

const READ = `
SELECT token_id, (SELECT number FROM name WHERE id = client_id), (SELECT number FROM name WHERE id = user_id),
  installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone_at, state, over_at, because,
  elevated_until, generation, rotated_at, rotated_from, code_hash, code_challenge, code_redirect_uri, current_hash,
  family_key, retired_hash, retired_nonce, answered_scope, retirements, access_tokens
FROM credential ORDER BY token_id`

/** As `READ` has them. */
type Before = readonly [
  tokenId: string,
  client: number,
  account: number,
  label: string | null,
  scope: string,
  resources: string | null,
  consentedAt: number,
  endsAt: number,
  codeExpiresAt: number | null,
  goneAt: number,
  state: string,
  overAt: number | null,
  because: string | null,
  elevatedUntil: number | null,
  generation: number,
  rotatedAt: number | null,
  rotatedFrom: string | null,
  codeHash: string | null,
  challenge: string | null,
  redirectUri: string | null,
  currentHash: string | null,
  key: string | null,
  retiredHash: string | null,
  nonce: string | null,
  answeredScope: string | null,
  retirements: string | null,
  accessTokens: string | null,
]

const WRITE = `
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at,
  code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family)
VALUES (?, ?, ?, ?, ?, coalesce(CAST(? AS INTEGER), ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const STATES = ["issued", "active", "revoked", "ended"]
const SCOPES_OF_AN_APP = 8
/** Room for the tokens of a credential whose code nobody has redeemed. */
const ROOM = 116

export function packedCredentials(database: DatabaseSync): void {
  database.exec(TABLES)
  database.exec(NAMES)
  const scopeOf = scopes(database)
  const read = database.prepare(READ, { returnArrays: true })
  const write = database.prepare(WRITE)
  const aside = database.prepare("INSERT INTO credential_aside (id, token_id) VALUES (?, ?)")
  let last = -1
  // In the order of identifiers the next place is always free.
  for (const row of read.iterate() as Iterable<unknown> as Iterable<Before>) {
    const [tokenId, client] = row
    const home = homeOf(tokenId)
    last = Math.max(home, last + 1)
    write.run(last, ...after(row, scopeOf(client, row[4])))
    if (last !== home) aside.run(last, tokenId)
  }
  database.exec(AFTER)
}

/** The number of an app's consent; null where it has none. */
function scopes(database: DatabaseSync): (client: number, names: string) => number | null {
  const write = database.prepare("INSERT INTO scope (client, names) VALUES (?, ?)")
  const known = new Map<number, Map<string, number>>()
  return (client, names) => {
    const own = known.get(client) ?? new Map<string, number>()
    known.set(client, own)
    const number = own.get(names)
    if (number !== undefined) return number
    if (own.size === SCOPES_OF_AN_APP) return null
    const given = Number(write.run(client, names).lastInsertRowid)
    own.set(names, given)
    return given
  }
}

/** In the order of `WRITE`, after the place. */
function after(row: Before, scope: number | null): Value[] {
  const [tokenId, client, account, label, names, resources, consentedAt, endsAt, codeExpiresAt, goneAt] = row
  const [state, overAt, because, elevatedUntil, generation, rotatedAt, rotatedFrom] = row.slice(
    10,
  ) as readonly unknown[] as LifeColumns
  return [
    ...[
      tokenId,
      client,
      account,
      label,
      scope,
      scope === null ? names : null,
      resources,
      consentedAt,
      endsAt,
      codeExpiresAt,
      goneAt / DAY,
    ],
    ...[STATES.indexOf(state), overAt, because, elevatedUntil, codeAfter(row)],
    ...[generation, rotatedAt, rotatedFrom, familyAfter(row)],
  ]
}

type LifeColumns = readonly [
  state: string,
  overAt: number | null,
  because: string | null,
  elevatedUntil: number | null,
  generation: number,
  rotatedAt: number | null,
  rotatedFrom: string | null,
]

function codeAfter(row: Before): Uint8Array | null {
  const [hash, challenge, redirectUri] = row.slice(17) as readonly (string | null)[]
  if (hash === null || hash === undefined) return null
  const code = { hash: hash as Hash, challenge: challenge ?? "", redirectUri: redirectUri ?? "" }
  return codeBytes(code, row[14] > 0)
}

function familyAfter(row: Before): Uint8Array | null {
  const [hash, key, retiredHash, , answered, retirements, tokens] = row.slice(20) as readonly (
    string | null
  )[]
  if (hash === null || hash === undefined) return row[10] === "issued" ? new Uint8Array(ROOM) : null
  const consented = namesOf(row[4])
  const retired =
    retiredHash === null || retiredHash === undefined
      ? null
      : {
          hash: retiredHash as Hash,
          answeredScope: answered === null || answered === undefined ? consented : namesOf(answered),
        }
  const family = {
    currentHash: hash as Hash,
    key: key ?? "",
    retired,
    retirements: retirementsOf(retirements ?? ""),
    // What was over at the last rotation is kept no more, as it is now with every rotation.
    accessTokens: accessTokensOf(tokens ?? "").filter(({ expiresAt }) => expiresAt > (row[15] ?? 0)),
    repeats: { count: 0, elsewhere: [] },
  }
  return familyBytes(family, consented)
}

function namesOf(text: string): readonly Permission[] {
  return text === "" ? [] : (text.split(" ") as Permission[])
}

/** `generation:at`, divided by spaces. */
function retirementsOf(text: string): readonly Retirement[] {
  if (text === "") return []
  return text.split(" ").map((entry) => {
    const [generation, at] = entry.split(":")
    return { generation: Number(generation), at: Number(at) }
  })
}

/** A line for each: digest, instant of issue, lifetime in seconds, and the names that it was narrowed to. */
function accessTokensOf(text: string): readonly AccessToken[] {
  if (text === "") return []
  return text.split("\n").map((line) => {
    const [hash, issued, lifetime, ...narrowed] = line.split(" ")
    return {
      hash: hash as Hash,
      issuedAt: Number(issued),
      expiresAt: Number(issued) + Number(lifetime),
      narrowedTo: narrowed.length === 0 ? null : (narrowed.filter((name) => name !== "") as Permission[]),
    }
  })
}
