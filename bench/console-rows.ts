/**
 * Generates the rows of a service in its third year, for `console-seed.ts`. Every run gives the same numbers, but other
 * ids and digests.
 */
import type { Account } from "../src/model/account.rules.ts"
import type { ClientId, Hash, Permission, TokenId } from "../src/kernel/ids.ts"
import { builtInPermissions } from "../src/model/permissions/built-in-permissions.rules.ts"
import { defaultSwitches } from "../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../src/model/clients/openid-members.rules.ts"
import type { Client, RegisteredBy } from "../src/model/clients/client.rules.ts"
import {
  type Code,
  type Consent,
  type Credential,
  type Family,
  type Life,
  NO_REPEATS,
} from "../src/model/credential.rules.ts"
import { type Event, event, type EventKind } from "../src/model/event.rules.ts"
import { ACCESS_TOKENS_KEPT, CODE_SECONDS, CREDENTIAL_SECONDS, IDLE_SECONDS } from "../src/kernel/limits.ts"
import { isAdmin } from "../src/model/permissions/permission.rules.ts"
import { DAY, HOUR } from "../src/kernel/time.ts"
import { newId, randomBytes } from "../src/kernel/random.ts"
import { person } from "./person.ts"

/** Returns a number between 0 and 1. The algorithm is mulberry32. */
let state = 20_260_801
export function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Returns a number below `count`. A larger `skew` makes low numbers more frequent. */
export function pick(count: number, skew = 1): number {
  return Math.min(count - 1, Math.floor(count * random() ** skew))
}

function one<T>(list: readonly T[]): T {
  return list[pick(list.length)] as T
}

const names = Object.keys(builtInPermissions) as Permission[]
const ordinary = names.filter((name) => !isAdmin(name))
const administration = names.filter(isAdmin)

const given = ["ada", "bea", "chidi", "dora", "emeka", "farid", "grace", "hana", "ivo", "jun", "kofi", "lena"]
const things = [
  "Notes",
  "Backup",
  "Calendar",
  "Deploy",
  "Mail",
  "Photos",
  "Tasks",
  "Weather",
  "Ledger",
  "Atlas",
]
const kindsOfApp = ["", " for desktop", " CLI", " mobile", " sync", " (beta)"]

/** Generates an account. Every five-hundredth account is an administrator, and every hundredth is disabled. */
export function account(i: number, passwordHash: string, now: number): Account {
  const username = `${given[i % given.length]}-${String(i).padStart(5, "0")}`
  const createdAt = now - 900 * DAY + Math.floor((i / 10_000) * 500 * DAY)
  return {
    ...person(username, createdAt, { passwordHash, admin: i % 500 === 0 }),
    enabled: i % 100 !== 99,
  }
}

/**
 * Generates an app. Two in ten have registered themselves, three were registered by an administrator, and the others
 * have owners.
 */
export function app(i: number, owners: readonly Account[], now: number): Client {
  const registeredBy: RegisteredBy = i % 10 < 3 ? "administrator" : i % 10 < 8 ? "user" : "itself"
  const isConfidential = i % 4 === 0
  const issuedAt = now - 890 * DAY + Math.floor((i / 1000) * 500 * DAY)
  const withAdministration = registeredBy === "administrator" && i % 2 === 0 ? administration.slice(0, 2) : []
  return {
    clientId: newId<ClientId>(issuedAt),
    type: isConfidential ? "confidential" : "public",
    secretHash: isConfidential ? digest() : null,
    keys: null,
    name: `${things[i % things.length]}${kindsOfApp[i % kindsOfApp.length]} ${i}`,
    redirectUris: ["http://127.0.0.1/callback"],
    ceiling: [...ordinary.slice(0, 1 + (i % ordinary.length)), ...withAdministration],
    ...defaultSwitches,
    ...defaultOpenid,
    verified: i % 5 === 0,
    stepUp: i % 7 === 0,
    resourceServer: isConfidential && i % 100 === 0,
    enabled: i % 50 !== 49,
    disabledByOwner: false,
    groups: [],
    ceilingByHand: false,
    binding: null,
    registeredBy,
    ownerId: registeredBy === "user" ? one(owners).userId : null,
    issuedAt,
    iconHash: null,
    registrationHash: null,
    deleteAfter: null,
  }
}

