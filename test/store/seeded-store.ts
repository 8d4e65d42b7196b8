/** A database in which every table has rows. Texts and bytes are as difficult as possible. */
import * as fc from "fast-check"
import type { ClientId, GrantId, TokenId, UserId } from "../../src/kernel/ids.ts"
import { type Change, decided } from "../../src/model/change.rules.ts"
import type { Credential } from "../../src/model/credential.rules.ts"
import { fetchedDocument } from "../../src/model/clients/document.rules.ts"
import { event } from "../../src/model/event.rules.ts"
import { EVENTS_KEPT_DAYS } from "../../src/kernel/limits.ts"
import { bucketAt } from "../../src/model/tally.rules.ts"
import { DAY } from "../../src/kernel/time.ts"
import type { Store } from "../../src/store/store.ts"
import {
  aCredential,
  account,
  active,
  aDeviceGrant,
  bindingCredential,
  boundClient,
  client,
  factors,
  family,
  hash,
  id,
  identity,
  invitation,
  issued,
  link,
  mail,
  keyClient,
  NOW,
  remembered,
  serviceAccount,
  serviceToken,
  session,
} from "./samples.ts"
import { anImport, foreignAccount, importedToken } from "./import-samples.ts"

/** Characters that COPY, SQL and terminals treat specially. */
export const AWKWARD =
  "\\N \\. \t tab \n line \r\n \\t \"quoted\" 'single' ; -- ✓ 👩‍🚀 ä\u0301 \u{10ffff} \b\v\f\u0001\u007f"

const KEYS = keyClient().keys?.jwks ?? ""
const DOCUMENT_URL = "https://app.example:8443/oauth/client.json?a=b" as ClientId

const [tokens, grants] = [40, 20]

export async function seedStore(store: Store): Promise<void> {
  const write = (...changes: Change[]) => store.change({}, () => decided(null, ...changes))
  const [totp, passkey, recovery] = factors()
  const itself = { registeredBy: "itself", registrationHash: hash("said"), deleteAfter: NOW + DAY } as const
  await write(
    { change: "accountAdded", account: account(0, { admin: true }) },
    { change: "accountAdded", account: account(1, { username: "Öde", usernameKey: "öde", enabled: false }) },
    {
      change: "clientAdded",
      client: client(0, { type: "confidential", secretHash: hash("s"), verified: true }),
    },
    { change: "clientAdded", client: client(1, { ownerId: id("a"), registeredBy: "user", enabled: false }) },
    { change: "clientAdded", client: client(2, itself) },
    { change: "clientAdded", client: keyClient(3, { algorithm: "EdDSA" }) },
    { change: "clientAdded", client: keyClient(4, { jwks: null, jwksUri: "https://app.example/keys" }) },
    {
      change: "keysFetched",
      fetched: {
        jwksUri: "https://app.example/keys",
        clientId: id("c", 4),
        triedAt: NOW,
        problem: AWKWARD,
        copy: { jwks: KEYS, fetchedAt: NOW - 1 },
      },
    },
    {
      change: "assertionSpent",
      spent: { assertionHash: hash("assertion"), bodyHash: hash("body"), deleteAfter: NOW + 600 },
    },
    {
      change: "clientAdded",
      client: client(0, { clientId: DOCUMENT_URL, registeredBy: "document", deleteAfter: NOW + 500 * DAY }),
    },
    { change: "documentSet", document: fetchedDocument(DOCUMENT_URL, NOW, null) },
    { change: "accountAdded", account: account(5) },
    { change: "accountRemoved", userId: id("a", 5) },
    { change: "importSet", import: anImport({ state: "finished", sealedSecret: "sealed" }) },
    { change: "accountStaged", staged: { account: foreignAccount(), factors: [] }, importId: 7 },
    { change: "importedTokenAdded", token: importedToken({ usedAt: NOW }) },
    { change: "accountAdded", account: serviceAccount(9, { ownerId: id("a") }) },
    {
      change: "clientAdded",
      client: boundClient(9, { binding: { userId: id("a", 9), tokenId: id("t", 99) } }),
    },
    { change: "credentialAdded", credential: bindingCredential(99, { clientId: id("c", 9) }) },
    {
      change: "serviceTokenAdded",
      token: serviceToken(0, { tokenId: id("t", 99), resources: ["https://api.example/"] }),
    },
    { change: "iconSet", clientId: id("c"), icon: { png: everyByte(), hash: hash("icon") } },
    { change: "settingSet", key: "appearance.logo", value: hash("logo") },
    { change: "logoSet", key: "appearance.logo", logo: { png: everyByte(), hash: hash("logo") } },
    { change: "appliedSet", applied: { set: "default", what: "app", key: "first", made: id("c") } },
    { change: "factorAdded", factor: totp },
    { change: "factorAdded", factor: passkey },
    { change: "factorAdded", factor: recovery },
    { change: "sessionAdded", session: session(0, { userAgent: AWKWARD, vouched: { by: "shop", at: NOW } }) },
    { change: "sessionCredentialAdded", tokenId: id("t"), session: session(0) },
    { change: "sessionAdded", session: session(1, { proof: { by: "password", at: NOW, amr: ["pwd"] } }) },
    {
      change: "signingKeySet",
      key: {
        kid: id("k"),
        algorithm: "ES256",
        state: "signing",
        publicJwk: '{"kty":"EC"}',
        sealedPrivate: "c2VhbGVk",
        madeAt: NOW,
        signsFrom: NOW,
        endedAt: null,
      },
    },
    { change: "groupSet", group: { name: "team.a", title: AWKWARD, createdAt: NOW } },
    {
      change: "membershipsSet",
      userId: id("a"),
      memberships: [
        { group: "team.a", provider: null },
        { group: "team.a", provider: "corp" },
      ],
    },
    { change: "identityAdded", identity: identity(0, { shownName: AWKWARD, grantsAdministration: true }) },
    {
      change: "codeTriesSet",
      userId: id("a"),
      tries: { userId: id("a"), unknownFailures: 100, knownFailures: 3 },
    },
    { change: "browserKnown", browserHash: hash("browser"), userId: id("a"), at: NOW },
    {
      change: "emailSet",
      email: {
        userId: id("a"),
        address: "Ada.L@example.org",
        addressKey: "ada.l@example.org",
        verifiedAt: NOW,
      },
    },
    { change: "linkAdded", link: link() },
    { change: "mailQueued", mail: mail() },
    {
      change: "invitationAdded",
      invitation: invitation(0, {
        username: "Öde",
        email: "ada@example.org",
        isMailed: true,
        admin: true,
        groups: ["a", "b:c"],
        invitedBy: id<UserId>("a"),
      }),
    },
    { change: "ticketSpent", ticketId: id("t"), at: NOW },
    { change: "settingSet", key: "token.access_seconds", value: "600" },
    { change: "metaSet", key: "service_secret_check", value: AWKWARD },
    { change: "setupLinkSet", hash: hash("link"), at: NOW },
    { change: "tallied", tallies: [tally("minute", null), tally("hour", null), tally("day", id("c"))] },
  )
  await write(...credentials().map((credential): Change => ({ change: "credentialAdded", credential })))
  await write(...deviceGrants())
  await write(
    { change: "clientChanged", client: client(0, { type: "confidential", secretHash: hash("other") }) },
    { change: "credentialsRevoked", of: { userId: id("a", 1) }, at: NOW, because: "account-removed" },
  )
  await recordEvents(store, write)
}

