/**
 * Fills an empty Latchkey database with what the workloads need. Writes the tokens and codes to files beside the
 * database:
 *
 *   node bench/fill.ts '{"dir":DIR,"databaseUrl":null,"sizes":{…}}'
 *
 * All rows are written by `store.change`, as the service does. Codes, device codes and access tokens are valid for a
 * day, so that none expires during a run.
 */
import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import type { Account } from "../src/model/account.rules.ts"
import type { ClientId, GrantId, Hash, Permission, TokenId, UserId } from "../src/kernel/ids.ts"
import { type Change, decided } from "../src/model/change.rules.ts"
import { defaultSwitches } from "../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../src/model/clients/openid-members.rules.ts"
import type { Client } from "../src/model/clients/client.rules.ts"
import type { Code, Consent, Credential } from "../src/model/credential.rules.ts"
import type { DeviceGrant } from "../src/model/device-grant.rules.ts"
import { decideBinding } from "../src/oauth/credential/binding.rules.ts"
import { startFamily } from "../src/oauth/credential/family.rules.ts"
import { CREDENTIAL_SECONDS } from "../src/kernel/limits.ts"
import { DAY } from "../src/kernel/time.ts"
import type { TokenPair } from "../src/oauth/credential/token-response.rules.ts"
import { newSession } from "../src/accounts/sessions/session.ts"
import type { Store } from "../src/store/store.ts"
import { systemClock } from "../src/kernel/clock.ts"
import { digest } from "../src/kernel/hash.ts"
import { newId, randomKey, randomSecret } from "../src/kernel/random.ts"
import { firstPair, newClientSecret, newCode, newDeviceCode } from "../src/oauth/credential/token.ts"
import { openDatabase } from "./open-database.ts"
import { writeKeySet } from "../src/model/clients/key-set.rules.ts"
import {
  JWT_RESOURCE,
  newSigner,
  REDIRECT_URI,
  SCOPE,
  type Sizes,
  writeIdentity,
  writeList,
} from "./stock.ts"
import { person } from "./person.ts"

export type Fill = {
  readonly dir: string
  readonly databaseUrl: string | null
  readonly sizes: Sizes
  /** The number of groups that each account is in. */
  readonly groups?: number
  readonly signed?: Signed
}

/** `on` only turns OpenID Connect on. With the others, each response of the token endpoint has what they name. */
export type Signed = "off" | "on" | `id_token ${Algorithm}` | `jwt ${Algorithm}`
type Algorithm = "RS256" | "ES256"

const ACCOUNTS = 1000
const TOGETHER = 500
/** The codes and device codes were requested in the last ten minutes. */
const MINUTES = 600
const ADDRESS = "192.0.2.7"

const now = systemClock.now()
const { dir, databaseUrl, sizes, groups = 0, signed = "off" } = JSON.parse(process.argv[2] ?? "{}") as Fill
const [means, algorithm] = signed.split(" ")
const scope = (means === "id_token" ? [...SCOPE, "openid"] : SCOPE) as Permission[]
const facts =
  means === "id_token"
    ? JSON.stringify({ nonce: randomSecret(), authTime: now, amr: ["pwd"], acr: "1", sid: randomSecret() })
    : null

