/**
 * The checks of all tables, for both engines. A check says how to read its rows in pages, and which invariants a row
 * must satisfy.
 */
import { accountColumns } from "../codecs/account-row.ts"
import { clientColumns, type ClientRow } from "../codecs/client-row.ts"
import { codeTriesColumns, type CodeTriesRow } from "../codecs/accounts/code-tries-row.ts"
import { credentialColumns } from "../codecs/credential-row.ts"
import { deviceGrantColumns } from "../codecs/device-grant-row.ts"
import { eventColumns, type EventRow } from "../codecs/event-row.ts"
import { documentColumns, type DocumentRow } from "../codecs/document-row.ts"
import { emailColumns, type EmailRow, linkColumns, type LinkRow } from "../codecs/mail/email-row.ts"
import { invitationColumns, type InvitationRow } from "../codecs/mail/invitation-row.ts"
import { mailColumns, type MailRow } from "../codecs/mail/mail-row.ts"
import { groupColumns, type GroupRow } from "../codecs/accounts/group-row.ts"
import { isGroupName, isGroupTitle } from "../../model/permissions/group.rules.ts"
import { factorColumns } from "../codecs/accounts/factor-row.ts"
import * as keys from "../codecs/key-row.ts"
import { blockColumns, type OrganizationBlockRow } from "../codecs/accounts/organization-block-row.ts"
import { PROVIDER_NAME } from "../../model/sign-in/provider.rules.ts"
import { rememberedColumns, type RememberedRow } from "../codecs/accounts/remembered-row.ts"
import { signingKeyColumns, type SigningKeyRow } from "../codecs/accounts/signing-key-row.ts"
import { identityColumns } from "../codecs/accounts/identity-row.ts"
import { parseJson } from "../../kernel/json.ts"
import { parseIssuerKeySet } from "../../model/clients/key-set.rules.ts"
import { RESOURCES_AT_MOST } from "../../kernel/limits.ts"
import { importedTokenColumns, type ImportedTokenRow } from "../codecs/import-row.ts"
import { serviceTokenColumns, type ServiceTokenRow } from "../codecs/service-token-row.ts"
import { sessionDeleteAfter } from "../codecs/retention.ts"
import { sessionCredentialColumns, type SessionCredentialRow } from "../codecs/session-credential-row.ts"
import { sessionColumns, type SessionRow } from "../codecs/session-row.ts"
import type { TallyRow } from "../codecs/tally-row.ts"
import type { Value } from "../codecs/value.ts"
import { accountProblems, type VerifiedAccountRow } from "./account-problems.ts"
import { clientProblems } from "./client-problems.ts"
import { consentProblems } from "./consent-problems.ts"
import { credentialProblems, type VerifiedCredentialRow } from "./credential-problems.ts"
import { emailProblems, invitationProblems, linkProblems, mailProblems } from "./email-problems.ts"
import { deviceGrantProblems, type VerifiedDeviceGrantRow } from "./device-grant-problems.ts"
import { factorProblems, type VerifiedFactorRow } from "./factor-problems.ts"
import { identityProblems, type VerifiedIdentityRow } from "./identity-problems.ts"
import * as plain from "./plain-problems.ts"
import { isRowKey } from "../../kernel/identifier.ts"
import { areNames, isDigest, isIdentifierOrNull, problemsIn, textsOf } from "./rule.ts"

export type Check = {
  readonly table: string
  /**
   * Returns the statement that reads the rows after the key `after`. If `after` is null, it reads from the first row.
   */
  readonly page: (
    after: Key | null,
    limit: number,
  ) => { readonly sql: string; readonly values: readonly Value[] }
  /** Reports the problems in the rows of a page. Returns the key of the last row, or null at the end. */
  readonly look: (rows: readonly Row[], limit: number, found: Found) => Key | null
}

type Row = Readonly<Record<string, Value>>

/** The values of the key columns of a table, in order. */
export type Key = readonly Value[]

/** Called for each problem, with the name of the row and a sentence. */
export type Found = (name: string, problem: string) => void

