/**
 * Computes what an access token reaches, at every request. The app's ceiling, the account's rights and the token's
 * scope limit the consent. RFC 6750; interface PERM-*, AUTH-1.
 */
import type { Account } from "../../model/account.rules.ts"
import type { Hash, Permission } from "../../kernel/ids.ts"
import { type Change, type Decided, decided } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import {
  type AccessToken,
  areTokensEnded,
  asOf,
  type Credential,
  findAccessToken,
  isOfServiceAccount,
  type Life,
} from "../../model/credential.rules.ts"
import type { ServiceToken } from "../../model/service-token.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { isWithdrawn, reachOf } from "../../model/sign-in/organization.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { isAlive } from "../../kernel/time.ts"
import { persistObservedExpiry } from "./observed-expiry.rules.ts"

export type Bearer = {
  readonly credential: Credential
  readonly client: Client
  readonly account: Account
  readonly accessToken: AccessToken
  readonly reach: readonly Permission[]
  readonly elevatedUntil: number | null
}

export type BearerFacts = {
  readonly credential: Credential | null
  readonly client: Client | null
  readonly account: Account | null
  readonly hash: Hash
  /** The stored access token of a service account with this digest, or null. */
  readonly serviceToken: ServiceToken | null
  /** Those of the configuration. A credential that an organization gave is valid only with its entry. */
  readonly providers: SignInProviders
  /** What a JWT says after its signature was verified. Null for an opaque token. */
  readonly jwt?: AccessToken | null
}

/** If the token has expired, its end is stored with the first report. Refuses: accessTokenInvalid. */
export function decideBearer(
  catalog: Catalog,
  facts: BearerFacts,
  now: number,
): Decided<Result<Bearer, Refusal>> {
  const { credential, client, account, providers } = facts
  const invalid = err({ reason: "accessTokenInvalid" })
  const accessToken = presented(facts)
  if (credential === null || accessToken === null) return decided(invalid)

  const seen = asOf(credential, now)
  if (seen.life.state !== "active") return decided(invalid, ...persistObservedExpiry(credential, seen))
  if (!isAlive(accessToken.expiresAt, now)) return decided(invalid, ...persistTokenExpiry(seen, accessToken))
  if (client === null || !client.enabled || account === null || !account.enabled) return decided(invalid)

  if (isWithdrawn(providers, seen.consent)) return decided(invalid)

  const reached = reachOf(catalog, providers, seen.consent, client, account)
  const narrowedTo = accessToken.narrowedTo
  const { elevatedUntil } = seen.life
  const isElevated = elevatedUntil !== null && isAlive(elevatedUntil, now)
  return decided(
    ok({
      credential: withResources(seen, accessToken),
      client,
      account,
      accessToken,
      reach: narrowedTo === null ? reached : reached.filter((permission) => narrowedTo.includes(permission)),
      elevatedUntil: isElevated ? elevatedUntil : null,
    }),
    ...(elevatedUntil === null || isElevated ? [] : persistElevationEnd(seen)),
  )
}

function presented({ credential, hash, serviceToken, jwt = null }: BearerFacts): AccessToken | null {
  if (credential === null) return null
  if (jwt !== null && areTokensEnded(credential, jwt.issuedAt)) return null
  if (!isOfServiceAccount(credential.consent)) return jwt ?? findAccessToken(credential, hash)
  return serviceToken?.tokenId === credential.consent.tokenId
    ? { ...serviceToken, narrowedTo: serviceToken.scope }
    : null
}

/** Tokens of service accounts have their own resources, and so have tokens whose request named some. */
function withResources(credential: Credential, { resources }: AccessToken): Credential {
  if (resources === undefined) return credential
  return { ...credential, consent: { ...credential.consent, resources } }
}

/** Stores the end of an elevation that was reported as ended. It then stays ended if the clock is set back. STEP-2. */
function persistElevationEnd(credential: Credential): readonly Change[] {
  if (credential.life.state !== "active") return []
  const life: Life = { ...credential.life, elevatedUntil: null }
  return [{ change: "credentialChanged", credential: { ...credential, life } }]
}

function persistTokenExpiry(credential: Credential, expired: AccessToken): readonly Change[] {
  if (expired.expiresAt === 0 || credential.life.state !== "active") return []
  const { consent } = credential
  if (isOfServiceAccount(consent)) {
    const token = { hash: expired.hash, tokenId: consent.tokenId }
    return [{ change: "serviceTokenEnded", token, because: "expired" }]
  }
  const { family } = credential.life
  // A JWT is not stored. Its own `exp` ends it.
  if (!family.accessTokens.includes(expired)) return []
  const accessTokens = family.accessTokens.map((kept) =>
    kept === expired ? { ...kept, expiresAt: 0 } : kept,
  )
  const life: Life = { ...credential.life, family: { ...family, accessTokens } }
  return [{ change: "credentialChanged", credential: { ...credential, life } }]
}
