/**
 * The state that the model remembers. All values are plain, because the world is copied to try the orders of a
 * concurrent batch.
 */
import type { Engine } from "../../test/support/database.ts"
import { type Bound, emptyBound } from "./expected.ts"
import type { Algorithm } from "./resources.ts"

export type Account = {
  readonly name: string
  state: "enabled" | "disabled" | "removed"
  isAdmin: boolean
  groups: readonly string[]
  /** The step of the one-time password that was used last. */
  usedStep: number
  session: Session | null
  sessions: number
}

export type Session = { readonly name: string; readonly since: number; isOver: boolean }

/** What an id_token says about the sign-in behind a consent. A refresh repeats it, but for the nonce. OIDC-4. */
export type SignIn = {
  readonly at: number
  /** The session. Null for a device. */
  readonly session: string | null
  readonly nonce: string | null
}

export type App = {
  readonly name: string
  readonly type: "public" | "confidential"
  state: "enabled" | "disabled" | "removed"
  ceiling: readonly string[]
  /** The groups that the app is for. Empty if it is for every account. */
  groups: readonly string[]
  mayStepUp: boolean
  /** How its id_tokens are signed. OIDC-10. */
  readonly algorithm: Algorithm
  /** Whether an administrator lets the app remember consents. OIDC-16. */
  remembers: boolean
  /** How many redirect URIs the app has, of those that are known. */
  redirects: number
  isOwned: boolean
  /** How many secrets the app has had. Only the last one is valid. */
  secrets: number
}

/** A page with buttons that was shown. */
export type Form = {
  readonly name: string
  readonly account: string
  readonly session: Session
  readonly shownAt: number
  readonly about:
    | {
        readonly what: "authorization"
        readonly app: string
        readonly redirectUri: string
        readonly nonce: string | null
        readonly resources: readonly string[]
        /** Whether the page said that the app will not ask again. */
        readonly remembers: boolean
        isDecided: boolean
        /** Whether a decision was refused as too late. */
        isTooLate: boolean
      }
    | {
        readonly what: "device"
        readonly device: string
        readonly isConfirmation: boolean
        /** The ticket that both pages share. */
        readonly ticket: { isSpent: boolean }
      }
  /** Everything that the page listed as granted. */
  readonly granted: readonly string[]
}

export type Generation = {
  retiredAt: number | null
  /** Whether the grace period of this generation had ended when a later token was retired. If so, it stays ended. */
  isPast: boolean
  /** The scope in the response with this generation. */
  scope: readonly string[]
}

export type Access = {
  readonly name: string
  readonly generation: number
  readonly issuedAt: number
  readonly expiresAt: number
  readonly narrowedTo: readonly string[] | null
  /** The audience. */
  readonly resources: readonly string[]
  isExpiryObserved: boolean
  /** Null for an opaque token. */
  readonly jwt: Jwt | null
}

/** A signed text. A repeated response may sign the same facts with a newer key, or with a scope that has shrunk. */
export type Jwt = {
  /** The name of its `jti`. */
  readonly jti: string
  readonly scope: string
  readonly algorithm: Algorithm
  /** How many times all keys had been withdrawn when it was signed. */
  readonly era: number
}

/** A consent that an app remembers: OIDC-16. */
export type Remembered = {
  /** The name of the credential of the click. */
  readonly name: string
  readonly account: string
  readonly app: string
  readonly redirectUri: string
  readonly scope: readonly string[]
  readonly resources: readonly string[]
  readonly clickedAt: number
}

export type Credential = {
  readonly name: string
  readonly app: string
  readonly account: string
  /** The consent. It is never wider than what the page listed and never changes. */
  readonly consent: readonly string[]
  consentedAt: number
  readonly redirectUri: string | null
  /** The resources of the consent. Empty if it named none. */
  readonly resources: readonly string[]
  readonly signIn: SignIn
  /** The remembered consent that it is of, and when that ends. */
  readonly remembered: { readonly name: string; readonly endsAt: number } | null
  state: "issued" | "active" | "revoked" | "ended"
  isExchanged: boolean
  rotatedAt: number
  /** Whether the rotation key of the last response is deleted. The response can then not be repeated. */
  isKeyGone: boolean
  /** The refresh tokens, beginning with generation 1. The last one is current. */
  readonly generations: Generation[]
  /** The opaque access tokens, newest first. */
  access: Access[]
  /** The JWT access tokens. They are not stored, so no limit ends them. */
  readonly jwts: Access[]
  elevatedUntil: number | null
}

