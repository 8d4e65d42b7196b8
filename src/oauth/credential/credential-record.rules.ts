/** The JSON record of a credential: its consent, its current reach and its end. */
import type { Account } from "../../model/account.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import {
  choice,
  idShape,
  instant,
  optional,
  orNull,
  type Parsed,
  record,
  scopeShape,
  text,
  usernameShape,
} from "../../platform/json/shape.rules.ts"
import { asOf, type Credential, familyOf, isOfServiceAccount } from "../../model/credential.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { consentedTo } from "../../model/permissions/reach.rules.ts"
import { reachOf } from "../../model/sign-in/organization.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import { isAlive, NEVER } from "../../kernel/time.ts"

export const credentialMembers = {
  token_id: idShape("credential"),
  client_id: idShape("app"),
  user_id: idShape("account"),
  username: orNull(usernameShape),
  installation_name: orNull(text("The label of this copy of the app.", "Laptop")),
  organization: optional(
    text(
      "The sign-in provider whose word took the place of the consent; only such credentials have it.",
      "work",
    ),
  ),
  scope: scopeShape("What the account holder consented to."),
  reach: scopeShape("What it allows now. Empty if it cannot be used."),
  state: choice("`issued` until its code is exchanged.", ["active", "issued", "revoked", "ended"]),
  consented_at: instant("When the account holder consented"),
  rotated_at: optional(
    orNull(
      instant(
        "When its tokens were last issued; null before the first time; absent for the credential of this access token",
      ),
    ),
  ),
  ends_at: orNull(
    instant(
      "When the credential ends at the latest; rounded down to 00:00 UTC for the credential of this access token; null for one of a service account or an organization",
      1_831_536_000,
    ),
  ),
  elevated_until: orNull(instant("Until when it is elevated, or null"), null),
}

export const credentialShape = record("Credential", credentialMembers)

/** Only an access token of the same credential does not see `rotated_at`. */
export type CredentialRecord = Parsed<typeof credentialShape> & { readonly rotated_at: number | null }

/** `client` and `account` are the current rows, or null if they were removed. */
type Held = {
  readonly credential: Credential
  readonly client: Client | null
  readonly account: Account | null
}

export function credentialRecord(
  { catalog, providers }: { readonly catalog: Catalog; readonly providers: SignInProviders },
  { credential, client, account }: Held,
  now: number,
): CredentialRecord {
  const { consent } = credential
  const { life } = asOf(credential, now)
  const isOpen = life.state === "issued" || life.state === "active"
  const isUsable = isOpen && client?.enabled === true && account?.enabled === true
  const reached = isUsable ? reachOf(catalog, providers, consent, client, account) : []
  const elevatedUntil = life.state === "active" ? life.elevatedUntil : null
  return {
    token_id: consent.tokenId,
    client_id: consent.clientId,
    user_id: consent.userId,
    username: account?.username ?? null,
    installation_name: consent.installationName,
    ...(consent.organization !== undefined && { organization: consent.organization }),
    scope: consentedTo(catalog, consent.scope, client?.ceiling ?? []).join(" "),
    reach: reached.join(" "),
    state: life.state,
    consented_at: consent.consentedAt,
    rotated_at: isOfServiceAccount(consent) ? null : (familyOf(credential)?.rotatedAt ?? null),
    ends_at: consent.endsAt === NEVER ? null : consent.endsAt,
    elevated_until: elevatedUntil !== null && isAlive(elevatedUntil, now) ? elevatedUntil : null,
  }
}
