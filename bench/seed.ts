/**
 * Fills a data directory with credentials that have a history. Each was issued by a consent, exchanged and refreshed
 * twice, and each step overwrote its row. Each credential has one live access token, a retired generation, three
 * permissions and a label of 20 bytes. There are several apps and many accounts. Some credentials, spread evenly over
 * the table, have known tokens. These are written to files in random order, because people come at random times. The
 * tokens of the others cannot be presented.
 *
 *   node bench/seed.ts --data DIR [--credentials 1000] [--live 1000]
 *
 * Writes the files latchkey.db, client-id, refresh-tokens and access-tokens in DIR. client-id names the app of all
 * credentials with known tokens.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Account } from "../src/model/account.rules.ts"
import type { ClientId, Hash, Permission, TokenId, UserId } from "../src/kernel/ids.ts"
import { type Change, decided } from "../src/model/change.rules.ts"
import { defaultSwitches } from "../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../src/model/clients/openid-members.rules.ts"
import type { Client } from "../src/model/clients/client.rules.ts"
import type { Code, Consent, Credential, Family } from "../src/model/credential.rules.ts"
import { rotate, startFamily } from "../src/oauth/credential/family.rules.ts"
import { CODE_SECONDS, CREDENTIAL_SECONDS } from "../src/kernel/limits.ts"
import { DAY, HOUR } from "../src/kernel/time.ts"
import type { TokenPair } from "../src/oauth/credential/token-response.rules.ts"
import { openSqlite } from "../src/store/sqlite/sqlite-store.ts"
import { systemClock } from "../src/kernel/clock.ts"
import { newId, randomKey, randomSecret } from "../src/kernel/random.ts"
import { firstPair, readRefreshToken, successorPair } from "../src/oauth/credential/token.ts"
import { count, flagsOf, madeDirectory, refuse } from "./command.ts"
import { person } from "./person.ts"

const TOGETHER = 500
const APPS = 8
const ACCOUNTS_AT_MOST = 100_000
/** An access token of the last refresh is valid for this long, so that none expires during a measurement. */
const ACCESS_SECONDS = DAY
const ADDRESS = "192.0.2.7"

const scope = ["account:read", "account:write", "credentials:read"] as Permission[]
const now = systemClock.now()

const asked = flagsOf({
  data: { type: "string" },
  credentials: { type: "string", default: "1000" },
  live: { type: "string", default: "1000" },
})
const dir = asked.data ?? refuse("--data: a directory is needed")
const [credentials, live] = [count("credentials", asked.credentials), count("live", asked.live)]
madeDirectory("data", dir)
const store = openSqlite(join(dir, "latchkey.db"))
const apps = Array.from({ length: APPS }, (_, i) => app(i))
const accounts = Array.from({ length: Math.min(ACCOUNTS_AT_MOST, Math.ceil(credentials / 10)) }, (_, i) =>
  account(i),
)
await write([{ change: "settingSet", key: "rate_limit.oauth_anonymous", value: "off" }])
await write(apps.map((client): Change => ({ change: "clientAdded", client })))
for (let i = 0; i < accounts.length; i += TOGETHER)
  await write(
    accounts.slice(i, i + TOGETHER).map((one): Change => ({ change: "accountAdded", account: one })),
  )
writeFileSync(join(dir, "client-id"), apps[0]?.clientId ?? "")
const tokens = shuffled(await addCredentials())
writeFileSync(join(dir, "refresh-tokens"), tokens.map(({ refreshToken }) => refreshToken).join("\n"))
writeFileSync(join(dir, "access-tokens"), tokens.map(({ accessToken }) => accessToken).join("\n"))
await store.close()