export type Device = {
  readonly name: string
  readonly app: string
  /** The credential that a step-up elevates. Null means that the grant asks for access. */
  readonly stepUp: string | null
  readonly asked: readonly string[]
  readonly resources: readonly string[]
  readonly askedAt: number
  state: "pending" | "approved" | "redeemed" | "denied" | "expired"
  /** The value is also null if an approval ended together with its account. */
  answeredBy: string | null
  approvedAt: number
  granted: readonly string[]
  signedInAt: number
  /** The time of the last poll on the monotonic clock. */
  polledAt: number | null
  earlyPolls: number
}

/** Counts wrong guesses in a window that opens with the first and has a fixed end. */
export type Tries = { readonly since: number; readonly count: number }

export type World = {
  readonly engine: Engine
  /** The wall clock and the monotonic clock, in seconds. */
  now: number
  steady: number
  readonly accounts: Map<string, Account>
  readonly apps: Map<string, App>
  readonly forms: Map<string, Form>
  readonly credentials: Map<string, Credential>
  readonly devices: Map<string, Device>
  readonly tries: Map<string, Tries>
  /** When an app got the last id_token of an account, by `idTokenName`. */
  readonly idTokens: Map<string, IdToken>
  /** In the order of their clicks. */
  remembered: readonly Remembered[]
  /** The number of times that all keys of an algorithm were withdrawn. */
  readonly eras: Record<Algorithm, number>
  readonly bound: Bound
}

/** `era` is how many times all keys had been withdrawn. */
export type IdToken = {
  readonly app: string
  readonly account: string
  readonly at: number
  readonly era: number
}

export function emptyWorld(engine: Engine, now: number): World {
  return {
    engine,
    now,
    steady: 0,
    accounts: new Map(),
    apps: new Map(),
    forms: new Map(),
    credentials: new Map(),
    devices: new Map(),
    tries: new Map(),
    idTokens: new Map(),
    remembered: [],
    eras: { RS256: 0, ES256: 0 },
    bound: emptyBound(),
  }
}

export const copyOf = (world: World): World => structuredClone(world)

function known<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name)
  if (one === undefined) throw new Error(`there is no ${name}`)
  return one
}

export const accountOf = (world: World, name: string): Account => known(world.accounts, name)
export const appOf = (world: World, name: string): App => known(world.apps, name)
export const formOf = (world: World, name: string): Form => known(world.forms, name)
export const credentialOf = (world: World, name: string): Credential => known(world.credentials, name)
export const deviceOf = (world: World, name: string): Device => known(world.devices, name)

export const refreshName = (credential: string, generation: number) =>
  `refresh ${generation} of ${credential}`
export const accessName = (credential: string, generation: number) => `access ${generation} of ${credential}`
export const sidName = (session: string) => `sid of ${session}`
export const idTokenName = ({ app, account }: { readonly app: string; readonly account: string }) =>
  `id_token of ${account} for ${app}`
export const codeName = (credential: string) => `code of ${credential}`
export const idName = (of: string) => `id of ${of}`
export const deviceCodeName = (device: string) => `device code of ${device}`
export const userCodeName = (device: string) => `user code of ${device}`
export const secretName = (app: string, nth: number) => `secret ${nth} of ${app}`
export const jtiName = (credential: string, generation: number) => `jti ${generation} of ${credential}`

/** Returns the access tokens of a generation: an opaque one, or each text of a JWT. */
export function accessOf({ name, jwts }: Credential, generation: number): readonly AccessName[] {
  const signed = jwts.filter((one) => one.generation === generation)
  return signed.length === 0
    ? [{ token: accessName(name, generation) }]
    : signed.map(({ jwt, name: token }) => ({ token, ...(jwt !== null && { jwt }) }))
}

export type AccessName = { readonly token: string; readonly jwt?: Jwt }
