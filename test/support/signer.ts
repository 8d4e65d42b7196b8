/** The private key of a client, and the assertions that it signs. */
import { randomBytes } from "node:crypto"
import {
  type CryptoKey,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose"
import { parseJson } from "../../src/kernel/json.ts"
import type { ClientKeys, SigningAlgorithm } from "../../src/model/clients/client.rules.ts"
import { parseClientKeys } from "../../src/model/clients/key-set.rules.ts"

export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

export class Signer {
  readonly privateKey: CryptoKey
  /** The public key with its kid. */
  readonly publicJwk: JWK
  readonly alg: SigningAlgorithm

  private constructor(privateKey: CryptoKey, publicJwk: JWK, alg: SigningAlgorithm) {
    this.privateKey = privateKey
    this.publicJwk = publicJwk
    this.alg = alg
  }

  static async make(alg: SigningAlgorithm = "ES256"): Promise<Signer> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    return new Signer(
      privateKey,
      { ...(await exportJWK(publicKey)), kid: randomBytes(4).toString("hex") },
      alg,
    )
  }

  get kid(): string {
    return String(this.publicJwk.kid)
  }

  /** Returns the private key as PEM, for programs that do not run on Node. */
  pem(): Promise<string> {
    return exportPKCS8(this.privateKey)
  }

  /** The keys as a registration has them. */
  get keys(): ClientKeys {
    return keysOf({ keys: [this.publicJwk] })
  }

  /** Builds a compact JWS. `header` and `claims` may contain what no client sends. */
  sign(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    const named = { alg: this.alg, kid: this.kid, ...header }
    return new SignJWT(claims).setProtectedHeader(named).sign(this.privateKey)
  }

  /** Returns the form members that authenticate a request at `now`. Each call uses a new `jti`. */
  async authenticates(
    clientId: string,
    issuer: string,
    now: number,
    claims: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
  ): Promise<Record<string, string>> {
    const own = { iss: clientId, sub: clientId, aud: issuer, iat: now, exp: now + 60, jti: randomId() }
    return {
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await this.sign({ ...own, ...claims }, header),
    }
  }
}

export function keysOf(jwks: object): ClientKeys {
  const parsed = parseClientKeys({ jwks: parseJson(JSON.stringify(jwks)), jwksUri: undefined })
  if (!parsed.ok || parsed.value === null) throw new Error(JSON.stringify(parsed))
  return parsed.value
}

export function randomId(): string {
  return randomBytes(16).toString("base64url")
}