mkdirSync(dir, { recursive: true })
const secret = newClientSecret()
const [app, resourceServer] = [client(null), client(secret.hash)]
const signer = newSigner(newId<ClientId>(now))
const signingApp: Client = {
  ...client(null),
  clientId: signer.id as ClientId,
  type: "confidential",
  keys: { jwks: writeKeySet([signer.publicKey]), jwksUri: null, algorithm: null, workload: null },
}
const accounts = Array.from({ length: ACCOUNTS }, (_, i) => account(i))
const [verifier, challenge] = verifierAndChallenge()
const store = await openDatabase(dir, databaseUrl)
await write(store, [
  { change: "settingSet", key: "rate_limit.oauth_anonymous", value: "off" },
  { change: "settingSet", key: "openid.enabled", value: signed === "off" ? "off" : "on" },
  { change: "clientAdded", client: app },
  { change: "clientAdded", client: resourceServer },
  { change: "clientAdded", client: signingApp },
])
await write(
  store,
  accounts.map((one) => ({ change: "accountAdded", account: one })),
)
if (groups > 0) await joinGroups()
writeList(dir, "refresh-tokens", await fill("refresh-tokens", active("refreshToken"), 200 * DAY))
writeList(dir, "access-tokens", await fill("access-tokens", active("accessToken"), 200 * DAY))
writeList(dir, "codes", await fill("codes", issued(app), MINUTES))
writeList(dir, "signed-codes", await fill("signed-codes", issued(signingApp), MINUTES))
writeList(dir, "pending", await fill("pending", deviceGrant(false), MINUTES))
writeList(dir, "approved", await fill("approved", deviceGrant(true), MINUTES))
writeList(dir, "bound-apps", await boundApps())
writeList(dir, "cookies", await fill("cookies", session, DAY))
writeIdentity(dir, {
  clientId: app.clientId,
  redirectUri: REDIRECT_URI,
  verifier,
  challenge,
  scope: SCOPE.join(" "),
  resourceServer: { id: resourceServer.clientId, secret: secret.text },
  signer,
})
await store.close()

type Made = { readonly change: Change; readonly text: string }

/** `at` is the time of the request. As in a real service, identifiers increase with time. */
type Make = (i: number, at: number) => Made

async function fill(list: keyof Sizes, make: Make, since: number): Promise<string[]> {
  const at = (i: number) => now - since + Math.floor((i * since) / sizes[list])
  const lines: string[] = []
  for (let done = 0; done < sizes[list]; done += TOGETHER) {
    const made = Array.from({ length: Math.min(TOGETHER, sizes[list] - done) }, (_, i) =>
      make(done + i, at(done + i)),
    )
    await write(
      store,
      made.map(({ change }) => change),
    )
    lines.push(...made.map(({ text }) => text))
  }
  return lines
}

function write(to: Store, changes: readonly Change[]): Promise<null> {
  return to.change({}, () => decided(null, ...changes))
}

/** Generates a credential whose code was exchanged earlier. Also returns the text of one of its tokens. */
function active(kind: "accessToken" | "refreshToken"): Make {
  return (i, at) => {
    const consent = consentOf(i, at)
    const key = randomKey()
    const pair: TokenPair = firstPair(consent.tokenId, key)
    const family = startFamily(consent, pair, key, DAY, now, ADDRESS)
    const credential: Credential = {
      consent,
      code: codeOf(randomHash()),
      life: { state: "active", family, elevatedUntil: null },
    }
    return { change: { change: "credentialAdded", credential }, text: pair[kind] }
  }
}

function issued({ clientId }: Client): Make {
  return (i, at) => {
    const consent = { ...consentOf(i, at), clientId }
    const code = newCode(consent.tokenId)
    const credential: Credential = { consent, code: codeOf(code.hash), life: { state: "issued" } }
    return { change: { change: "credentialAdded", credential }, text: code.text }
  }
}

function deviceGrant(isApproved: boolean): Make {
  return (i, at) => {
    const grantId = newId<GrantId>(at)
    const code = newDeviceCode(grantId)
    const grant: DeviceGrant = {
      request: {
        grantId,
        deviceHash: code.hash,
        userCodeHash: randomHash(),
        clientId: app.clientId,
        purpose: { purpose: "access", asked: scope, installationName: labelOf(i), resources: [] },
        address: ADDRESS,
        askedAt: at,
        expiresAt: now + DAY,
      },
      answer: isApproved
        ? { state: "approved", userId: userIdOf(i), granted: scope, approvedAt: now, openid: facts }
        : { state: "pending" },
    }
    return { change: { change: "deviceGrantAdded", grant }, text: code.text }
  }
}

