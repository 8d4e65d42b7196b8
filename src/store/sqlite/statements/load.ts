/** Loads the rows that a rule needs. */
import type { ClientId, Hash, TokenId, UserId } from "../../../kernel/ids.ts"
import { ACCESS_TOKENS_KEPT } from "../../../kernel/limits.ts"
import { type Account, NO_PASSWORD } from "../../../model/account.rules.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import type { DeviceGrant } from "../../../model/device-grant.rules.ts"
import type { Import } from "../../../model/moved/import.rules.ts"
import type { Found, Load, Loadable } from "../../store.ts"
import type { Connection } from "../engine/connection.ts"
import {
  clientIdOf,
  loadCredential,
  loadRowid,
  loadTokens,
  type LoadedRow,
  userIdOf,
} from "./credential-table.ts"
import { accountColumns, accountOf, type AccountRow, namedAccountColumns } from "../../codecs/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "../../codecs/client-row.ts"
import { codeTriesColumns, codeTriesOf, type CodeTriesRow } from "../../codecs/code-tries-row.ts"
import { deviceGrantColumns, deviceGrantOf, type DeviceGrantRow } from "../../codecs/device-grant-row.ts"
import {
  fetchedKeysColumns,
  fetchedKeysOf,
  type FetchedKeysRow,
  spentAssertionColumns,
  spentAssertionOf,
  type SpentAssertionRow,
} from "../../codecs/key-row.ts"
import { documentColumns, documentOf, type DocumentRow } from "../../codecs/document-row.ts"
import {
  emailColumns,
  emailOf,
  type EmailRow,
  linkColumns,
  linkOf,
  type LinkRow,
} from "../../codecs/mail/email-row.ts"
import { mailColumns, type MailRow, recentMailOf } from "../../codecs/mail/mail-row.ts"
import { factorColumns, factorOf, type FactorRow, passkeyOf } from "../../codecs/factor-row.ts"
import { identityColumns, identityOf, type IdentityRow } from "../../codecs/identity-row.ts"
import { serviceTokenColumns, serviceTokenOf, type ServiceTokenRow } from "../../codecs/service-token-row.ts"
import {
  HAS_STAGED,
  importColumns,
  importedTokenColumns,
  importedTokenOf,
  type ImportedTokenRow,
  importOf,
  type ImportRow,
  IS_OF_FINISHED,
  OPEN_IMPORT,
} from "../../codecs/import-row.ts"
import { sessionColumns, sessionOf, type SessionRow } from "../../codecs/session-row.ts"

/** The credentials that one change has loaded. */
export type LoadedRows = Map<TokenId, LoadedRow>

type Loader<K extends keyof Loadable> = (
  connection: Connection,
  key: Loadable[K]["key"],
  rows: LoadedRows,
) => Loadable[K]["row"] | null

