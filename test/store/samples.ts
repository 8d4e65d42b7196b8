/** Records for tests of the store: plain records, and random records of every state. */
import * as fc from "fast-check"
import type { Account, Session } from "../../src/model/account.rules.ts"
import type {
  ClientId,
  FactorId,
  GrantId,
  Hash,
  InvitationId,
  KeyId,
  MailId,
  Permission,
  TokenId,
  UserId,
} from "../../src/kernel/ids.ts"
import type { OneTimeLink } from "../../src/model/mail/email.rules.ts"
import type { Invitation } from "../../src/model/invitation.rules.ts"
import type { NewMail } from "../../src/model/mail/mail.rules.ts"
import { defaultSwitches } from "../../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../../src/model/clients/openid-members.rules.ts"
import type { Client, ClientKeys } from "../../src/model/clients/client.rules.ts"
import { digest } from "../../src/kernel/hash.ts"
import { type Identity, identityText } from "../../src/model/sign-in/identity.rules.ts"
import type { Passkey, Recovery, Totp } from "../../src/model/factor.rules.ts"
import {
  type Code,
  type Consent,
  type Credential,
  type Family,
  type Life,
  NO_REPEATS,
  type RememberedConsent,
  type Repeats,
} from "../../src/model/credential.rules.ts"
import type { ServiceToken } from "../../src/model/service-token.rules.ts"
import { NEVER } from "../../src/kernel/time.ts"
import { REGISTERED } from "../../src/model/permissions/reach.rules.ts"
import type { DeviceGrant, DevicePurpose, DeviceState } from "../../src/model/device-grant.rules.ts"
import {
  ACCESS_TOKENS_KEPT,
  CODE_SECONDS,
  CREDENTIAL_SECONDS,
  DEVICE_SECONDS,
  REPEATS_ELSEWHERE_KEPT,
  RETIREMENTS_KEPT,
} from "../../src/kernel/limits.ts"

export const NOW = 1_800_000_000

/** Returns an identifier that sorts by its number. The number is its time and also its last part. */
export function id<
  T extends ClientId | UserId | TokenId | FactorId | GrantId | MailId | InvitationId | KeyId,
>(kind: string, number = 0): T {
  const digits = String(number)
  return (digits.padStart(10, "0") + kind + digits.padStart(16 - kind.length, "0")) as T
}

export function hash(seed: string | number): Hash {
  return String(seed).padEnd(43, "_") as Hash
}

export function account(number = 0, differing: Partial<Account> = {}): Account {
  return {
    userId: id("a", number),
    username: `Ada ${number}`,
    usernameKey: `ada ${number}`,
    type: "person",
    ownerId: null,
    passwordHash: "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA",
    admin: false,
    enabled: true,
    createdAt: NOW,
    groups: [],
    language: null,
    ...differing,
  }
}

export function serviceAccount(number = 9, differing: Partial<Account> = {}): Account {
  return account(number, { type: "service", passwordHash: null, ...differing })
}

/** Returns a confidential app that is bound to `serviceAccount()`, and the credential of this binding. */
export function boundClient(number = 0, differing: Partial<Client> = {}): Client {
  return client(number, {
    type: "confidential",
    secretHash: hash("secret"),
    redirectUris: [],
    binding: { userId: id("a", 9), tokenId: id("t", number) },
    ...differing,
  })
}

export function bindingCredential(number = 0, differing: Partial<Consent> = {}): Credential {
  const binding = { userId: id<UserId>("a", 9), clientId: id<ClientId>("c", number), endsAt: NEVER }
  const settled = consent(number, { ...binding, scope: [REGISTERED], ...differing })
  const own = family({ rotatedAt: NEVER, rotatedFrom: null, accessTokens: [] })
  return { consent: settled, code: null, life: { state: "active", family: own, elevatedUntil: null } }
}

export function serviceToken(number = 0, differing: Partial<ServiceToken> = {}): ServiceToken {
  return {
    hash: hash(`service${number}_`),
    tokenId: id("t"),
    issuedAt: NOW,
    expiresAt: NOW + 3600,
    scope: ["account:read"] as Permission[],
    resources: [],
    ...differing,
  }
}

export function client(number = 0, differing: Partial<Client> = {}): Client {
  return {
    clientId: id("c", number),
    type: "public",
    secretHash: null,
    keys: null,
    name: "Häusliche App",
    redirectUris: ["http://127.0.0.1/callback", "app.example:/back"],
    ceiling: ["account:read", "apps:read"] as Permission[],
    ...defaultSwitches,
    ...defaultOpenid,
    enabled: true,
    disabledByOwner: false,
    groups: [],
    ceilingByHand: false,
    binding: null,
    registeredBy: "administrator",
    ownerId: null,
    issuedAt: NOW,
    iconHash: null,
    registrationHash: null,
    deleteAfter: null,
    ...differing,
  }
}

