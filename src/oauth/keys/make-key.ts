/** Makes a signing key: RSA of 3072 bits for RS256, P-256 for ES256. RFC 7518 §3.3, §3.4; interface SIGN-1. */
import { generateKeyPair, type KeyObject } from "node:crypto"
import { promisify } from "node:util"
import type { KeyId } from "../../kernel/ids.ts"
import type { Keys } from "../../kernel/keys.ts"
import { newId } from "../../kernel/random.ts"
import { sealedThings } from "../../model/sealed.rules.ts"
import type { SignatureAlgorithm } from "../../model/signing-key.rules.ts"
import type { NewKey } from "./key-turn.rules.ts"

const RSA_BITS = 3072
const generate = promisify(generateKeyPair)

/** The work is done beside the event loop. */
export async function makeKey(algorithm: SignatureAlgorithm, keys: Keys, now: number): Promise<NewKey> {
  const pair = await (algorithm === "RS256"
    ? generate("rsa", { modulusLength: RSA_BITS })
    : generate("ec", { namedCurve: "P-256" }))
  const kid = newId<KeyId>(now)
  const secret = pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string
  return {
    kid,
    algorithm,
    publicJwk: JSON.stringify({ ...jwkOf(pair.publicKey), kid, alg: algorithm, use: "sig" }),
    sealedPrivate: keys.seal(sealedThings.signingKey.purpose(kid), secret),
  }
}

function jwkOf(key: KeyObject): object {
  return key.export({ format: "jwk" })
}
