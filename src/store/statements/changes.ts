/** The changes that both engines write with the same statements. Each engine has its own statements for the others. */
import type { Change } from "../../model/change.rules.ts"
import { sealedThings, storedKey } from "../../model/sealed.rules.ts"
import * as account from "../codecs/account-row.ts"
import { clientValues, INSERT_CLIENT, UPDATE_CLIENT } from "../codecs/client-row.ts"
import * as device from "../codecs/device-grant-row.ts"
import { documentValues, SET_DOCUMENT } from "../codecs/document-row.ts"
import { changedValues, factorValues, INSERT_FACTOR, UPDATE_FACTOR } from "../codecs/accounts/factor-row.ts"
import * as groups from "../codecs/accounts/group-row.ts"
import { upsertInto } from "../codecs/insert.ts"
import * as identity from "../codecs/accounts/identity-row.ts"
import * as imports from "../codecs/import-row.ts"
import * as keys from "../codecs/key-row.ts"
import * as email from "../codecs/mail/email-row.ts"
import * as invitation from "../codecs/mail/invitation-row.ts"
import { mailInsertion, mailSettlement } from "../codecs/mail/mail-row.ts"
import { refusedDeleteAfter } from "../codecs/retention.ts"
import * as service from "../codecs/service-token-row.ts"
import * as credentials from "../codecs/session-credential-row.ts"
import * as blocks from "../codecs/accounts/organization-block-row.ts"
import * as remembered from "../codecs/accounts/remembered-row.ts"
import * as signing from "../codecs/accounts/signing-key-row.ts"
import { proofValues } from "../codecs/session-row.ts"
import { type Statement, update, write } from "./statement.ts"

export type Of<K extends Change["change"]> = Extract<Change, { change: K }>
export type SharedChange = keyof typeof statements
export type OwnChange = Exclude<Change["change"], SharedChange>

