/**
 * The look-ups that both engines run with the same statement. SQLite looks up one key, and PostgreSQL many keys at once.
 * Each engine has its own look-ups for what every request needs: apps, accounts and credentials.
 */
import type { ClientId, Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { ACCESS_TOKENS_KEPT } from "../../kernel/limits.ts"
import type { Applied } from "../../model/change.rules.ts"
import { NO_PASSWORD } from "../../model/account.rules.ts"
import { accountColumns, accountOf, namedAccountColumns } from "../codecs/account-row.ts"
import { clientColumns, clientOf } from "../codecs/client-row.ts"
import { codeTriesColumns, codeTriesOf } from "../codecs/accounts/code-tries-row.ts"
import { deviceGrantColumns, deviceGrantOf } from "../codecs/device-grant-row.ts"
import { documentColumns, documentOf } from "../codecs/document-row.ts"
import { factorColumns, factorOf, passkeyOf } from "../codecs/accounts/factor-row.ts"
import { identityColumns, identityOf } from "../codecs/accounts/identity-row.ts"
import * as groups from "../codecs/accounts/group-row.ts"
import * as imports from "../codecs/import-row.ts"
import * as keys from "../codecs/key-row.ts"
import * as email from "../codecs/mail/email-row.ts"
import { invitationColumns, invitationOf } from "../codecs/mail/invitation-row.ts"
import { mailColumns, recentMailOf } from "../codecs/mail/mail-row.ts"
import { serviceTokenColumns, serviceTokenOf } from "../codecs/service-token-row.ts"
import * as blocks from "../codecs/accounts/organization-block-row.ts"
import { rememberedColumns, rememberedOf } from "../codecs/accounts/remembered-row.ts"
import * as signing from "../codecs/accounts/signing-key-row.ts"
import { sessionColumns, sessionOf } from "../codecs/session-row.ts"
import { type Loadable, NODE_KEY_PREFIX, type NodeFact } from "../loadable.ts"

export type Kind = keyof Loadable
type Row<K extends Kind> = Loadable[K]["row"]

export type Source =
  /** The rows of a table, or of a join, that have the key in the column `by`. */
  | {
      readonly columns: string
      readonly from: string
      readonly by: string
      readonly and?: string
      readonly order?: string
    }
  /** The rows that have one of the keys of a `KeyList` in the column `anyOf`. */
  | { readonly columns: string; readonly from: string; readonly anyOf: string }
  /** A statement for one key. `?1` is the key, of the type `key`. */
  | { readonly one: string; readonly key: "text" | "bigint" }
  | { readonly any: string }

/** `row` decodes the only row. `rows` decodes each row of a list. */
type Lookup<K extends Kind> = Source &
  (Row<K> extends readonly (infer R)[]
    ? { readonly rows: (row: never) => R }
    : { readonly row: (row: never) => Row<K> })

/** A look-up without the type of its rows. */
export type AnyLookup = Source &
  ({ readonly row: (row: never) => unknown } | { readonly rows: (row: never) => unknown })

/** The accounts that rows of a table refer to. */
const accountOfA = (table: string) => ({
  row: accountOf,
  columns: accountColumns,
  from: `${table} JOIN usable_account AS account ON account.user_id = ${table}.user_id`,
})
const grant = { row: deviceGrantOf, columns: deviceGrantColumns, from: "device_grant" }
const factor = { columns: factorColumns, from: "factor" }
const spentAssertion = {
  row: keys.spentAssertionOf,
  columns: keys.spentAssertionColumns,
  from: "spent_assertion",
  by: "assertion_hash",
}
const identity = { columns: identityColumns, from: "identity" }
const invitation = { row: invitationOf, columns: invitationColumns, from: "invitation" }
const address = { row: email.emailOf, columns: email.emailColumns, from: "email" }

const picture = {
  row: ({ png, png_hash: hash }: { readonly png: Uint8Array; readonly png_hash: Hash }) => ({ png, hash }),
  columns: "png, png_hash",
}

const countOf = ({ count }: { readonly count: number }) => ({ count })
export const seenAt = ({ seen_at: at }: { readonly seen_at: number }) => ({ at })
const valueOf = ({ value }: { readonly value: string }) => ({ value })

export const lookups = {
  clientByRegistration: { row: clientOf, columns: clientColumns, from: "client", by: "registration_hash" },
  ownedApps: {
    row: countOf,
    one: "SELECT count(*) AS count FROM client WHERE owner_id = ?1",
    key: "text",
  },
  accountByName: { row: accountOf, columns: namedAccountColumns, from: "account", by: "username_key" },
  import: {
    row: imports.importOf,
    one: `SELECT ${imports.importColumns} FROM import WHERE id = ?1`,
    key: "bigint",
  },
  openImport: { row: imports.importOf, any: imports.OPEN_IMPORT },
  stagedRows: { row: countOf, one: imports.HAS_STAGED, key: "bigint" },
  importedToken: {
    row: imports.importedTokenOf,
    columns: imports.importedTokenColumns,
    from: "imported_token",
    by: "token_hash",
    and: imports.IS_OF_FINISHED,
  },
  serviceToken: {
    row: serviceTokenOf,
    columns: serviceTokenColumns,
    from: "service_token",
    by: "access_hash",
  },
  latestServiceTokens: {
    rows: serviceTokenOf,
    one: `SELECT ${serviceTokenColumns} FROM service_token WHERE token_id = ?1
      ORDER BY place DESC LIMIT ${ACCESS_TOKENS_KEPT}`,
    key: "text",
  },
  deviceGrant: { ...grant, by: "grant_id" },
  deviceGrantByCode: { ...grant, by: "user_code_hash" },
  serviceAccountsOf: {
    rows: accountOf,
    columns: accountColumns,
    from: "usable_account AS account",
    by: "owner_id",
    order: "user_id",
  },
  memberships: {
    rows: groups.membershipOf,
    columns: groups.membershipColumns,
    from: "membership",
    by: "user_id",
    order: "group_name, provider",
  },
  group: { row: groups.groupOf, columns: groups.groupColumns, from: "account_group", by: "name" },
  ownerOfAccount: {
    row: accountOf,
    one: `SELECT ${accountColumns} FROM account AS service JOIN usable_account AS account
      ON account.user_id = service.owner_id WHERE service.user_id = ?1`,
    key: "text",
  },
  approverOf: { ...accountOfA("device_grant"), by: "grant_id", and: "state = 'approved'" },
  factors: { ...factor, rows: factorOf, by: "user_id", order: "factor_id" },
  factor: { ...factor, row: factorOf, by: "factor_id" },
  passkey: { ...factor, row: passkeyOf, by: "credential_id" },
  identity: { ...identity, row: identityOf, by: "identity_hash" },
  identities: { ...identity, rows: identityOf, by: "user_id" },
  codeTries: { row: codeTriesOf, columns: codeTriesColumns, from: "code_tries", by: "user_id" },
  session: { row: sessionOf, columns: sessionColumns, from: "session", by: "session_hash" },
  sessionCredentials: {
    rows: ({ token_id }: { readonly token_id: TokenId }) => token_id,
    columns: "token_id",
    from: "session_credential",
    anyOf: "token_id",
  },
  rememberedConsents: {
    rows: rememberedOf,
    columns: rememberedColumns,
    from: "remembered_consent",
    by: "user_id",
    order: "clicked_at, id",
  },
  signedIn: { ...accountOfA("session"), by: "session_hash" },
  spentTicket: {
    row: ({ spent_at: spentAt }: { readonly spent_at: number }) => ({ spentAt }),
    columns: "spent_at",
    from: "spent_ticket",
    by: "ticket_id",
  },
  anyKnownBrowser: {
    row: seenAt,
    one: "SELECT seen_at FROM known_browser WHERE browser_hash = ?1 ORDER BY seen_at DESC LIMIT 1",
    key: "text",
  },
  email: { ...address, by: "user_id" },
  emailByKey: { ...address, by: "address_key" },
  link: { row: email.linkOf, columns: email.linkColumns, from: "one_time_link", by: "link_hash" },
  invitation: { ...invitation, by: "link_hash" },
  invitationById: { ...invitation, by: "invitation_id" },
  mailsOf: { rows: recentMailOf, columns: mailColumns, from: "outbox", by: "user_id" },
  icon: { ...picture, from: "icon", by: "client_id" },
  settings: {
    rows: ({ key, value }: NodeFact) => ({ key, value }),
    any: "SELECT key, value FROM setting",
  },
  logo: { ...picture, from: "logo", by: "key" },
  applied: {
    rows: ({ set_name: set, what, key, made }: Omit<Applied, "set"> & { readonly set_name: string }) => ({
      set,
      what,
      key,
      made,
    }),
    columns: "what, made, set_name, key",
    from: "applied",
    by: "set_name",
    order: "what, made",
  },
  groupsNamed: {
    rows: groups.countedGroupOf,
    columns: groups.countedGroupColumns,
    from: "account_group",
    anyOf: "name",
  },
  clients: { rows: clientOf, columns: clientColumns, from: "client", anyOf: "client_id" },
  accountsNamed: {
    rows: accountOf,
    columns: accountColumns,
    from: "usable_account AS account",
    anyOf: "username_key",
  },
  fetchedKeys: {
    row: keys.fetchedKeysOf,
    columns: keys.fetchedKeysColumns,
    from: "fetched_keys",
    by: "client_id",
  },
  spentAssertion,
  spentGrant: spentAssertion,
  organizationBlocks: {
    rows: blocks.blockOf,
    columns: blocks.blockColumns,
    from: "organization_block",
    by: "user_id",
  },
  anyClientWithKeys: {
    row: clientOf,
    any: `SELECT ${clientColumns} FROM client WHERE jwks IS NOT NULL OR jwks_uri IS NOT NULL LIMIT 1`,
  },
  document: { row: documentOf, columns: documentColumns, from: "client_document", by: "client_id" },
  setting: { row: valueOf, columns: "value", from: "setting", by: "key" },
  meta: { row: valueOf, columns: "value", from: "meta", by: "key" },
  nodes: {
    rows: ({ key, value }: NodeFact) => ({ key, value }),
    any: `SELECT key, value FROM meta WHERE key >= '${NODE_KEY_PREFIX}' AND key < '${NODE_KEY_PREFIX}\u{10FFFF}' ORDER BY key`,
  },
  setupLink: {
    row: ({ link_hash: hash, made_at: at }: { readonly link_hash: Hash; readonly made_at: number }) => ({
      hash,
      at,
    }),
    any: "SELECT link_hash, made_at FROM setup_link",
  },
  signingKeys: {
    rows: signing.signingKeyOf,
    any: `SELECT ${signing.signingKeyColumns} FROM signing_key ORDER BY made_at, kid`,
  },
  anyAccount: {
    row: ({ user_id: userId }: { readonly user_id: UserId }) => ({ userId }),
    any: "SELECT user_id FROM usable_account WHERE type = 'person' LIMIT 1",
  },
  anyBinding: {
    row: ({ client_id: clientId }: { readonly client_id: ClientId }) => ({ clientId }),
    any: "SELECT client_id FROM client WHERE service_account_id IS NOT NULL LIMIT 1",
  },
  otherAdministrator: {
    row: accountOf,
    one: `
      SELECT ${accountColumns} FROM usable_account AS account WHERE admin = 1 AND enabled = 1 AND type = 'person'
        AND user_id <> ?1 AND password_hash <> '${NO_PASSWORD}' LIMIT 1`,
    key: "text",
  },
} satisfies { readonly [K in Kind]?: Lookup<K> }

export type SharedKind = keyof typeof lookups
/** The kinds whose statements differ between the engines. */
export type OwnKind = Exclude<Kind, SharedKind>