const loaders: { readonly [K in keyof Loadable]: Loader<K> } = {
  client: loadClient,
  ownedApps: (connection, userId) => connection.one<{ count: number }>(OWNED_APPS, userId),
  clientByRegistration: (connection, registrationHash) => {
    const row = connection.one<ClientRow>(CLIENT_BY_REGISTRATION, registrationHash)
    return row === null ? null : clientOf(row)
  },
  account: loadAccount,
  accountByName: (connection, usernameKey) =>
    accountFrom(connection.one<AccountRow>(ACCOUNT_BY_NAME, usernameKey)),
  serviceAccount: loadAccount,
  import: (connection, importId) => importFrom(connection.one<ImportRow>(IMPORT, importId)),
  openImport: (connection) => importFrom(connection.one<ImportRow>(OPEN_IMPORT)),
  stagedRows: (connection, importId) => connection.one<{ count: number }>(HAS_STAGED, importId, importId),
  importedToken: (connection, hash) => {
    const row = connection.one<ImportedTokenRow>(IMPORTED_TOKEN, hash)
    return row === null ? null : importedTokenOf(row)
  },
  credential: (connection, tokenId, rows) => {
    const row = loadCredential(connection, tokenId)
    if (row !== null) rows.set(tokenId, row)
    return row === null ? null : row.credential
  },
  tokensOf: (connection, tokenId, rows) => {
    const found = loadTokens(connection, tokenId)
    if (found === null) return null
    if (!rows.has(tokenId)) rows.set(tokenId, found.row)
    return found.credential
  },
  appOf: (connection, tokenId, rows) => {
    const row = loadedRowOf(connection, tokenId, rows)
    return row === null ? null : loadClient(connection, clientIdOf(connection, row))
  },
  ownerOf: (connection, tokenId, rows) => {
    const row = loadedRowOf(connection, tokenId, rows)
    return row === null ? null : loadAccount(connection, userIdOf(connection, row))
  },
  serviceToken: (connection, accessHash) => {
    const row = connection.one<ServiceTokenRow>(SERVICE_TOKEN, accessHash)
    return row === null ? null : serviceTokenOf(row)
  },
  latestServiceTokens: (connection, tokenId) =>
    connection.all<ServiceTokenRow>(LATEST_SERVICE_TOKENS, tokenId).map(serviceTokenOf),
  boundCredential: (connection, clientId, rows) => {
    const tokenId = loadClient(connection, clientId)?.binding?.tokenId
    return tokenId === undefined ? null : loaders.credential(connection, tokenId, rows)
  },
  boundAccount: (connection, clientId) => {
    const userId = loadClient(connection, clientId)?.binding?.userId
    return userId === undefined ? null : loadAccount(connection, userId)
  },
  deviceGrant: (connection, grantId) =>
    deviceGrantFrom(connection.one<DeviceGrantRow>(DEVICE_GRANT, grantId)),
  deviceGrantByCode: (connection, userCodeHash) =>
    deviceGrantFrom(connection.one<DeviceGrantRow>(DEVICE_GRANT_BY_CODE, userCodeHash)),
  approverOf: (connection, grantId) => accountFrom(connection.one<AccountRow>(APPROVER, grantId)),
  factors: (connection, userId) => connection.all<FactorRow>(FACTORS, userId).map(factorOf),
  factor: (connection, factorId) => {
    const row = connection.one<FactorRow>(FACTOR, factorId)
    return row === null ? null : factorOf(row)
  },
  passkey: (connection, credentialId) => {
    const row = connection.one<FactorRow>(PASSKEY, credentialId)
    return row === null ? null : passkeyOf(row)
  },
  identity: (connection, identityHash) => {
    const row = connection.one<IdentityRow>(IDENTITY, identityHash)
    return row === null ? null : identityOf(row)
  },
  identities: (connection, userId) => connection.all<IdentityRow>(IDENTITIES, userId).map(identityOf),
  codeTries: (connection, userId) => {
    const row = connection.one<CodeTriesRow>(CODE_TRIES, userId)
    return row === null ? null : codeTriesOf(row)
  },
  session: (connection, sessionHash) => {
    const row = connection.one<SessionRow>(SESSION, sessionHash)
    return row === null ? null : sessionOf(row)
  },
  sessionCredentials: (connection, userId) =>
    connection
      .all<{ token_id: TokenId }>("SELECT token_id FROM session_credential WHERE user_id = ?", userId)
      .map(({ token_id }) => token_id),
  signedIn: (connection, sessionHash) => accountFrom(connection.one<AccountRow>(SIGNED_IN, sessionHash)),
  spentTicket: (connection, ticketId) => {
    const row = connection.one<{ spent_at: number }>(
      "SELECT spent_at FROM spent_ticket WHERE ticket_id = ?",
      ticketId,
    )
    return row === null ? null : { spentAt: row.spent_at }
  },
  knownBrowser: (connection, { browserHash, userId }) => {
    const row = connection.one<{ seen_at: number }>(KNOWN_BROWSER, browserHash, userId)
    return row === null ? null : { at: row.seen_at }
  },
  anyKnownBrowser: (connection, browserHash) => {
    const row = connection.one<{ seen_at: number }>(ANY_KNOWN_BROWSER, browserHash)
    return row === null ? null : { at: row.seen_at }
  },
  email: (connection, userId) => {
    const row = connection.one<EmailRow>(EMAIL, userId)
    return row === null ? null : emailOf(row)
  },
  emailByKey: (connection, addressKey) => {
    const row = connection.one<EmailRow>(EMAIL_BY_KEY, addressKey)
    return row === null ? null : emailOf(row)
  },
  link: (connection, linkHash) => {
    const row = connection.one<LinkRow>(LINK, linkHash)
    return row === null ? null : linkOf(row)
  },
  mailsOf: (connection, userId) => connection.all<MailRow>(MAILS_OF, userId).map(recentMailOf),
  icon: (connection, clientId) => {
    const row = connection.one<{ png: Uint8Array; png_hash: string }>(ICON, clientId)
    return row === null ? null : { png: row.png, hash: row.png_hash as Hash }
  },
  fetchedKeys: (connection, clientId) => {
    const row = connection.one<FetchedKeysRow>(FETCHED_KEYS, clientId)
    return row === null ? null : fetchedKeysOf(row)
  },
  spentAssertion: (connection, assertionHash) => {
    const row = connection.one<SpentAssertionRow>(SPENT_ASSERTION, assertionHash)
    return row === null ? null : spentAssertionOf(row)
  },
  anyClientWithKeys: (connection) => {
    const row = connection.one<ClientRow>(ANY_CLIENT_WITH_KEYS)
    return row === null ? null : clientOf(row)
  },
  document: (connection, clientId) => {
    const row = connection.one<DocumentRow>(DOCUMENT, clientId)
    return row === null ? null : documentOf(row)
  },
  setting: (connection, key) => valueFrom(connection.one("SELECT value FROM setting WHERE key = ?", key)),
  meta: (connection, key) => valueFrom(connection.one("SELECT value FROM meta WHERE key = ?", key)),
  setupLink: (connection) => {
    const row = connection.one<{ link_hash: string; made_at: number }>(
      "SELECT link_hash, made_at FROM setup_link",
    )
    return row === null ? null : { hash: row.link_hash as Hash, at: row.made_at }
  },
  otherAdministrator: (connection, userId) =>
    accountFrom(connection.one<AccountRow>(OTHER_ADMINISTRATOR, userId)),
  anyAccount: (connection) => accountFrom(connection.one<AccountRow>(ANY_ACCOUNT)),
  anyBinding: (connection) => {
    const row = connection.one<{ client_id: string }>(ANY_BINDING)
    return row === null ? null : { clientId: row.client_id as ClientId }
  },
}