async function addCredentials(): Promise<TokenPair[]> {
  const every = Math.max(1, Math.floor(credentials / live))
  const pairs: TokenPair[] = []
  for (let done = 0; done < credentials; done += TOGETHER) {
    const lives = Array.from({ length: Math.min(TOGETHER, credentials - done) }, (_, i) => {
      const isLive = (done + i) % every === 0 && pairs.length < live
      const { states, pair } = lifeOf(done + i, isLive)
      if (isLive) pairs.push(pair)
      return states
    })
    // All codes are issued before the first code is exchanged, as in a service with many users.
    const [first = []] = lives
    await write([...first.keys()].flatMap((step) => lives.flatMap((states) => changeTo(states[step], step))))
    if (done % 100_000 === 0) console.error(`  ${done} of ${credentials} credentials`)
  }
  return pairs
}

function shuffled<T>(some: readonly T[]): T[] {
  return some
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

function changeTo(credential: Credential | undefined, step: number): readonly Change[] {
  if (credential === undefined) return []
  return [{ change: step === 0 ? "credentialAdded" : "credentialChanged", credential }]
}

function write(changes: readonly Change[]): Promise<null> {
  return store.change({}, () => decided(null, ...changes))
}

/** Returns the states of one credential, one after the other, and the tokens of the last state. */
function lifeOf(i: number, isLive: boolean): { states: readonly Credential[]; pair: TokenPair } {
  const consentedAt = now - DAY - Math.floor(200 * DAY * (1 - i / credentials))
  const consent: Consent = {
    tokenId: newId<TokenId>(consentedAt),
    clientId: (isLive ? apps[0] : apps[i % APPS])?.clientId ?? ("" as ClientId),
    userId: accounts[(i * 7919) % accounts.length]?.userId ?? ("" as UserId),
    installationName: `laptop of user ${String(i % 100_000).padStart(5, "0")}`,
    scope,
    resources: [],
    consentedAt,
    endsAt: consentedAt + CREDENTIAL_SECONDS,
    openid: null,
  }
  const code: Code = {
    hash: anyHash(),
    challenge: anyHash(),
    redirectUri: "http://127.0.0.1:51234/callback",
    expiresAt: consentedAt + CODE_SECONDS,
  }
  const key = randomKey()
  let pair = isLive ? firstPair(consent.tokenId, key) : anyPair()
  let family = startFamily(consent, pair, key, HOUR, now - 4 * HOUR, ADDRESS)
  const states: Credential[] = [{ consent, code, life: { state: "issued" } }, active(consent, code, family)]
  for (const [at, seconds] of [
    [now - 2 * HOUR, HOUR],
    [now, ACCESS_SECONDS],
  ] as const) {
    pair = isLive ? successorOf(pair, key) : anyPair()
    const answered = {
      pair,
      narrowedTo: null,
      answeredScope: scope,
      accessSeconds: seconds,
      from: ADDRESS,
    }
    family = rotate(consent, family, answered, at)
    states.push(active(consent, code, family))
  }
  return { states, pair }
}

function active(consent: Consent, code: Code, family: Family): Credential {
  return { consent, code, life: { state: "active", family, elevatedUntil: null } }
}

/** Derives the next pair with a rotation key that is not stored, because these refreshes are never repeated. */
function successorOf({ refreshToken }: TokenPair, key: string): TokenPair {
  const token = readRefreshToken(refreshToken)
  if (token === null) throw new Error("a token that was just made cannot be read")
  return successorPair(token, randomSecret(), key)
}

function anyPair(): TokenPair {
  return { accessToken: "", accessHash: anyHash(), refreshToken: "", refreshHash: anyHash() }
}

function anyHash(): Hash {
  return randomSecret() as Hash
}

function account(i: number): Account {
  return person(`user-${String(i).padStart(6, "0")}`, now - 300 * DAY)
}

function app(i: number): Client {
  return {
    clientId: newId<ClientId>(now),
    type: "public",
    secretHash: null,
    keys: null,
    name: `Paperclip ${i}`,
    redirectUris: ["http://127.0.0.1/callback"],
    ceiling: scope,
    ...defaultSwitches,
    ...defaultOpenid,
    enabled: true,
    disabledByOwner: false,
    groups: [],
    ceilingByHand: false,
    binding: null,
    registeredBy: "administrator",
    ownerId: null,
    issuedAt: now - 300 * DAY,
    iconHash: null,
    registrationHash: null,
    deleteAfter: null,
  }
}