/** Generates a credential. Nine in ten are active. The others have ended within the last week. */
export function credential(client: Client, holder: Account, consentedAt: number, now: number): Credential {
  const scope = client.ceiling.filter((name) => (isAdmin(name) ? holder.admin : random() < 0.8))
  const consent: Consent = {
    tokenId: newId<TokenId>(consentedAt),
    clientId: client.clientId,
    userId: holder.userId,
    installationName: random() < 0.6 ? `${one(given)}'s machine ${pick(1000)}` : null,
    scope: scope.length === 0 ? client.ceiling.slice(0, 1) : scope,
    resources: [],
    consentedAt,
    endsAt: consentedAt + CREDENTIAL_SECONDS,
    openid: null,
  }
  return { consent, code: random() < 0.7 ? consumedCode(consentedAt) : null, life: life(consent, now) }
}

function consumedCode(consentedAt: number): Code {
  const redirectUri = `http://127.0.0.1:${20_000 + pick(40_000)}/callback`
  return { hash: digest(), challenge: digest(), redirectUri, expiresAt: consentedAt + CODE_SECONDS }
}

function life(consent: Consent, now: number): Life {
  const overAt = now - pick(7 * DAY)
  const lot = random()
  const idleSince = overAt - IDLE_SECONDS
  if (lot < 0.04 && idleSince > consent.consentedAt)
    return { state: "ended", family: family(consent, idleSince), endedAt: overAt, because: "idle" }
  if (lot < 0.1 && overAt > consent.consentedAt) {
    const because = one(["app", "account-holder", "administrator", "refresh-token-reused"] as const)
    return { state: "revoked", family: family(consent, consent.consentedAt), revokedAt: overAt, because }
  }
  const rotatedAt = Math.max(consent.consentedAt, now - 60 - pick(85 * DAY, 3))
  return { state: "active", family: family(consent, rotatedAt), elevatedUntil: null }
}

/** Generates a family. It has one generation for each hour, up to thirty, and at most eight access tokens. */
function family(consent: Consent, rotatedAt: number): Family {
  const hours = Math.floor((rotatedAt - consent.consentedAt) / HOUR)
  const generation = 1 + Math.min(hours, pick(30))
  const isFirst = generation === 1
  return {
    generation,
    currentHash: digest(),
    retired: isFirst ? null : { hash: digest(), answeredScope: consent.scope },
    retirements: isFirst ? [] : [{ generation: generation - 1, at: rotatedAt }],
    key: digest(),
    rotatedAt,
    rotatedFrom: address(),
    accessTokens: Array.from({ length: Math.min(generation, ACCESS_TOKENS_KEPT) }, (_, back) => {
      const issuedAt = rotatedAt - back * HOUR
      return { hash: digest(), issuedAt, expiresAt: issuedAt + HOUR, narrowedTo: null }
    }),
    repeats: NO_REPEATS,
  }
}

const eventKindsByWeight: readonly EventKind[] = [
  ...Array<EventKind>(30).fill("signed-in"),
  ...Array<EventKind>(18).fill("consented"),
  ...Array<EventKind>(17).fill("code-exchanged"),
  ...Array<EventKind>(10).fill("sign-in-refused"),
  ...Array<EventKind>(8).fill("credential-revoked"),
  ...Array<EventKind>(6).fill("device-code-redeemed"),
  ...Array<EventKind>(4).fill("consent-refused"),
  ...Array<EventKind>(3).fill("refresh-token-reused"),
  "elevated",
  "app-changed",
  "setting-changed",
  "code-replayed",
]

/** Generates an event about this credential. */
export function happened(at: number, { tokenId, clientId, userId }: Consent): Event {
  const kind = one(eventKindsByWeight)
  switch (kind) {
    case "signed-in":
    case "sign-in-refused":
      return event(kind, at, { userId, address: address() })
    case "consent-refused":
    case "app-changed":
      return event(kind, at, { userId, clientId, address: address() })
    case "setting-changed":
      return event(kind, at, { detail: "token.access_seconds" })
    default:
      return event(kind, at, { userId, clientId, tokenId, address: address() })
  }
}

function address(): string {
  return `198.51.${pick(256)}.${pick(256)}`
}

/**
 * Digests are cut out of one long random text, because computing ten million real digests would take most of the time.
 */
const pool = Array.from({ length: 4096 }, () => randomBytes(1024).toString("base64url")).join("")

function digest(): Hash {
  const start = pick(pool.length - 43)
  return pool.slice(start, start + 43) as Hash
}
