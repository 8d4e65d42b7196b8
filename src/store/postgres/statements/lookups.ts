/** Looks up each kind of row. Each kind has one statement for all keys, and a decoder for its rows. */
import type { ClientId, Hash, TokenId } from "../../../kernel/ids.ts"
import { NO_PASSWORD } from "../../../model/account.rules.ts"
import { ACCESS_TOKENS_KEPT } from "../../../kernel/limits.ts"
import { accountColumns, accountOf, namedAccountColumns } from "../../codecs/account-row.ts"
import { clientColumns, clientOf } from "../../codecs/client-row.ts"
import { codeTriesColumns, codeTriesOf } from "../../codecs/code-tries-row.ts"
import { credentialColumns, credentialOf, type CredentialRow } from "../../codecs/credential-row.ts"
import { deviceGrantColumns, deviceGrantOf } from "../../codecs/device-grant-row.ts"
import { documentColumns, documentOf } from "../../codecs/document-row.ts"
import { emailColumns, emailOf, linkColumns, linkOf } from "../../codecs/mail/email-row.ts"
import { mailColumns, type MailRow, recentMailOf } from "../../codecs/mail/mail-row.ts"
import { factorColumns, factorOf, type FactorRow, passkeyOf } from "../../codecs/factor-row.ts"
import {
  fetchedKeysColumns,
  fetchedKeysOf,
  spentAssertionColumns,
  spentAssertionOf,
} from "../../codecs/key-row.ts"
import { identityColumns, identityOf, type IdentityRow } from "../../codecs/identity-row.ts"
import {
  HAS_STAGED,
  importColumns,
  importedTokenColumns,
  importedTokenOf,
  importOf,
  IS_OF_FINISHED,
  OPEN_IMPORT,
} from "../../codecs/import-row.ts"
import { serviceTokenColumns, serviceTokenOf, type ServiceTokenRow } from "../../codecs/service-token-row.ts"
import { sessionColumns, sessionOf } from "../../codecs/session-row.ts"
import type { Loadable } from "../../store.ts"
import { binaryArray } from "../driver/binary-array.ts"

export type Kind = keyof Loadable

type Lookup<K extends Kind> = {
  readonly sql: string
  /** Returns the parameters. Without this function, the keys are the only parameter. */
  readonly parameters?: (keys: readonly string[]) => Buffer[]
  /** Decodes the rows of one key. There is at least one row. */
  readonly found: (rows: readonly never[]) => Loadable[K]["row"]
}

/** Rows of one table that share a statement. They are found by their own id or through a credential. */
export type Joined = "client" | "appOf" | "account" | "ownerOf"

const first =
  <Row, T>(of: (row: Row) => T) =>
  (rows: readonly Row[]): T =>
    of(rows[0] as Row)

const CREDENTIAL = `SELECT token_id AS load_key, version, ${credentialColumns} FROM credential WHERE token_id = ANY(?)`

