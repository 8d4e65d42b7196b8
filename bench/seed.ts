/**
 * Fills a data directory with credentials that have been refreshed often enough to have their full size: eight access
 * tokens and a retirement. The tokens of some, spread evenly over the table, are written beside it for the generator;
 * the others hold random digests, which nobody could present.
 *
 *   node bench/seed.ts DIR CREDENTIALS LIVE
 */
import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Account } from "../src/core/account.ts"
import type { ClientId, Hash, Permission, TokenId, UserId } from "../src/core/brand.ts"
import { type Change, decided } from "../src/core/change.ts"
import type { Client } from "../src/core/client.ts"
import type { Consent, Credential } from "../src/core/credential.ts"
import { rotate, startFamily } from "../src/core/family.ts"
import { CREDENTIAL_SECONDS } from "../src/core/limits.ts"
import { DAY, HOUR } from "../src/core/time.ts"
import type { TokenPair } from "../src/core/token-response.ts"
import { openSqlite } from "../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../src/store/store.ts"
import { systemClock } from "../src/system/clock.ts"
import { newId, randomSecret } from "../src/system/random.ts"
import { firstPair, readRefreshToken, successorPair } from "../src/system/token.ts"

const GENERATIONS = 9
const TOGETHER = 1000
const ACCOUNTS = 1000
const ACCESS_SECONDS = 3600
const ADDRESS = "192.0.2.7"

const scope = ["account:read", "account:write", "credentials:read"] as Permission[]
const now = systemClock.now()

const [dir = "", credentials = "1000", live = "1000"] = process.argv.slice(2)
mkdirSync(dir, { recursive: true })
const store = openSqlite(join(dir, "latchkey.db"))
const client = app()
const accounts = Array.from({ length: ACCOUNTS }, (_, i) => account(i))
await write(store, [
  { change: "settingSet", key: "rate_limit.oauth_anonymous", value: "off" },
  { change: "clientAdded", client },
  ...accounts.map((one): Change => ({ change: "accountAdded", account: one })),
])
writeFileSync(join(dir, "client-id"), client.clientId)
writeFileSync(
  join(dir, "refresh-tokens"),
  (await addCredentials(Number(credentials), Number(live))).join("\n"),
)
await store.close()

async function addCredentials(count: number, countOfLive: number): Promise<string[]> {
  const every = Math.max(1, Math.floor(count / countOfLive))
  const tokens: string[] = []
  for (let done = 0; done < count; done += TOGETHER) {
    const changes: Change[] = []
    for (let i = done; i < Math.min(count, done + TOGETHER); i++) {
      const { credential, refreshToken } = credentialOf(i, i % every === 0)
      changes.push({ change: "credentialAdded", credential })
      if (refreshToken !== null) tokens.push(refreshToken)
    }
    await write(store, changes)
    if (done % 100_000 === 0) console.error(`  ${done} of ${count} credentials`)
  }
  return tokens
}

function write(to: Store, changes: readonly Change[]): Promise<null> {
  return to.change({}, () => decided(null, ...changes))
}

function credentialOf(i: number, isLive: boolean): { credential: Credential; refreshToken: string | null } {
  const consentedAt = now - DAY - Math.floor(200 * DAY * (1 - i / Number(credentials)))
  const consent: Consent = {
    tokenId: newId<TokenId>(consentedAt),
    clientId: client.clientId,
    userId: accounts[i % ACCOUNTS]?.userId ?? ("" as UserId),
    installationName: `machine ${i}`,
    scope,
    resources: [],
    consentedAt,
    endsAt: consentedAt + CREDENTIAL_SECONDS,
  }
  const key = randomSecret()
  let pair = isLive ? firstPair(consent.tokenId, key) : randomPair()
  let family = startFamily(consent, pair, key, ACCESS_SECONDS, now - (GENERATIONS + 1) * HOUR, ADDRESS)
  for (let generation = 2; generation <= GENERATIONS; generation++) {
    const nonce = randomSecret()
    pair = isLive ? successorOf(pair, nonce, key) : randomPair()
    const rotation = {
      pair,
      nonce,
      narrowedTo: null,
      answeredScope: scope,
      accessSeconds: ACCESS_SECONDS,
      from: ADDRESS,
    }
    family = rotate(consent, family, rotation, now - (GENERATIONS + 1 - generation) * HOUR)
  }
  const code = {
    hash: randomHash(),
    challenge: randomHash(),
    redirectUri: "http://127.0.0.1:51234/callback",
    expiresAt: consentedAt + 600,
  }
  const credential: Credential = { consent, code, life: { state: "active", family, elevatedUntil: null } }
  return { credential, refreshToken: isLive ? pair.refreshToken : null }
}

function successorOf({ refreshToken }: TokenPair, nonce: string, key: string): TokenPair {
  const token = readRefreshToken(refreshToken)
  if (token === null) throw new Error("a token that was just made cannot be read")
  return successorPair(token, nonce, key)
}

function randomPair(): TokenPair {
  return { accessToken: "", accessHash: randomHash(), refreshToken: "", refreshHash: randomHash() }
}

function randomHash(): Hash {
  return randomBytes(32).toString("base64url") as Hash
}

function account(i: number): Account {
  const username = `user-${String(i).padStart(4, "0")}`
  return {
    userId: newId<UserId>(now),
    username,
    usernameKey: username,
    passwordHash: `$argon2id$v=19$m=19456,t=2,p=1$${"s".repeat(22)}$${"h".repeat(43)}`,
    admin: false,
    enabled: true,
    createdAt: now - 300 * DAY,
  }
}

function app(): Client {
  return {
    clientId: newId<ClientId>(now),
    type: "public",
    secretHash: null,
    name: "Paperclip",
    redirectUris: ["http://127.0.0.1/callback"],
    ceiling: scope,
    verified: false,
    stepUp: false,
    resourceServer: false,
    enabled: true,
    disabledByOwner: false,
    registeredBy: "administrator",
    ownerId: null,
    issuedAt: now - 300 * DAY,
    iconHash: null,
    registrationHash: null,
    goneAt: null,
  }
}
