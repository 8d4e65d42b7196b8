/** A product with a sign-in of its own: the sign-in provider `shop`. It vouches for whom the test names. */
import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto"
import { type JWTPayload, SignJWT } from "jose"
import { parseJson } from "../../src/kernel/json.ts"
import { parseKeySet } from "../../src/model/clients/key-set.rules.ts"
import {
  type ApplicationKeys,
  type ApplicationProvider,
  NO_TRUST,
} from "../../src/model/sign-in/provider.rules.ts"

/** With an undefined value, a claim is left out. */
export type AssertionClaims = Readonly<Record<string, unknown>>

type Signing = { readonly alg: string; readonly key: KeyObject | Uint8Array; readonly kid?: string }

export class Product {
  readonly name: string
  readonly #now: () => number
  #signing: Signing
  #keys: ApplicationKeys

  constructor(now: () => number, name = "shop") {
    this.name = name
    this.#now = now
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    this.#signing = { alg: "ES256", key: privateKey }
    this.#keys = keysOf(publicKey)
  }

  /** Signs with `HS256` from now on. */
  shareSecret(secret: Uint8Array): void {
    this.#signing = { alg: "HS256", key: secret }
    this.#keys = { kind: "secret", secret }
  }

  /** Signs with this key from now on. */
  useKeys(signing: Signing, keys: ApplicationKeys): void {
    this.#signing = signing
    this.#keys = keys
  }

  /** The entry of the configuration. */
  provider(more: Partial<ApplicationProvider> = {}): ApplicationProvider {
    return {
      name: this.name,
      preset: "application",
      issuer: this.name,
      url: `https://${this.name}.example/oauth-login?from=latchkey`,
      label: "The shop",
      keys: this.#keys,
      only: false,
      sessionSeconds: 600,
      createAccounts: { domains: [], claim: null },
      usernameClaim: null,
      groups: null,
      manager: null,
      ...NO_TRUST,
      ...more,
    }
  }

  /** Returns the URL to which the product sends the browser that came to `asked`. */
  async answer(asked: string, claims: AssertionClaims, signing: Partial<Signing> = {}): Promise<string> {
    const { searchParams } = new URL(asked)
    const url = new URL(searchParams.get("return_to") ?? "")
    url.searchParams.set("assertion", await this.assertion(asked, claims, signing))
    return url.href
  }

  assertion(asked: string, claims: AssertionClaims, signing: Partial<Signing> = {}): Promise<string> {
    const { searchParams } = new URL(asked)
    const { alg, key, kid } = { ...this.#signing, ...signing }
    const now = this.#now()
    const payload = {
      iss: this.name,
      aud: (searchParams.get("return_to") ?? "").replace(/\/sign-in\/with\/.*$/, ""),
      challenge: searchParams.get("challenge"),
      iat: now,
      exp: now + 60,
      jti: randomUUID(),
      ...claims,
    }
    return new SignJWT(payload as JWTPayload)
      .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
      .sign(key)
  }
}

export function keysOf(...publicKeys: readonly KeyObject[]): ApplicationKeys {
  const set = parseKeySet(parseJson(JSON.stringify(jwks(...publicKeys))))
  if (!set.ok) throw new Error(set.error)
  return { kind: "file", keys: set.value }
}

export function jwks(...publicKeys: readonly KeyObject[]) {
  return { keys: publicKeys.map((key, at) => ({ ...key.export({ format: "jwk" }), kid: `key-${at}` })) }
}
