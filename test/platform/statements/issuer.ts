/** An issuer that signs statements, with its keys on a real https server. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"
import { GuardedFetch } from "../../../src/platform/outgoing/guarded-fetch.ts"
import { type KeySource, proveStatement } from "../../../src/platform/statements/prove.ts"
import { parseStatement } from "../../../src/platform/statements/statement.rules.ts"
import { ISSUER_ALGORITHMS, type KeyAlgorithm } from "../../../src/model/clients/key-set.rules.ts"
import { type TestClock, testClock } from "../../support/clock.ts"
import { type DocumentServer, LOOPBACK_ALLOWED, toLoopback } from "../../support/document-server.ts"
import { recordLog } from "../../support/record-log.ts"
import { ANY, CLAIMS, decode } from "./samples.ts"

export type SigningKey = { readonly privateKey: CryptoKey; readonly jwk: JWK; readonly alg: string }

export async function signingKey(alg = "ES256", kid = alg): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid }, alg }
}

/** Signs a statement. `header` may contain what no issuer sends. */
export function signed(
  { privateKey, jwk, alg }: SigningKey,
  header: object = {},
  claims: object = {},
): Promise<string> {
  const named = { alg, kid: jwk.kid ?? "", ...header }
  return new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader(named).sign(privateKey)
}

/** A node that checks statements. It has a memory of its own. */
export class Node {
  readonly clock: TestClock
  readonly outgoing: GuardedFetch
  readonly recorded = recordLog()

  constructor(clock: TestClock = testClock()) {
    this.clock = clock
    this.outgoing = new GuardedFetch(LOOPBACK_ALLOWED, clock, toLoopback)
  }

  /** Returns the fault, or null. */
  async faultOf(
    jwt: string,
    source: KeySource,
    algorithms: readonly KeyAlgorithm[] = ISSUER_ALGORITHMS,
  ): Promise<string | null> {
    const parsed = parseStatement(jwt, decode, ANY)
    if (!parsed.ok) return parsed.error
    const { clock, outgoing, recorded } = this
    const proof = await proveStatement(
      { clock, outgoing, log: recorded.log },
      parsed.value,
      source,
      algorithms,
    )
    return proof.ok ? null : proof.error
  }
}

export function publish(documents: DocumentServer, path: string, ...keys: readonly SigningKey[]): string {
  return documents.serve(path, { keys: keys.map(({ jwk }) => jwk) })
}