/** Returns bytes that begin like a PNG and then contain every possible byte. */
function everyByte(): Uint8Array {
  return Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, ...Array.from({ length: 256 }, (_, i) => i)])
}

function tally(grain: "minute" | "hour" | "day", clientId: ClientId | null) {
  return { grain, at: bucketAt(grain, NOW), name: "credential.issued", clientId, count: 3 } as const
}

function credentials(): Credential[] {
  const over = { state: "revoked", family: family(), revokedAt: NOW, because: "app" } as const
  const any = fc.sample(aCredential, { numRuns: tokens, seed: 7 }).map(({ credential }, i) => ({
    ...credential,
    consent: { ...credential.consent, tokenId: id<TokenId>("t", 100 + i) },
  }))
  return [
    issued(0),
    active(1, { installationName: "Häusliches Gerät" }),
    { ...active(2), life: over },
    active(3, { userId: id<UserId>("a", 1), clientId: id<ClientId>("c", 1) }),
    ...any,
  ]
}

function deviceGrants(): Change[] {
  return fc.sample(aDeviceGrant, { numRuns: grants, seed: 7 }).map(({ grant }, i): Change => {
    const own = {
      grantId: id<GrantId>("g", i),
      deviceHash: hash(`d${i}`),
      userCodeHash: hash(`u${i}`),
    } as const
    return { change: "deviceGrantAdded", grant: { ...grant, request: { ...grant.request, ...own } } }
  })
}

/** The newest event is deleted. Its id must not be assigned again. */
async function recordEvents(store: Store, write: (...changes: Change[]) => Promise<unknown>): Promise<void> {
  const facts = { userId: id<UserId>("a"), clientId: id<ClientId>("c"), tokenId: id<TokenId>("t") }
  await write(
    { change: "rememberedAdded", remembered: remembered(client(), 0, { resources: [AWKWARD] }) },
    {
      change: "organizationBlocked",
      block: { userId: id("a"), clientId: id("c"), provider: "work", blockedAt: NOW },
    },
    { change: "eventRecorded", event: event("consented", NOW, facts) },
    { change: "eventRecorded", event: event("signed-in", NOW + 1, { ...facts, detail: AWKWARD }) },
    {
      change: "eventRecorded",
      event: event("setting-changed", NOW + 2, { actorId: id("a"), address: "::1" }),
    },
    { change: "eventRecorded", event: event("signed-out", NOW - 2 * EVENTS_KEPT_DAYS.usual * DAY) },
  )
  await store.sweep(NOW - EVENTS_KEPT_DAYS.usual * DAY, 1000, EVENTS_KEPT_DAYS.usual)
}
