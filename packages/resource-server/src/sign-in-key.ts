/** Signs assertions with a shared secret or a private key. It uses Web Crypto, which every runtime has. */

export type SignInKey =
  | {
      /** The text of `secret_file`, at least 32 bytes. White space around it does not count. */
      readonly secret: string
      readonly privateKey?: never
      readonly keyId?: never
    }
  | {
      /** A private key in PEM (PKCS #8): P-256, Ed25519 or RSA. */
      readonly privateKey: string
      /** The `kid` of the public key, if `jwks_uri` of the provider has several. */
      readonly keyId?: string | undefined
      readonly secret?: never
    }

export type Signer = { readonly sign: (claims: object) => Promise<string> }

type Algorithm = {
  readonly alg: string
  /** The object identifier in the DER encoding of a private key. */
  readonly oid: string
  readonly parameters: { readonly name: string; readonly namedCurve?: string; readonly hash?: string }
}

/** Types of the browser and of Node differ in the name of this one. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const SECRET: Algorithm = { alg: "HS256", oid: "", parameters: { name: "HMAC", hash: "SHA-256" } }
const MIN_SECRET_BYTES = 32
const ALGORITHMS: readonly Algorithm[] = [
  {
    alg: "ES256",
    oid: "\x2a\x86\x48\xce\x3d\x03\x01\x07",
    parameters: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  },
  { alg: "EdDSA", oid: "\x06\x03\x2b\x65\x70", parameters: { name: "Ed25519" } },
  {
    alg: "RS256",
    oid: "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01",
    parameters: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  },
]
/** The identifier is at the beginning of the key. */
const HEADER_BYTES = 48

/** Throws `TypeError` unless there is exactly one key, and it is good. */
export async function importKey({ secret, privateKey, keyId }: SignInKey): Promise<Signer> {
  if (secret !== undefined && privateKey === undefined) return importSecret(secret)
  if (secret === undefined && privateKey !== undefined) return importPrivateKey(privateKey, keyId)
  throw new TypeError("give either secret or privateKey")
}

async function importSecret(text: string): Promise<Signer> {
  const bytes = new TextEncoder().encode(text.trim())
  // The text of a public key is not a secret.
  if (text.includes("-----BEGIN")) throw new TypeError("secret: it is a key in PEM")
  if (bytes.length < MIN_SECRET_BYTES)
    throw new TypeError(`secret: it has less than ${MIN_SECRET_BYTES} bytes`)
  return signer(await crypto.subtle.importKey("raw", bytes, SECRET.parameters, false, ["sign"]), SECRET)
}

async function importPrivateKey(pem: string, keyId: string | undefined): Promise<Signer> {
  const [, text] =
    /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/.exec(pem) ?? []
  const der = text === undefined ? "" : atob(text.replace(/\s/g, ""))
  const algorithm = ALGORITHMS.find(({ oid }) => der.slice(0, HEADER_BYTES).includes(oid))
  if (algorithm === undefined)
    throw new TypeError("privateKey: it is not a PKCS #8 key in PEM of kind P-256, Ed25519 or RSA")
  const bytes = Uint8Array.from(der, (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey("pkcs8", bytes, algorithm.parameters, false, ["sign"])
  return signer(key, algorithm, keyId)
}

function signer(key: Key, { alg, parameters }: Algorithm, keyId?: string): Signer {
  const header = base64url(JSON.stringify({ alg, typ: "JWT", ...(keyId !== undefined && { kid: keyId }) }))
  return {
    sign: async (claims) => {
      const input = `${header}.${base64url(JSON.stringify(claims))}`
      const signature = await crypto.subtle.sign(parameters, key, new TextEncoder().encode(input))
      return `${input}.${encoded(new Uint8Array(signature))}`
    },
  }
}

function base64url(text: string): string {
  return encoded(new TextEncoder().encode(text))
}

function encoded(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}
