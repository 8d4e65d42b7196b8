/**
 * What the generator needs for its requests. Tokens and codes are in files of one directory, one per line. The identity
 * names the apps that send requests.
 */
import { generateKeyPairSync } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { PublicKey } from "../src/model/clients/key-set.rules.ts"

/**
 * `signed-codes` belong to the app that has a key. `bound-apps` has the ids and secrets of apps that are bound to a
 * service account, in the form of HTTP Basic.
 */
export const lists = [
  "refresh-tokens",
  "codes",
  "signed-codes",
  "pending",
  "approved",
  "access-tokens",
  "bound-apps",
  "cookies",
] as const
export type List = (typeof lists)[number]

/** The number of entries in each list. */
export type Sizes = { readonly [L in List]: number }

export type Identity = {
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
  readonly challenge: string
  readonly scope: string
  /** The app that introspects tokens. */
  readonly resourceServer: { readonly id: string; readonly secret: string }
  /** The app that has a key, for ES256. */
  readonly signer: { readonly id: string; readonly privateKey: string; readonly publicKey: PublicKey }
}

/** Creates a new key for the app that has one. */
export function newSigner(id: string): Identity["signer"] {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return {
    id,
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: { ...(publicKey.export({ format: "jwk" }) as PublicKey), kid: "bench" },
  }
}

export const REDIRECT_URI = "http://127.0.0.1:51234/callback"
export const SCOPE = ["account:read", "account:write", "credentials:read"]

/** The audience of JWT access tokens. The configuration file of the service names their algorithm. */
export const JWT_RESOURCE = "https://api.example/"

/** How long a device waits between two polls, in milliseconds, including a margin. */
export const POLL_REST = 4_700

export function writeIdentity(dir: string, identity: Identity): void {
  writeFileSync(join(dir, "identity.json"), JSON.stringify(identity))
}

export function writeList(dir: string, list: List, lines: readonly string[]): void {
  writeFileSync(join(dir, list), lines.join("\n"))
}

export function isStocked(dir: string): boolean {
  return existsSync(join(dir, "identity.json"))
}

export class Stock {
  readonly dir: string
  readonly identity: Identity
  readonly #shelves = new Map<List, Shelf>()

  /** `fill.ts` or `oidc-provider.ts` has filled `dir`. If `seed.ts` has filled it, there are only refresh tokens. */
  constructor(dir: string) {
    this.dir = dir
    this.identity = identityIn(dir)
  }

  shelf(list: List): Shelf {
    const known = this.#shelves.get(list)
    if (known !== undefined) return known
    const shelf = new Shelf(readFileSync(join(this.dir, list), "utf8").split("\n").filter(Boolean))
    this.#shelves.set(list, shelf)
    return shelf
  }

  /** Writes the refresh tokens that are valid now. */
  save(): void {
    const tokens = this.#shelves.get("refresh-tokens")
    if (tokens !== undefined) writeList(this.dir, "refresh-tokens", tokens.lines)
  }
}

function identityIn(dir: string): Identity {
  if (isStocked(dir)) return JSON.parse(readFileSync(join(dir, "identity.json"), "utf8")) as Identity
  const clientId = readFileSync(join(dir, "client-id"), "utf8")
  const resourceServer = { id: "", secret: "" }
  return {
    clientId,
    redirectUri: REDIRECT_URI,
    verifier: "",
    challenge: "",
    scope: SCOPE.join(" "),
    resourceServer,
    signer: newSigner(""),
  }
}

export class Shelf {
  readonly lines: string[]
  readonly #takenAt: Float64Array
  #next = 0

  constructor(lines: string[]) {
    this.lines = lines
    this.#takenAt = new Float64Array(lines.length).fill(-Infinity)
  }

  /** Returns each entry in turn. Starts again after the last entry. */
  inTurn(): number {
    const at = this.#next % this.lines.length
    this.#next = at + 1
    return at
  }

  /** Returns each entry once. Returns null if none is left. */
  once(): number | null {
    return this.#next < this.lines.length ? this.#next++ : null
  }

  /** Returns each entry in turn, at the poll interval of a device. Returns null if the next entry must wait. */
  atPace(): number | null {
    const at = this.inTurn()
    const now = performance.now()
    if (now - (this.#takenAt[at] ?? 0) < POLL_REST) {
      this.#next = at
      return null
    }
    this.#takenAt[at] = now
    return at
  }
}
