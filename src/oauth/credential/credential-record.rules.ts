/** The JSON record of a credential: its consent, its current reach and its end. */
import type { Account } from "../../model/account.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import {
  asOf,
  type Credential,
  familyOf,
  isOfServiceAccount,
  type Life,
} from "../../model/credential.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { consentedTo, reach } from "../../model/permissions/reach.rules.ts"
import { isAlive } from "../../kernel/time.ts"

export type CredentialRecord = {
  readonly token_id: string
  readonly client_id: string
  readonly user_id: string
  /** The value is null if the account was removed. */
  readonly username: string | null
  readonly installation_name: string | null
  /** The permissions of the consent. For a service account, these are the permissions of the registration. */
  readonly scope: string
  /** The permissions that the credential reaches now. The list is empty if the credential cannot be used. */
  readonly reach: string
  readonly state: Life["state"]
  readonly consented_at: number
  /**
   * The time when the last token pair was issued. The value is null before the code exchange, and for a service
   * account.
   */
  readonly rotated_at: number | null
  /**
   * The time when the credential ends at the latest. Refreshes do not move it. The value is null for a service account,
   * whose credential ends only by revocation.
   */
  readonly ends_at: number | null
  readonly elevated_until: number | null
}

/** Builds the record. `client` and `account` are the current rows, or null if they were removed. */
export function credentialRecord(
  catalog: Catalog,
  credential: Credential,
  client: Client | null,
  account: Account | null,
  now: number,
): CredentialRecord {
  const { consent } = credential
  const { life } = asOf(credential, now)
  const isOpen = life.state === "issued" || life.state === "active"
  const isUsable = isOpen && client?.enabled === true && account?.enabled === true
  const reached = isUsable ? reach(catalog, consent.scope, client.ceiling, account.admin) : []
  const elevatedUntil = life.state === "active" ? life.elevatedUntil : null
  return {
    token_id: consent.tokenId,
    client_id: consent.clientId,
    user_id: consent.userId,
    username: account?.username ?? null,
    installation_name: consent.installationName,
    scope: consentedTo(catalog, consent.scope, client?.ceiling ?? []).join(" "),
    reach: reached.join(" "),
    state: life.state,
    consented_at: consent.consentedAt,
    rotated_at: isOfServiceAccount(consent) ? null : (familyOf(credential)?.rotatedAt ?? null),
    ends_at: isOfServiceAccount(consent) ? null : consent.endsAt,
    elevated_until: elevatedUntil !== null && isAlive(elevatedUntil, now) ? elevatedUntil : null,
  }
}