/** Adds apps. Each is bound to its own service account. */
async function boundApps(): Promise<string[]> {
  const lines: string[] = []
  for (let i = 0; i < sizes["bound-apps"]; i++) {
    const own = newClientSecret()
    const service: Account = { ...account(ACCOUNTS + i), type: "service", passwordHash: null }
    const unbound = { ...client(own.hash), ceiling: scope, resourceServer: false }
    const { binding, changes } = decideBinding(unbound, null, service, {
      now,
      address: null,
      actorId: null,
      tokenId: newId<TokenId>(now),
      familyKey: randomKey(),
      noRefreshHash: randomHash(),
    })
    await write(store, [
      { change: "accountAdded", account: service },
      { change: "clientAdded", client: { ...unbound, binding } },
      ...changes,
    ])
    lines.push(`${unbound.clientId}:${own.text}`)
  }
  return lines
}

function session(i: number): Made {
  const of = accounts[i % ACCOUNTS] ?? account(i)
  const made = newSession(of, { now, address: ADDRESS, userAgent: "Mozilla/5.0", by: "password" })
  const cookie = `latchkey_browser=${randomSecret()}; latchkey_session=${made.secret}`
  return { change: { change: "sessionAdded", session: made.session }, text: cookie }
}

function consentOf(i: number, at: number): Consent {
  return {
    tokenId: newId<TokenId>(at),
    clientId: app.clientId,
    userId: userIdOf(i),
    installationName: labelOf(i),
    scope,
    resources: means === "jwt" ? [JWT_RESOURCE] : [],
    consentedAt: at,
    endsAt: at + CREDENTIAL_SECONDS,
    openid: facts,
  }
}

function codeOf(hash: Hash): Code {
  return { hash, challenge, redirectUri: REDIRECT_URI, expiresAt: now + DAY }
}

/** Returns a label of 20 bytes. */
function labelOf(i: number): string {
  return `machine ${String(i).padStart(12, "0")}`
}

function userIdOf(i: number): UserId {
  return accounts[i % ACCOUNTS]?.userId ?? ("" as UserId)
}

function randomHash(): Hash {
  return randomBytes(32).toString("base64url") as Hash
}

async function joinGroups(): Promise<void> {
  const names = Array.from({ length: groups }, (_, i) => `department-${i}`)
  await write(
    store,
    names.map((name) => ({ change: "groupSet", group: { name, title: null, createdAt: now } })),
  )
  const memberships = names.map((group) => ({ group, provider: null }))
  await write(
    store,
    accounts.map(({ userId }) => ({ change: "membershipsSet", userId, memberships })),
  )
}

function verifierAndChallenge(): readonly [string, string] {
  const made = randomSecret()
  return [made, digest(made)]
}

function account(i: number): Account {
  return person(`user-${String(i).padStart(4, "0")}`, now)
}

/**
 * Builds an app. With the digest of a secret, the app is confidential and may introspect tokens. Without it, the app is
 * public.
 */
function client(secretHash: Hash | null): Client {
  const isPublic = secretHash === null
  return {
    clientId: newId<ClientId>(now),
    type: isPublic ? "public" : "confidential",
    secretHash,
    keys: null,
    name: isPublic ? "Paperclip" : "Files",
    redirectUris: isPublic ? ["http://127.0.0.1/callback"] : [],
    ceiling: isPublic ? scope : [],
    ...defaultSwitches,
    ...defaultOpenid,
    ...(algorithm === "ES256" && { idTokenAlgorithm: algorithm }),
    resourceServer: !isPublic,
    enabled: true,
    disabledByOwner: false,
    groups: [],
    ceilingByHand: false,
    binding: null,
    registeredBy: "administrator",
    ownerId: null,
    issuedAt: now,
    iconHash: null,
    registrationHash: null,
    deleteAfter: null,
  }
}