const CLIENT = `SELECT ${clientColumns} FROM client WHERE client_id = ?`
const IMPORT = `SELECT ${importColumns} FROM import WHERE id = ?`
const IMPORTED_TOKEN = `
  SELECT ${importedTokenColumns} FROM imported_token WHERE token_hash = ? AND ${IS_OF_FINISHED}`
const OWNED_APPS = "SELECT count(*) AS count FROM client WHERE owner_id = ?"
const CLIENT_BY_REGISTRATION = `SELECT ${clientColumns} FROM client WHERE registration_hash = ?`
const ACCOUNT = `SELECT ${accountColumns} FROM usable_account AS account WHERE user_id = ?`
const ACCOUNT_BY_NAME = `SELECT ${namedAccountColumns} FROM account WHERE username_key = ?`
const ANY_ACCOUNT = `SELECT ${accountColumns} FROM usable_account AS account WHERE type = 'person' LIMIT 1`
const ANY_BINDING = "SELECT client_id FROM client WHERE service_account_id IS NOT NULL LIMIT 1"
const OTHER_ADMINISTRATOR = `
  SELECT ${accountColumns} FROM usable_account AS account WHERE admin = 1 AND enabled = 1 AND type = 'person' AND user_id <> ?
    AND password_hash <> '${NO_PASSWORD}'
  LIMIT 1`
const SERVICE_TOKEN = `SELECT ${serviceTokenColumns} FROM service_token WHERE access_hash = ?`
const LATEST_SERVICE_TOKENS = `
  SELECT ${serviceTokenColumns} FROM service_token WHERE token_id = ?
  ORDER BY place DESC LIMIT ${ACCESS_TOKENS_KEPT}`
const DEVICE_GRANT = `SELECT ${deviceGrantColumns} FROM device_grant WHERE grant_id = ?`
const DEVICE_GRANT_BY_CODE = `SELECT ${deviceGrantColumns} FROM device_grant WHERE user_code_hash = ?`
const APPROVER = `
  SELECT ${accountColumns}
  FROM device_grant JOIN usable_account AS account ON account.user_id = device_grant.user_id
  WHERE grant_id = ? AND state = 'approved'`
