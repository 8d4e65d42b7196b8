/** Writes credentials directly into a store, for tests that need many of them. Their tokens are random and not kept. */
import { randomBytes } from "node:crypto"
import type { ClientId, Hash, TokenId, UserId } from "../../src/kernel/ids.ts"
import { decided } from "../../src/model/change.rules.ts"
import type { Consent, Credential, Life } from "../../src/model/credential.rules.ts"
import { startFamily } from "../../src/oauth/credential/family.rules.ts"
import { CODE_SECONDS, CREDENTIAL_SECONDS } from "../../src/kernel/limits.ts"
import type { Store } from "../../src/store/store.ts"
import { NEVER } from "../../src/kernel/time.ts"
import { newId } from "../../src/kernel/random.ts"
import { permissions } from "./core-sample.ts"

export type NewCredential = {
  readonly clientId: string
  readonly userId: string
  /** The names are separated by spaces. */
  readonly scope: string
  /** Whose word takes the place of the consent. */
  readonly organization?: string
  readonly consentedAt: number
  /** Without this member, the credential is active. */
  readonly life?: (consent: Consent) => Life
}

/** Adds a credential and returns its id. */
export async function addCredential(store: Store, given: NewCredential): Promise<TokenId> {
  const { consentedAt, organization } = given
  const consent: Consent = {
    tokenId: newId<TokenId>(consentedAt),
    clientId: given.clientId as ClientId,
    userId: given.userId as UserId,
    installationName: null,
    scope: permissions(given.scope),
    resources: [],
    consentedAt,
    endsAt: organization === undefined ? consentedAt + CREDENTIAL_SECONDS : NEVER,
    openid: null,
    ...(organization !== undefined && { organization }),
  }
  const code = {
    hash: randomHash(),
    challenge: randomHash(),
    redirectUri: "https://app.example/callback",
    expiresAt: consentedAt + CODE_SECONDS,
  }
  const credential: Credential = {
    consent,
    code: organization === undefined ? code : null,
    life: (given.life ?? active)(consent),
  }
  await store.change({}, () => decided(null, { change: "credentialAdded", credential }))
  return consent.tokenId
}

function active(consent: Consent): Life {
  const pair = { accessToken: "", accessHash: randomHash(), refreshToken: "", refreshHash: randomHash() }
  const family = startFamily(consent, pair, randomHash(), 3600, consent.consentedAt, null)
  return { state: "active", family, elevatedUntil: null }
}

function randomHash(): Hash {
  return randomBytes(32).toString("base64url") as Hash
}