const statements = {
  accountAdded: (of) => write(account.INSERT_ACCOUNT, ...account.accountValues(of.account)),
  accountChanged: (of) =>
    update("account", of.account.userId, account.UPDATE_ACCOUNT, account.accountValues(of.account)),
  accountRemoved: ({ userId }) => [
    write(remembered.END_OF_OWNER, userId),
    write("DELETE FROM account WHERE user_id = ?", userId),
    write(REMOVE_APPLIED, "service_account", userId),
    write(account.KEEP_REMOVED_ID, userId),
  ],
  groupSet: ({ group }) => write(groups.SET_GROUP, group.name, group.title, group.createdAt),
  membershipsSet: ({ userId, memberships }) => [
    write(groups.END_MEMBERSHIPS, userId),
    ...memberships.map((one) => groups.addMembership(userId, one)),
    update("account", userId, groups.SET_ACCOUNT_GROUPS, [userId, userId]),
  ],
  importSet: (of) => write(imports.SET_IMPORT, ...imports.importValues(of.import)),
  importRemoved: ({ importId }) => write("DELETE FROM import WHERE id = ?", importId),
  accountStaged: ({ staged, importId }) => [
    write(account.INSERT_STAGED_ACCOUNT, ...account.accountValues(staged.account), importId),
    ...staged.factors.map((factor) => write(INSERT_FACTOR, ...factorValues(factor))),
  ],
  stagedRemoved: ({ importId, limit }) => imports.REMOVE_STAGED.map((sql) => write(sql, importId, limit)),
  importedTokenAdded: ({ token }) =>
    write(imports.INSERT_IMPORTED_TOKEN, ...imports.importedTokenValues(token)),
  importedTokenUsed: ({ hash, at }) => write(imports.USE_IMPORTED_TOKEN, at, hash),
  clientAdded: ({ client }) => write(INSERT_CLIENT, ...clientValues(client)),
  clientChanged: ({ client }) => [
    write(remembered.END_CHANGED, ...remembered.endChangedValues(client)),
    update("client", client.clientId, UPDATE_CLIENT, clientValues(client)),
  ],
  clientRemoved: ({ clientId }) => [
    write("DELETE FROM client WHERE client_id = ?", clientId),
    write(REMOVE_APPLIED, "app", clientId),
    write(imports.REMOVE_TOKENS_OF_APP, clientId),
  ],
  keysFetched: ({ fetched }) => write(keys.SET_FETCHED_KEYS, ...keys.fetchedKeysValues(fetched)),
  // The rule has found that the assertion is unused. If two changes use it, one fails on the other's row and decides
  // again.
  assertionSpent: ({ spent }) => write(keys.SPEND_ASSERTION, ...keys.spentAssertionValues(spent)),
  iconSet: ({ clientId, icon }) =>
    icon === null
      ? write("DELETE FROM icon WHERE client_id = ?", clientId)
      : write(SET_ICON, clientId, icon.png, icon.hash),
  logoSet: ({ key, logo }) =>
    logo === null ? write("DELETE FROM logo WHERE key = ?", key) : write(SET_LOGO, key, logo.png, logo.hash),
  documentSet: ({ document }) => write(SET_DOCUMENT, ...documentValues(document)),
  serviceTokenAdded: ({ token }) => [
    write(service.INSERT_SERVICE_TOKEN, ...service.serviceTokenValues(token), token.tokenId),
    write(service.DROP_SERVICE_TOKENS, ...service.dropValues(token)),
  ],
  serviceTokenEnded: ({ token }) => write(service.END_SERVICE_TOKEN, token.hash),
  deviceGrantAdded: ({ grant }) => write(device.INSERT_DEVICE_GRANT, ...device.deviceGrantValues(grant)),
  deviceGrantChanged: ({ grant }) => {
    const { grantId } = grant.request
    const values = [...device.answerValues(grant), grantId]
    return update("device grant", grantId, device.UPDATE_DEVICE_GRANT, values)
  },
  approvalsDenied: ({ userId, at }) => write(device.DENY_APPROVALS, at, refusedDeleteAfter(at), userId),
  factorAdded: ({ factor }) => write(INSERT_FACTOR, ...factorValues(factor)),
  factorChanged: ({ factor }) => update("factor", factor.factorId, UPDATE_FACTOR, changedValues(factor)),
  factorRemoved: ({ factorId }) => write("DELETE FROM factor WHERE factor_id = ?", factorId),
  factorsReset: ({ userId }) => write("DELETE FROM factor WHERE user_id = ?", userId),
  sessionProven: ({ sessionHash, proof }) => write(PROVE_SESSION, ...proofValues(proof), sessionHash),
  sessionVouched: ({ sessionHash, at }) => write(VOUCH_FOR_SESSION, at, sessionHash),
  sessionCredentialAdded: ({ tokenId, session }) =>
    write(credentials.INSERT_SESSION_CREDENTIAL, ...credentials.sessionCredentialValues(tokenId, session)),
  rememberedAdded: (of) => write(remembered.INSERT_REMEMBERED, ...remembered.rememberedValues(of.remembered)),
  rememberedEnded: ({ id }) => write("DELETE FROM remembered_consent WHERE id = ?", id),
  organizationBlocked: ({ block }) => write(blocks.BLOCK, ...blocks.blockValues(block)),
  organizationAllowed: ({ block: { userId, clientId, provider } }) =>
    write(blocks.ALLOW, userId, clientId, provider),
  identityAdded: (of) => write(identity.INSERT_IDENTITY, ...identity.identityValues(of.identity)),
  identityChanged: (of) => {
    const values = identity.changedIdentityValues(of.identity)
    return update("identity", of.identity.identityHash, identity.UPDATE_IDENTITY, values)
  },
  identityRemoved: (of) => write("DELETE FROM identity WHERE identity_hash = ?", of.identity.identityHash),
  codeTriesSet: ({ userId, tries }) =>
    tries === null
      ? write("DELETE FROM code_tries WHERE user_id = ?", userId)
      : write(SET_CODE_TRIES, userId, tries.unknownFailures, tries.knownFailures),
  browserKnown: ({ browserHash, userId, at }) => write(KNOW_BROWSER, browserHash, userId, at),
  emailSet: (of) => write(email.SET_EMAIL, ...email.emailValues(of.email)),
  emailRemoved: ({ userId }) => write(email.REMOVE_EMAIL, userId),
  linkAdded: ({ link }) => write(email.INSERT_LINK, ...email.linkValues(link)),
  linkEnded: ({ linkHash }) => write(email.END_LINK, linkHash),
  linksEnded: ({ userId, purpose, since }) => write(email.END_LINKS, userId, purpose, since),
  invitationAdded: (of) => write(invitation.INSERT_INVITATION, ...invitation.invitationValues(of.invitation)),
  invitationEnded: ({ invitationId }) => [
    write(invitation.END_INVITATION, invitationId),
    write(invitation.DROP_MAIL, invitationId),
  ],
  invitationsEnded: ({ invitedBy }) => invitation.END_INVITATIONS.map((sql) => write(sql, invitedBy)),
  mailQueued: ({ mail }) => mailInsertion(mail),
  mailSettled: ({ mailId, tries, outcome }) => mailSettlement(mailId, tries, outcome),
  appliedSet: ({ applied: { what, made, set, key } }) => write(SET_APPLIED, what, made, set, key),
  appliedRemoved: ({ applied: { what, made } }) => write(REMOVE_APPLIED, what, made),
  metaRemoved: ({ key }) => write("DELETE FROM meta WHERE key = ?", key),
  sealedAgain: ({ thing, key, former, text }) => {
    const { table, key: by, column } = sealedThings[thing]
    const sql = `UPDATE ${table} SET ${column} = ? WHERE ${by} = ? AND ${column} = ?`
    return write(sql, text, storedKey(thing, key), former)
  },
  settingUnset: ({ key }) => [
    write("DELETE FROM setting WHERE key = ?", key),
    // A set that made it owns no later value.
    write(REMOVE_APPLIED, "setting", key),
    write(REMOVE_APPLIED, "appearance", key),
  ],
  signingKeySet: ({ key }) => write(signing.SET_SIGNING_KEY, ...signing.signingKeyValues(key)),
  signingKeyRemoved: ({ kid }) => write("DELETE FROM signing_key WHERE kid = ?", kid),
  setupLinkSet: ({ hash, at }) =>
    hash === null ? write("DELETE FROM setup_link") : write(SET_SETUP_LINK, 1, hash, at),
} satisfies { readonly [K in Change["change"]]?: (change: Of<K>) => Statement | readonly Statement[] }