/** Returns a confidential app that has a key. */
export function keyClient(number = 0, keys: Partial<ClientKeys> = {}): Client {
  const jwks = JSON.stringify({ keys: [{ kty: "OKP", crv: "Ed25519", x: "x".repeat(43), kid: "1" }] })
  const own = { jwks, jwksUri: null, algorithm: null, workload: null, ...keys }
  return client(number, { type: "confidential", redirectUris: [], keys: own })
}

export function session(number = 0, differing: Partial<Session> = {}): Session {
  return {
    sessionHash: hash(`session${number}`),
    userId: id("a"),
    createdAt: NOW,
    seenAt: NOW,
    address: "192.0.2.7",
    userAgent: "A browser",
    proof: null,
    vouched: null,
    ...differing,
  }
}

/** Returns one factor of each kind: 0 is a one-time password, 1 a passkey, 2 recovery codes. */
export function factors(): readonly [Totp, Passkey, Recovery] {
  const enrolled = (number: number) => ({
    factorId: id<FactorId>("f", number),
    userId: id<UserId>("a"),
    name: `Häusliches ${number}`,
    addedAt: NOW,
    usedAt: null,
  })
  return [
    { ...enrolled(0), kind: "totp", sealedSecret: "sealed", usedStep: 0 },
    {
      ...enrolled(1),
      kind: "passkey",
      credentialId: "credential",
      publicKey: "publicKey",
      counter: 0,
      transports: ["usb", "nfc"],
      isBackedUp: false,
    },
    { ...enrolled(2), kind: "recovery", codes: [hash("one"), hash("two")] },
  ]
}

export function consent(number = 0, differing: Partial<Consent> = {}): Consent {
  const consentedAt = differing.consentedAt ?? NOW
  return {
    tokenId: id("t", number),
    clientId: id("c"),
    userId: id("a"),
    installationName: null,
    scope: ["account:read"] as Permission[],
    resources: [],
    consentedAt,
    endsAt: consentedAt + CREDENTIAL_SECONDS,
    openid: null,
    ...differing,
  }
}

/** A consent that an app remembers. */
export function remembered(
  { clientId }: Pick<Client, "clientId">,
  number = 0,
  differing: Partial<RememberedConsent> = {},
): RememberedConsent {
  return {
    id: id("r", number),
    userId: id("a"),
    clientId,
    origin: "https://app.example",
    scope: ["openid" as Permission],
    resources: [],
    clickedAt: NOW,
    endsAt: NOW + CREDENTIAL_SECONDS,
    ...differing,
  }
}

export function code(consentedAt = NOW): Code {
  return {
    hash: hash("code"),
    challenge: hash("challenge"),
    redirectUri: "http://127.0.0.1:51234/callback",
    expiresAt: consentedAt + CODE_SECONDS,
  }
}

/** Returns what is stored of a code after it is redeemed. */
export function redeemed(of = code()): Code {
  return { ...of, challenge: "", redirectUri: "" }
}

/** Returns a credential as a store keeps it. If it has tokens, its code is redeemed. */
export function asKept(credential: Credential): Credential {
  const { code: own, life } = credential
  const isRedeemed = life.state !== "issued" && life.family !== null
  return own === null || !isRedeemed ? credential : { ...credential, code: redeemed(own) }
}

export function family(differing: Partial<Family> = {}): Family {
  return {
    generation: 1,
    currentHash: hash("current"),
    retired: null,
    retirements: [],
    key: "key",
    rotatedAt: NOW,
    rotatedFrom: "192.0.2.7",
    accessTokens: [{ hash: hash("access"), issuedAt: NOW, expiresAt: NOW + 3600, narrowedTo: null }],
    repeats: NO_REPEATS,
    ...differing,
  }
}

export function issued(number = 0, differing: Partial<Consent> = {}): Credential {
  const settled = consent(number, differing)
  return { consent: settled, code: code(settled.consentedAt), life: { state: "issued" } }
}

export function active(number = 0, differing: Partial<Consent> = {}): Credential {
  const rotatedAt = differing.consentedAt ?? NOW
  const accessTokens = [
    { hash: hash("access"), issuedAt: rotatedAt, expiresAt: rotatedAt + 3600, narrowedTo: null },
  ]
  const life = { state: "active", family: family({ rotatedAt, accessTokens }), elevatedUntil: null } as const
  return asKept({ ...issued(number, differing), life })
}

