/** Sample values for tests of the rules. Each test changes what matters for it. */
import type { Account } from "../../src/model/account.rules.ts"
import type { Bounds, Standing } from "../../src/model/permissions/standing.rules.ts"
import type { ClientId, GrantId, Hash, Permission, TokenId, UserId } from "../../src/kernel/ids.ts"
import { defaultSwitches } from "../../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../../src/model/clients/openid-members.rules.ts"
import type { Client } from "../../src/model/clients/client.rules.ts"
import type { Consent, Credential, Family, Life } from "../../src/model/credential.rules.ts"
import type { DeviceGrant, DeviceRequest, DeviceState } from "../../src/model/device-grant.rules.ts"
import { startFamily } from "../../src/oauth/credential/family.rules.ts"
import { CODE_SECONDS, CREDENTIAL_SECONDS, DEVICE_SECONDS } from "../../src/kernel/limits.ts"
import { type Form, parseForm } from "../../src/kernel/form.ts"
import {
  type Catalog,
  loadCatalog,
  type PermissionDefinition,
} from "../../src/model/permissions/permission-catalog.rules.ts"
import type { TokenPair } from "../../src/oauth/credential/token-response.rules.ts"

/** An arbitrary second of the year 2026. */
export const NOW = 1_780_000_000

export const CLIENT_ID = "01kb3w5f6y8m2q4r7t9v1x3z5a" as ClientId
export const USER_ID = "01kb3w5f6y8m2q4r7t9v1x3z5b" as UserId
export const TOKEN_ID = "01kb3w5f6y8m2q4r7t9v1x3z5c" as TokenId

/** Returns a digest for a number: 43 characters, always the same for the same number. */
export function hash(name: number | string): Hash {
  return `${name}`.padStart(43, "h") as Hash
}

export function permission(name: string): Permission {
  return name as Permission
}

/** What an app reaches, by names of permissions, and the groups that it is for. */
export function bounds(ceiling: string | readonly Permission[], groups: readonly string[] = []): Bounds {
  return { ceiling: typeof ceiling === "string" ? permissions(ceiling) : ceiling, groups }
}

export function standing(admin: boolean, groups: readonly string[] = []): Standing {
  return { admin, groups }
}

export function permissions(names: string): Permission[] {
  return names.split(" ").filter((name) => name !== "") as Permission[]
}

export function catalog(extension: Record<string, PermissionDefinition> = {}): Catalog {
  const loaded = loadCatalog(extension)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}

/** The built-in catalog, and the example of the interface in which workers imply reading files. */
export const sampleCatalog = catalog({
  "files:read": { title: "Read files", implies: ["workers:read"] },
  "files:write": { title: "Write files", implies: ["files:read"] },
  "workers:read": { title: "See workers" },
  "admin:hub": { title: "Run the hub", implies: ["admin:accounts", "files:read"] },
})

export function form(text: string): Form {
  const parsed = parseForm(text)
  if (parsed === null) throw new Error("not a form")
  return parsed
}

export const publicClient: Client = {
  clientId: CLIENT_ID,
  type: "public",
  secretHash: null,
  keys: null,
  name: "Sample",
  redirectUris: ["http://127.0.0.1/callback"],
  ceiling: permissions("files:read account:read admin:events"),
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
}

export const confidentialClient: Client = {
  ...publicClient,
  type: "confidential",
  secretHash: hash("secret"),
  redirectUris: ["https://app.example/callback"],
}

export const keyClient: Client = {
  ...confidentialClient,
  secretHash: null,
  keys: { jwks: '{"keys":[]}', jwksUri: null, algorithm: null, workload: null },
}

export const account: Account = {
  userId: USER_ID,
  username: "Ada",
  usernameKey: "ada",
  type: "person",
  ownerId: null,
  passwordHash: "$argon2id$",
  admin: false,
  enabled: true,
  createdAt: NOW,
  groups: [],
  language: null,
}

export const consent: Consent = {
  tokenId: TOKEN_ID,
  clientId: CLIENT_ID,
  userId: USER_ID,
  installationName: null,
  scope: permissions("files:read workers:read"),
  resources: [],
  consentedAt: NOW,
  endsAt: NOW + CREDENTIAL_SECONDS,
  openid: null,
}

export function pair(generation: number): TokenPair {
  return {
    accessToken: `access ${generation}`,
    accessHash: hash(`a${generation}`),
    refreshToken: `refresh ${generation}`,
    refreshHash: hash(`r${generation}`),
  }
}

export const firstFamily: Family = startFamily(consent, pair(1), "family key", 3600, NOW, "192.0.2.1")

/** Returns a credential in the given state. Its code was issued at `NOW`. */
export function credential(life: Life): Credential {
  const code = {
    hash: hash("code"),
    challenge: "c".repeat(43),
    redirectUri: "http://127.0.0.1:5000/callback",
    expiresAt: NOW + CODE_SECONDS,
  }
  return { consent, code, life }
}

export const lives = {
  issued: { state: "issued" },
  active: { state: "active", family: firstFamily, elevatedUntil: null },
  revoked: { state: "revoked", family: firstFamily, revokedAt: NOW + 5, because: "app" },
  ended: { state: "ended", family: firstFamily, endedAt: NOW + 5, because: "idle" },
} as const satisfies { [K in Life["state"]]: Extract<Life, { state: K }> }

export const GRANT_ID = "01kb3w5f6y8m2q4r7t9v1x3z5d" as GrantId

export const deviceRequest: DeviceRequest = {
  grantId: GRANT_ID,
  deviceHash: hash("device"),
  userCodeHash: hash("user code"),
  clientId: CLIENT_ID,
  purpose: {
    purpose: "access",
    asked: permissions("files:read workers:read"),
    installationName: "Build box",
    resources: [],
  },
  address: "192.0.2.7",
  askedAt: NOW,
  expiresAt: NOW + DEVICE_SECONDS,
}

export const stepUpRequest: DeviceRequest = {
  ...deviceRequest,
  purpose: { purpose: "step-up", tokenId: TOKEN_ID, userId: USER_ID, reason: null },
}

/** Returns a device grant in the given state. It was requested at `NOW`. */
export function deviceGrant(answer: DeviceState, request = deviceRequest): DeviceGrant {
  return { request, answer }
}

export const deviceStates = {
  pending: { state: "pending" },
  approved: {
    state: "approved",
    userId: USER_ID,
    granted: permissions("files:read workers:read"),
    approvedAt: NOW + 5,
    openid: null,
  },
  redeemed: { state: "redeemed", redeemedAt: NOW + 6, userId: USER_ID },
  denied: { state: "denied", deniedAt: NOW + 5, userId: USER_ID },
  expired: { state: "expired" },
} as const satisfies { [K in DeviceState["state"]]: Extract<DeviceState, { state: K }> }