export const checks: readonly Check[] = [
  check<VerifiedAccountRow>(
    "account",
    `${accountColumns},
     (SELECT coalesce(string_agg(group_name, ' ' ORDER BY group_name), '')
      FROM (SELECT DISTINCT group_name FROM membership WHERE membership.user_id = account.user_id) AS held)
       AS memberships`,
    ["user_id"],
    accountProblems,
  ),
  check<GroupRow>("account_group", groupColumns, ["name"], ({ name, title }) =>
    problemsIn(
      [!isGroupName(name), "name is not a name of a group"],
      [title !== null && !isGroupTitle(title), "title is not a visible text"],
    ),
  ),
  check<ClientRow>("client", clientColumns, ["client_id"], clientProblems),
  check<{ png_hash: string }>("icon", "client_id, png_hash", ["client_id"], (row) =>
    problemsIn([!isDigest(row.png_hash), "png_hash is not a digest"]),
  ),
  check<keys.FetchedKeysRow>("fetched_keys", keys.fetchedKeysColumns, ["client_id"], ({ jwks }) =>
    problemsIn([jwks !== null && !parseIssuerKeySet(parseJson(jwks)).ok, "jwks is not a set of public keys"]),
  ),
  check<DocumentRow>("client_document", documentColumns, ["client_id"], plain.documentProblems),
  check<VerifiedCredentialRow>(
    "credential",
    `${credentialColumns},
     ${exists("account", "account.user_id = credential.user_id")} AS has_account,
     ${exists("client", "client.client_id = credential.client_id")} AS has_client`,
    ["token_id"],
    (row) => [...consentProblems(row), ...credentialProblems(row)],
  ),
  check<ServiceTokenRow>("service_token", `${serviceTokenColumns}, place`, ["token_id", "place"], (row) =>
    problemsIn(
      [!isDigest(row.access_hash), "access_hash is not a digest"],
      [!isIdentifierOrNull(row.token_id), "token_id is not an identifier"],
      [!areNames(row.scope), "the scope is not a list of different names"],
      [(textsOf(row.resources)?.length ?? Infinity) > RESOURCES_AT_MOST, "resources is not a list of URIs"],
      [row.expires_at < row.issued_at, "it expired before it was issued"],
    ),
  ),
  check<ImportedTokenRow>("imported_token", importedTokenColumns, ["token_hash"], (row) =>
    problemsIn(
      [!isDigest(row.token_hash), "token_hash is not a digest"],
      [!isIdentifierOrNull(row.token_id), "token_id is not an identifier"],
      [!areNames(row.scope), "the scope is not a list of different names"],
    ),
  ),
  check<VerifiedDeviceGrantRow>(
    "device_grant",
    `${deviceGrantColumns},
     ${exists("account", "account.user_id = device_grant.user_id")} AS has_approver`,
    ["grant_id"],
    deviceGrantProblems,
  ),
  check<VerifiedFactorRow>(
    "factor",
    `${factorColumns},
     ${exists("factor AS other", "other.user_id = factor.user_id AND other.kind <> 'recovery'")}
       AS has_second_factor`,
    ["factor_id"],
    factorProblems,
  ),
  check<SessionRow & { readonly gone_at: number }>(
    "session",
    `${sessionColumns}, gone_at`,
    ["session_hash"],
    (row) =>
      problemsIn(
        [!isDigest(row.session_hash), "session_hash is not a digest"],
        [
          row.gone_at !== sessionDeleteAfter(row.created_at, row.seen_at),
          "gone_at is not the day after its end",
        ],
      ),
  ),
  check<SessionCredentialRow>("session_credential", sessionCredentialColumns, ["token_id"], (row) =>
    problemsIn(
      [!isIdentifierOrNull(row.token_id), "token_id is no identifier"],
      [!isDigest(row.session_hash), "session_hash is no digest"],
    ),
  ),
  check<RememberedRow>("remembered_consent", rememberedColumns, ["id"], (row) =>
    problemsIn(
      [!isIdentifierOrNull(row.id), "id is not an identifier"],
      [!areNames(row.scope), "the scope is not a list of different names"],
      [textsOf(row.resources) === null, "resources is not a list of URIs"],
    ),
  ),
  check<OrganizationBlockRow>(
    "organization_block",
    blockColumns,
    ["user_id", "client_id", "provider"],
    ({ provider }) => problemsIn([!PROVIDER_NAME.test(provider), "provider is not a name of a provider"]),
  ),
  check<VerifiedIdentityRow>(
    "identity",
    `${identityColumns},
     ${exists("account", "account.user_id = identity.user_id AND account.type = 'person'")} AS has_person`,
    ["identity_hash"],
    identityProblems,
  ),
  check<CodeTriesRow>("code_tries", codeTriesColumns, ["user_id"], plain.codeTriesProblems),
  check<{ browser_hash: string }>(
    "known_browser",
    "browser_hash, user_id",
    ["browser_hash", "user_id"],
    (row) => problemsIn([!isDigest(row.browser_hash), "browser_hash is not a digest"]),
  ),
  check<EmailRow>("email", emailColumns, ["user_id"], emailProblems),
  check<LinkRow>("one_time_link", linkColumns, ["link_hash"], linkProblems),
  check<InvitationRow>("invitation", invitationColumns, ["invitation_id"], invitationProblems),
  check<MailRow>("outbox", mailColumns, ["mail_id"], mailProblems),
  check<{ ticket_id: string }>("spent_ticket", "ticket_id", ["ticket_id"], (row) =>
    problemsIn([!isIdentifierOrNull(row.ticket_id), "ticket_id is not an identifier"]),
  ),
  check<keys.SpentAssertionRow>("spent_assertion", keys.spentAssertionColumns, ["assertion_hash"], (row) =>
    problemsIn(
      [!isDigest(row.assertion_hash), "assertion_hash is not a digest"],
      [!isDigest(row.body_hash), "body_hash is not a digest"],
    ),
  ),
  check<SigningKeyRow>("signing_key", signingKeyColumns, ["kid"], ({ kid, public_jwk: jwk }) =>
    problemsIn(
      [!isIdentifierOrNull(kid), "kid is not an identifier"],
      [parseJson(jwk) === undefined, "public_jwk is not JSON"],
    ),
  ),
  check<{ key: string; value: string }>("setting", "key, value", ["key"], plain.settingProblems),
  check<{ png_hash: string; is_named: number }>(
    "logo",
    `key, png_hash,
     ${exists("setting", "setting.key = logo.key AND setting.value = logo.png_hash")} AS is_named`,
    ["key"],
    (row) =>
      problemsIn(
        [!isDigest(row.png_hash), "png_hash is not a digest"],
        [row.is_named === 0, "the setting of the same key has another digest"],
      ),
  ),
  check<{ what: string; made: string; set_name: string }>(
    "applied",
    "what, made, set_name",
    ["what", "made"],
    (row) => problemsIn([row.set_name === "" || row.made === "", "the set or what it made has no name"]),
  ),
  check<{ key: string; value: string }>("meta", "key, value", ["key"], plain.metaProblems),
  check<{ link_hash: string }>("setup_link", "only_one, link_hash", ["only_one"], (row) =>
    problemsIn([!isDigest(row.link_hash), "link_hash is not a digest"]),
  ),
  check<EventRow>("event", eventColumns, ["id"], plain.eventProblems),
  check<TallyRow>(
    "tally",
    "grain, client_id, at, name, count",
    ["grain", "client_id", "at", "name"],
    plain.tallyProblems,
  ),
  check<{ key: string }>("invalidation", "id, key", ["id"], (row) =>
    problemsIn([!isRowKey(row.key), "key is not an identifier"]),
  ),
]

function check<R extends object>(
  table: string,
  columns: string,
  key: readonly string[],
  problems: (row: R) => string[],
): Check {
  const order = key.join(", ")
  const select = (where: string) => `SELECT ${columns} FROM ${table} ${where} ORDER BY ${order} LIMIT ?`
  const first = select("")
  const next = select(`WHERE (${order}) > (${key.map(() => "?").join(", ")})`)
  const nameOf = (row: Row) => key.map((column) => row[column]).join(" ")
  return {
    table,
    page: (after, limit) =>
      after === null ? { sql: first, values: [limit] } : { sql: next, values: [...after, limit] },
    look: (rows, limit, found) => {
      for (const row of rows) {
        for (const problem of readable(problems, row as R)) found(nameOf(row), problem)
      }
      const last = rows.at(-1)
      return last === undefined || rows.length < limit ? null : key.map((column) => last[column] ?? null)
    },
  }
}

function exists(table: string, condition: string): string {
  return `CASE WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${condition}) THEN 1 ELSE 0 END`
}

/** If a check cannot read a row, reports that as a problem and continues with the next row. */
function readable<R>(problems: (row: R) => string[], row: R): string[] {
  try {
    return problems(row)
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}