export function deviceGrant(
  number = 0,
  answer: DeviceState = { state: "pending" },
  differing: Partial<DeviceGrant["request"]> = {},
): DeviceGrant {
  const askedAt = differing.askedAt ?? NOW
  return {
    request: {
      grantId: id("g", number),
      deviceHash: hash(`device${number}`),
      userCodeHash: hash(`code${number}`),
      clientId: id("c"),
      purpose: {
        purpose: "access",
        asked: ["account:read", "apps:read"] as Permission[],
        installationName: null,
        resources: [],
      },
      address: "192.0.2.7",
      askedAt,
      expiresAt: askedAt + DEVICE_SECONDS,
      ...differing,
    },
    answer,
  }
}

export function approval(number = 0): Extract<DeviceState, { state: "approved" }> {
  const granted = ["account:read"] as Permission[]
  return { state: "approved", userId: id("a", number), granted, approvedAt: NOW + 9, openid: null }
}

/** Builds plain objects, as the store returns them. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true })

const aHash = fc.string({
  minLength: 43,
  maxLength: 43,
  unit: fc.constantFrom("A", "Z", "a", "z", "0", "9", "-", "_"),
}) as fc.Arbitrary<Hash>
const anInstant = fc.integer({ min: NOW - 10_000_000, max: NOW + 10_000_000 })
const aName = fc.stringMatching(/^[a-z]{1,8}(:[a-z]{1,8}){0,2}$/) as fc.Arbitrary<Permission>
const names = (minLength: number) => fc.uniqueArray(aName, { minLength, maxLength: 6 })
const aLabel = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 100 })
  .map((text) => text.toWellFormed())

const anAccessToken = record({
  hash: aHash,
  issuedAt: anInstant,
  expiresAt: fc.oneof(anInstant, fc.constant(0)),
  narrowedTo: fc.option(names(0)),
})

function aFamily(scope: readonly Permission[]): fc.Arbitrary<Family> {
  return fc.integer({ min: 1, max: 1000 }).chain((generation) => {
    return record({
      generation: fc.constant(generation),
      currentHash: aHash,
      retired:
        generation === 1
          ? fc.constant(null)
          : record({
              hash: aHash,
              answeredScope: fc.oneof(fc.constant(scope), fc.subarray([...scope])),
            }),
      retirements: someRetirements(generation),
      key: aHash,
      rotatedAt: anInstant,
      rotatedFrom: fc.option(fc.ipV4()),
      accessTokens: fc.array(anAccessToken, { maxLength: ACCESS_TOKENS_KEPT }),
      repeats: generation === 1 ? fc.constant(NO_REPEATS) : someRepeats(generation),
    })
  })
}

function someRepeats(generation: number): fc.Arbitrary<Repeats> {
  const anElsewhere = record({
    generation: fc.integer({ min: 2, max: generation }),
    at: anInstant,
    from: fc.ipV4(),
    firstFrom: fc.ipV6(),
  })
  const elsewhere = fc.array(anElsewhere, { maxLength: REPEATS_ELSEWHERE_KEPT })
  return fc.oneof(
    fc.constant(NO_REPEATS),
    record({ count: fc.integer({ min: REPEATS_ELSEWHERE_KEPT, max: 2 ** 36 - 1 }), elsewhere }),
  )
}

/** Generates retirements, newest first. The newest belongs to the previous generation. */
function someRetirements(generation: number): fc.Arbitrary<Family["retirements"]> {
  const older = fc.subarray(
    Array.from({ length: Math.min(generation - 1, RETIREMENTS_KEPT) }, (_, i) => generation - 1 - i),
  )
  return fc
    .tuple(older, fc.array(anInstant, { minLength: RETIREMENTS_KEPT, maxLength: RETIREMENTS_KEPT }))
    .map(([kept, times]) => {
      const generations = generation === 1 ? [] : [...new Set([generation - 1, ...kept])]
      return generations.map((one, i) => ({ generation: one, at: times[i] ?? 0 }))
    })
}

function aLife(scope: readonly Permission[]): fc.Arbitrary<Life> {
  const familyOrNone = fc.option(aFamily(scope))
  return fc.oneof(
    fc.constant<Life>({ state: "issued" }),
    record({
      state: fc.constant("active" as const),
      family: aFamily(scope),
      elevatedUntil: fc.option(anInstant),
    }),
    record({
      state: fc.constant("revoked" as const),
      family: familyOrNone,
      revokedAt: anInstant,
      because: fc.constantFrom("app", "account-holder", "code-replayed", "refresh-token-reused" as const),
    }),
    record({
      state: fc.constant("ended" as const),
      family: familyOrNone,
      endedAt: anInstant,
      because: fc.constantFrom("code-expired", "idle", "lifetime" as const),
    }),
  )
}