export const lookups: { readonly [K in Exclude<Kind, Joined>]: Lookup<K> } = {
  credential: { sql: CREDENTIAL, found: first(credentialOf) },
  tokensOf: {
    sql: CREDENTIAL,
    found: first((row: CredentialRow) => ({ ...credentialOf(row), code: null })),
  },
  import: {
    sql: `SELECT id::text AS load_key, ${importColumns} FROM import WHERE id::text = ANY(?)`,
    found: first(importOf),
  },
  openImport: {
    sql: `SELECT 'true' AS load_key, open.* FROM (${OPEN_IMPORT}) AS open`,
    parameters: () => [],
    found: first(importOf),
  },
  stagedRows: {
    sql: `SELECT load_key, staged.count FROM unnest(?::text[]) AS load_key CROSS JOIN LATERAL
      (${HAS_STAGED.replaceAll("?", "load_key::bigint")}) AS staged`,
    found: first(({ count }: { count: number }) => ({ count })),
  },
  importedToken: {
    sql: `SELECT token_hash AS load_key, ${importedTokenColumns} FROM imported_token
      WHERE token_hash = ANY(?) AND ${IS_OF_FINISHED}`,
    found: first(importedTokenOf),
  },
  serviceToken: {
    sql: `SELECT access_hash AS load_key, ${serviceTokenColumns} FROM service_token WHERE access_hash = ANY(?)`,
    found: first(serviceTokenOf),
  },
  latestServiceTokens: {
    sql: `SELECT load_key, latest.* FROM unnest(?::text[]) AS load_key CROSS JOIN LATERAL
      (SELECT ${serviceTokenColumns} FROM service_token WHERE token_id = load_key
       ORDER BY place DESC LIMIT ${ACCESS_TOKENS_KEPT}) AS latest`,
    found: (rows: readonly ServiceTokenRow[]) => rows.map(serviceTokenOf),
  },
  boundCredential: {
    sql: `SELECT load_key, version, ${credentialColumns} FROM credential JOIN
      (SELECT client_id AS load_key, service_token_id FROM client
       WHERE client_id = ANY(?) AND service_account_id IS NOT NULL) AS bound ON token_id = service_token_id`,
    found: first(credentialOf),
  },
  boundAccount: {
    sql: `SELECT client_id AS load_key, ${accountColumns} FROM client JOIN usable_account AS account ON user_id = service_account_id
      WHERE client_id = ANY(?)`,
    found: first(accountOf),
  },
  clientByRegistration: {
    sql: `SELECT registration_hash AS load_key, ${clientColumns} FROM client WHERE registration_hash = ANY(?)`,
    found: first(clientOf),
  },
  ownedApps: {
    sql: `SELECT load_key, (SELECT count(*) FROM client WHERE owner_id = load_key) AS count FROM unnest(?::text[]) AS load_key`,
    found: first(({ count }: { count: number }) => ({ count })),
  },
  accountByName: {
    sql: `SELECT username_key AS load_key, ${namedAccountColumns} FROM account WHERE username_key = ANY(?)`,
    found: first(accountOf),
  },
  serviceAccount: {
    sql: `SELECT user_id AS load_key, ${accountColumns} FROM usable_account AS account WHERE user_id = ANY(?)`,
    found: first(accountOf),
  },
  deviceGrant: {
    sql: `SELECT grant_id AS load_key, ${deviceGrantColumns} FROM device_grant WHERE grant_id = ANY(?)`,
    found: first(deviceGrantOf),
  },
  deviceGrantByCode: {
    sql: `SELECT user_code_hash AS load_key, ${deviceGrantColumns} FROM device_grant WHERE user_code_hash = ANY(?)`,
    found: first(deviceGrantOf),
  },
  approverOf: {
    sql: `SELECT grant_id AS load_key, ${accountColumns} FROM device_grant JOIN usable_account AS account USING (user_id) WHERE state = 'approved' AND grant_id = ANY(?)`,
    found: first(accountOf),
  },
  factors: {
    sql: `SELECT user_id AS load_key, ${factorColumns} FROM factor WHERE user_id = ANY(?) ORDER BY factor_id`,
    found: (rows: readonly FactorRow[]) => rows.map(factorOf),
  },
  factor: {
    sql: `SELECT factor_id AS load_key, ${factorColumns} FROM factor WHERE factor_id = ANY(?)`,
    found: first(factorOf),
  },
  passkey: {
    sql: `SELECT credential_id AS load_key, ${factorColumns} FROM factor WHERE credential_id = ANY(?)`,
    found: first(passkeyOf),
  },
  identity: {
    sql: `SELECT identity_hash AS load_key, ${identityColumns} FROM identity WHERE identity_hash = ANY(?)`,
    found: first(identityOf),
  },
  identities: {
    sql: `SELECT user_id AS load_key, ${identityColumns} FROM identity WHERE user_id = ANY(?)`,
    found: (rows: readonly IdentityRow[]) => rows.map(identityOf),
  },
  codeTries: {
    sql: `SELECT user_id AS load_key, ${codeTriesColumns} FROM code_tries WHERE user_id = ANY(?)`,
    found: first(codeTriesOf),
  },
  sessionCredentials: {
    sql: "SELECT user_id AS load_key, token_id FROM session_credential WHERE user_id = ANY(?)",
    found: (rows: readonly { token_id: TokenId }[]) => rows.map(({ token_id }) => token_id),
  },
  session: {
    sql: `SELECT session_hash AS load_key, ${sessionColumns} FROM session WHERE session_hash = ANY(?)`,
    found: first(sessionOf),
  },
  signedIn: {
    sql: `SELECT session_hash AS load_key, ${accountColumns} FROM session JOIN usable_account AS account USING (user_id) WHERE session_hash = ANY(?)`,
    found: first(accountOf),
  },
  spentTicket: {
    sql: "SELECT ticket_id AS load_key, spent_at FROM spent_ticket WHERE ticket_id = ANY(?)",
    found: first(({ spent_at }: { spent_at: number }) => ({ spentAt: spent_at })),
  },
  knownBrowser: {
    sql: `SELECT browser_hash || ' ' || user_id AS load_key, seen_at FROM known_browser
      WHERE (browser_hash, user_id) IN (SELECT * FROM unnest(?::text[], ?::text[]))`,
    parameters: (keys) => {
      const pairs = keys.map((key) => key.split(" "))
      return [0, 1].map((side) =>
        binaryArray(
          "text",
          pairs.map((pair) => pair[side] ?? ""),
        ),
      )
    },
    found: first(({ seen_at }: { seen_at: number }) => ({ at: seen_at })),
  },
  anyKnownBrowser: {
    sql: `SELECT browser_hash AS load_key, max(seen_at) AS seen_at FROM known_browser
      WHERE browser_hash = ANY(?) GROUP BY browser_hash`,
    found: first(({ seen_at }: { seen_at: number }) => ({ at: seen_at })),
  },
  email: {
    sql: `SELECT user_id AS load_key, ${emailColumns} FROM email WHERE user_id = ANY(?)`,
    found: first(emailOf),
  },
  emailByKey: {
    sql: `SELECT address_key AS load_key, ${emailColumns} FROM email WHERE address_key = ANY(?)`,
    found: first(emailOf),
  },
  link: {
    sql: `SELECT link_hash AS load_key, ${linkColumns} FROM one_time_link WHERE link_hash = ANY(?)`,
    found: first(linkOf),
  },
  mailsOf: {
    sql: `SELECT user_id AS load_key, ${mailColumns} FROM outbox WHERE user_id = ANY(?)`,
    found: (rows: readonly MailRow[]) => rows.map(recentMailOf),
  },
  icon: {
    sql: "SELECT client_id AS load_key, png, png_hash FROM icon WHERE client_id = ANY(?)",
    found: first(({ png, png_hash }: { png: Uint8Array; png_hash: string }) => ({
      png,
      hash: png_hash as Hash,
    })),
  },
  fetchedKeys: {
    sql: `SELECT client_id AS load_key, ${fetchedKeysColumns} FROM fetched_keys WHERE client_id = ANY(?)`,
    found: first(fetchedKeysOf),
  },
  spentAssertion: {
    sql: `SELECT assertion_hash AS load_key, ${spentAssertionColumns} FROM spent_assertion WHERE assertion_hash = ANY(?)`,
    found: first(spentAssertionOf),
  },
  anyClientWithKeys: {
    sql: `SELECT 'true' AS load_key, ${clientColumns} FROM client WHERE jwks IS NOT NULL OR jwks_uri IS NOT NULL LIMIT 1`,
    parameters: () => [],
    found: first(clientOf),
  },
  document: {
    sql: `SELECT client_id AS load_key, ${documentColumns} FROM client_document WHERE client_id = ANY(?)`,
    found: first(documentOf),
  },
  setting: { sql: "SELECT key AS load_key, value FROM setting WHERE key = ANY(?)", found: first(valueOf) },
  meta: { sql: "SELECT key AS load_key, value FROM meta WHERE key = ANY(?)", found: first(valueOf) },
  setupLink: {
    sql: "SELECT 'true' AS load_key, link_hash, made_at FROM setup_link",
    parameters: () => [],
    found: first(({ link_hash, made_at }: { link_hash: string; made_at: number }) => ({
      hash: link_hash as Hash,
      at: made_at,
    })),
  },
  anyAccount: {
    sql: `SELECT 'true' AS load_key, ${accountColumns} FROM usable_account AS account WHERE type = 'person' LIMIT 1`,
    parameters: () => [],
    found: first(accountOf),
  },
  anyBinding: {
    sql: "SELECT 'true' AS load_key, client_id FROM client WHERE service_account_id IS NOT NULL LIMIT 1",
    parameters: () => [],
    found: first(({ client_id }: { client_id: string }) => ({ clientId: client_id as ClientId })),
  },
  otherAdministrator: {
    sql: `SELECT load_key, other.* FROM unnest(?::text[]) AS load_key CROSS JOIN LATERAL
      (SELECT ${accountColumns} FROM usable_account AS account WHERE admin = 1 AND enabled = 1 AND type = 'person' AND user_id <> load_key
       AND password_hash <> '${NO_PASSWORD}' LIMIT 1) AS other`,
    found: first(accountOf),
  },
}

function valueOf({ value }: { readonly value: string }): { readonly value: string } {
  return { value }
}