const FACTORS = `SELECT ${factorColumns} FROM factor WHERE user_id = ? ORDER BY factor_id`
const FACTOR = `SELECT ${factorColumns} FROM factor WHERE factor_id = ?`
const PASSKEY = `SELECT ${factorColumns} FROM factor WHERE credential_id = ?`
const IDENTITY = `SELECT ${identityColumns} FROM identity WHERE identity_hash = ?`
const IDENTITIES = `SELECT ${identityColumns} FROM identity WHERE user_id = ?`
const CODE_TRIES = `SELECT ${codeTriesColumns} FROM code_tries WHERE user_id = ?`
const SESSION = `SELECT ${sessionColumns} FROM session WHERE session_hash = ?`
const SIGNED_IN = `
  SELECT ${accountColumns} FROM session JOIN usable_account AS account ON account.user_id = session.user_id WHERE session_hash = ?`
const EMAIL = `SELECT ${emailColumns} FROM email WHERE user_id = ?`
const EMAIL_BY_KEY = `SELECT ${emailColumns} FROM email WHERE address_key = ?`
const LINK = `SELECT ${linkColumns} FROM one_time_link WHERE link_hash = ?`
const MAILS_OF = `SELECT ${mailColumns} FROM outbox WHERE user_id = ?`
const ICON = "SELECT png, png_hash FROM icon WHERE client_id = ?"
const FETCHED_KEYS = `SELECT ${fetchedKeysColumns} FROM fetched_keys WHERE client_id = ?`
const SPENT_ASSERTION = `SELECT ${spentAssertionColumns} FROM spent_assertion WHERE assertion_hash = ?`
const ANY_CLIENT_WITH_KEYS = `
  SELECT ${clientColumns} FROM client WHERE jwks IS NOT NULL OR jwks_uri IS NOT NULL LIMIT 1`
const DOCUMENT = `SELECT ${documentColumns} FROM client_document WHERE client_id = ?`
const KNOWN_BROWSER = "SELECT seen_at FROM known_browser WHERE browser_hash = ? AND user_id = ?"
const ANY_KNOWN_BROWSER =
  "SELECT seen_at FROM known_browser WHERE browser_hash = ? ORDER BY seen_at DESC LIMIT 1"

/** Loads the row of every key in `load`. The row of a null key is null. */
export function loadRows<L extends Load>(connection: Connection, load: L, rows: LoadedRows): Found<L> {
  const found: Partial<Record<keyof Loadable, unknown>> = {}
  for (const kind of Object.keys(load) as (keyof Loadable)[]) {
    found[kind] = loadRow(connection, kind, load[kind], rows)
  }
  return found as Found<L>
}

function loadRow<K extends keyof Loadable>(
  connection: Connection,
  kind: K,
  key: Loadable[K]["key"] | null | undefined,
  rows: LoadedRows,
): Loadable[K]["row"] | null {
  return key === null || key === undefined ? null : loaders[kind](connection, key, rows)
}

export function loadClient(connection: Connection, clientId: ClientId): Client | null {
  return connection.rows.read("client", clientId, () => {
    const row = connection.one<ClientRow>(CLIENT, clientId)
    return row === null ? null : clientOf(row)
  })
}

export function loadAccount(connection: Connection, userId: UserId): Account | null {
  return connection.rows.read("account", userId, () =>
    accountFrom(connection.one<AccountRow>(ACCOUNT, userId)),
  )
}

function loadedRowOf(connection: Connection, tokenId: TokenId, rows: LoadedRows): LoadedRow | null {
  const known = rows.get(tokenId)
  if (known !== undefined) return known
  const row = loadRowid(connection, tokenId)
  if (row !== null) rows.set(tokenId, row)
  return row
}

function deviceGrantFrom(row: DeviceGrantRow | null): DeviceGrant | null {
  return row === null ? null : deviceGrantOf(row)
}

function accountFrom(row: AccountRow | null): Account | null {
  return row === null ? null : accountOf(row)
}

function importFrom(row: ImportRow | null): Import | null {
  return row === null ? null : importOf(row)
}

function valueFrom(row: { readonly value: string } | null): { readonly value: string } | null {
  return row === null ? null : { value: row.value }
}
