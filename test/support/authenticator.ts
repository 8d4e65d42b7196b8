/**
 * An authenticator in software. It creates passkeys and signs challenges (WebAuthn §6), so that a test can send what no
 * browser would send. It attests nothing. The test sets its counter and its user verification.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"

type Options = { readonly challenge: string; readonly rp?: { readonly id: string }; readonly rpId?: string }

export type Said = {
  readonly origin: string
  /** Whether the authenticator verified its user with a finger or PIN. */
  readonly isVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
}

export class Authenticator {
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  readonly id = randomBytes(16)
  #userHandle = ""

  constructor() {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })
    this.#key = pair.privateKey
    this.#publicKey = pair.publicKey
  }

  /** Returns the `response` field of the form that adds a passkey, for the options of its page. */
  create(optionsText: string, { origin, isVerified = true, counter = 0 }: Said): string {
    const options = JSON.parse(optionsText) as Options & { readonly user: { readonly id: string } }
    // WebAuthn §5.4.3: browsers refuse a longer one.
    if (Buffer.from(options.user.id, "base64url").length > 64) throw new Error("the user handle is too long")
    this.#userHandle = options.user.id
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" })
    // The COSE key has kty EC2, alg ES256, crv P-256, x and y.
    const cose = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cose])
    const data = Buffer.concat([this.#data(options.rp?.id ?? "", 0x40, isVerified, counter), attested])
    // The bytes are {"fmt": "none", "attStmt": {}, "authData": data} in CBOR.
    const attestationObject = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex"),
      Buffer.from([data.length >> 8, data.length & 255]),
      data,
    ])
    return this.#answer({
      clientDataJSON: clientData("webauthn.create", options.challenge, origin),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    })
  }

  /** Returns the `response` field of a form that asks for a passkey. */
  get(optionsText: string, { origin, isVerified = true, counter = 0, userHandle }: Said): string {
    const options = JSON.parse(optionsText) as Options
    const data = this.#data(options.rpId ?? "", 0, isVerified, counter)
    const clientDataJSON = clientData("webauthn.get", options.challenge, origin)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, "base64url"))])
    return this.#answer({
      clientDataJSON,
      authenticatorData: data.toString("base64url"),
      signature: createSign("sha256").update(signed).sign(this.#key).toString("base64url"),
      ...(userHandle !== null && { userHandle: userHandle ?? this.#userHandle }),
    })
  }

  #data(rpId: string, flags: number, isVerified: boolean, counter: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags | 1 | (isVerified ? 4 : 0)]), count])
  }

  #answer(response: object): string {
    const id = this.id.toString("base64url")
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} })
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url")
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest()
}
