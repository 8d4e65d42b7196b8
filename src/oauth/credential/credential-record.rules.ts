/** A credential as its holder and an administrator see it: the consent, the current reach and the end. */
import type { Account } from "../../records/account.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import { asOf, type Credential, familyOf, type Life } from "../../records/credential.rules.ts"
import type { Catalogue } from "../../permissions/permission-catalogue.rules.ts"
import { reach } from "../../permissions/reach.rules.ts"
import { isAlive } from "../../kernel/time.ts"

export type CredentialRecord = {
  readonly token_id: string
  readonly client_id: string
  readonly user_id: string
  /** Null if the account was removed. */
  readonly username: string | null
  readonly installation_name: string | null
  /** The consent. */
  readonly scope: string
  /** What it reaches now; empty if it cannot be used. */
  readonly reach: string
  readonly state: Life["state"]
  readonly consented_at: number
  /** When the last pair of tokens was issued; null before the first. */
  readonly rotated_at: number | null
  /** When it ends, however often it is refreshed. */
  readonly ends_at: number
  readonly elevated_until: number | null
}

/** `client` and `account` as they are now; null if they are gone. */
export function credentialRecord(
  catalogue: Catalogue,
  credential: Credential,
  client: Client | null,
  account: Account | null,
  now: number,
): CredentialRecord {
  const { consent } = credential
  const { life } = asOf(credential, now)
  const isOpen = life.state === "issued" || life.state === "active"
  const isUsable = isOpen && client?.enabled === true && account?.enabled === true
  const reached = isUsable ? reach(catalogue, consent.scope, client.ceiling, account.admin) : []
  const elevatedUntil = life.state === "active" ? life.elevatedUntil : null
  return {
    token_id: consent.tokenId,
    client_id: consent.clientId,
    user_id: consent.userId,
    username: account?.username ?? null,
    installation_name: consent.installationName,
    scope: consent.scope.join(" "),
    reach: reached.join(" "),
    state: life.state,
    consented_at: consent.consentedAt,
    rotated_at: familyOf(credential)?.rotatedAt ?? null,
    ends_at: consent.endsAt,
    elevated_until: elevatedUntil !== null && isAlive(elevatedUntil, now) ? elevatedUntil : null,
  }
}