/**
 * Generates a credential in any state, and another possible life of it. `tokenId` belongs to the first credential, so
 * give each its own.
 */
export const aCredential: fc.Arbitrary<{ credential: Credential; next: Life }> = names(1).chain((scope) =>
  record({
    credential: record({
      consent: record({
        tokenId: fc.constant(id<TokenId>("t")),
        clientId: fc.constant(id<ClientId>("c")),
        userId: fc.constant(id<UserId>("a")),
        installationName: fc.option(aLabel),
        scope: fc.constant(scope),
        resources: fc.array(fc.webUrl(), { maxLength: 3 }),
        consentedAt: anInstant,
        endsAt: anInstant,
        openid: fc.option(aLabel),
      }),
      code: fc.option(
        record({ hash: aHash, challenge: aHash, redirectUri: fc.webUrl(), expiresAt: anInstant }),
      ),
      life: aLife(scope),
    }),
    next: aLife(scope),
  }),
)

const aPurpose: fc.Arbitrary<DevicePurpose> = fc.oneof(
  record({
    purpose: fc.constant("access" as const),
    asked: names(1),
    installationName: fc.option(aLabel),
    resources: fc.array(fc.webUrl(), { maxLength: 2 }),
  }),
  record({
    purpose: fc.constant("step-up" as const),
    tokenId: fc.constant(id<TokenId>("t")),
    userId: fc.constant(id<UserId>("a")),
    reason: fc.option(aLabel),
  }),
)

/** Generates an answer to a device grant, of any state. */
const anAnswer: fc.Arbitrary<DeviceState> = fc.oneof(
  fc.constantFrom<DeviceState>({ state: "pending" }, { state: "expired" }),
  record({
    state: fc.constant("approved" as const),
    userId: fc.constant(id<UserId>("a")),
    granted: names(1),
    approvedAt: anInstant,
    openid: fc.option(aLabel),
  }),
  record({
    state: fc.constant("redeemed" as const),
    redeemedAt: anInstant,
    userId: fc.option(fc.constant(id<UserId>("a"))),
  }),
  record({
    state: fc.constant("denied" as const),
    deniedAt: anInstant,
    userId: fc.option(fc.constant(id<UserId>("a"))),
  }),
)

/** Generates a device grant in any state, and another possible answer. Give each grant its own id and hashes. */
export const aDeviceGrant: fc.Arbitrary<{ grant: DeviceGrant; next: DeviceState }> = record({
  grant: record({
    request: record({
      grantId: fc.constant(id<GrantId>("g")),
      deviceHash: aHash,
      userCodeHash: aHash,
      clientId: fc.constant(id<ClientId>("c")),
      purpose: aPurpose,
      address: fc.oneof(fc.ipV4(), fc.ipV6()),
      askedAt: anInstant,
      expiresAt: anInstant,
    }),
    answer: anAnswer,
  }),
  next: anAnswer,
})

export function identity(number = 0, more: Partial<Identity> = {}): Identity {
  const key = { issuer: "https://id.example.org", subject: `subject ${number}` }
  return {
    identityHash: digest(identityText({ ...key, ...more })),
    ...key,
    userId: id("a"),
    provider: "corp",
    shownName: null,
    linkedAt: NOW,
    grantsAdministration: false,
    ...more,
  }
}

export function link(seed = "link", differing: Partial<OneTimeLink> = {}): OneTimeLink {
  return {
    linkHash: hash(seed),
    userId: id("a"),
    purpose: "recover",
    address: "ada@example.org",
    passwordDigest: hash("password"),
    madeAt: NOW,
    expiresAt: NOW + 1800,
    ...differing,
  }
}

export function invitation(number = 0, differing: Partial<Invitation> = {}): Invitation {
  return {
    invitationId: id<InvitationId>("i", number),
    linkHash: hash(`invitation${number}`),
    username: null,
    email: null,
    isMailed: false,
    admin: false,
    groups: [],
    invitedBy: null,
    madeAt: NOW,
    expiresAt: NOW + 3600,
    ...differing,
  }
}

export function mail(number = 0, differing: Partial<NewMail> = {}): NewMail {
  return {
    mailId: id("m", number),
    userId: id("a"),
    kind: "signed-in",
    to: { address: "ada@example.org" },
    clientId: null,
    redirectHost: null,
    networkAddress: "192.0.2.7",
    sealedLink: null,
    at: NOW,
    expiresAt: NOW + 3600,
    ...differing,
  }
}