const VOUCH_FOR_SESSION = "UPDATE session SET vouched_at = ? WHERE session_hash = ?"
const PROVE_SESSION = "UPDATE session SET proven_at = ?, proven_by = ?, proven_amr = ? WHERE session_hash = ?"
const SET_CODE_TRIES = upsertInto("code_tries", "user_id", "user_id, unknown_failures, known_failures")
const KNOW_BROWSER = upsertInto("known_browser", "browser_hash, user_id", "browser_hash, user_id, seen_at")
const SET_ICON = upsertInto("icon", "client_id", "client_id, png, png_hash")
const SET_LOGO = upsertInto("logo", "key", "key, png, png_hash")
const SET_APPLIED = upsertInto("applied", "what, made", "what, made, set_name, key")
const REMOVE_APPLIED = "DELETE FROM applied WHERE what = ? AND made = ?"
const SET_SETUP_LINK = upsertInto("setup_link", "only_one", "only_one, link_hash, made_at")

/** Returns the statements of a change, in order. */
export function statementsOf(change: Of<SharedChange>): readonly Statement[] {
  const written = (statements[change.change] as (change: Change) => Statement | readonly Statement[])(change)
  return "sql" in written ? [written] : written
}

// Parts of changes whose other statements differ between the engines.

export const SET_META = upsertInto("meta", "key", "key, value")
export const SET_SETTING = upsertInto("setting", "key", "key, value")
export const SPEND_TICKET = `
  INSERT INTO spent_ticket (ticket_id, spent_at) VALUES (?, ?) ON CONFLICT DO NOTHING`

/** The sessions of an account but one. The parameters are the account, and the digest of the session that stays. */
export const OTHER_SESSIONS = "user_id = ? AND session_hash IS DISTINCT FROM ?"
export const END_OTHER_SESSIONS = `DELETE FROM session WHERE ${OTHER_SESSIONS}`

/** Ends a session. Passes its credentials on to its successor, if there is one. */
export function endSession({ sessionHash, successor }: Of<"sessionEnded">): readonly Statement[] {
  const end = write("DELETE FROM session WHERE session_hash = ?", sessionHash)
  if (successor === undefined) return [end]
  return [write(credentials.PASS_ON, ...credentials.passOnValues(sessionHash, successor)), end]
}
