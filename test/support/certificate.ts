/** A self-signed certificate for a loopback server. It is created in each run, so that no private key is stored. */
import { generateKeyPairSync, sign } from "node:crypto"

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
/** Context-specific tags of RFC 5280 §4.1 and §4.2.1.6. */
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const DNS_NAME = 0x82

const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const COMMON_NAME = [0x55, 0x04, 0x03]
const SUBJECT_ALTERNATIVE_NAME = [0x55, 0x1d, 0x11]

/**
 * Returns PEM texts for `node:https`. RFC 5280 §4.1. A client that trusts `cert` as an authority accepts it for every
 * host.
 */
export function selfSigned(
  host: string,
  ...others: readonly string[]
): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const algorithm = der(SEQUENCE, der(OBJECT_ID, Buffer.from(ECDSA_WITH_SHA256)))
  const commonName = der(
    SEQUENCE,
    der(OBJECT_ID, Buffer.from(COMMON_NAME)),
    der(UTF8_STRING, Buffer.from(host)),
  )
  const name = der(SEQUENCE, der(SET, commonName))
  const validity = der(SEQUENCE, time("200101000000Z"), time("491231235959Z"))
  const subject = publicKey.export({ type: "spki", format: "der" })
  const names = der(SEQUENCE, ...[host, ...others].map((of) => der(DNS_NAME, Buffer.from(of))))
  const extension = der(
    SEQUENCE,
    der(OBJECT_ID, Buffer.from(SUBJECT_ALTERNATIVE_NAME)),
    der(OCTET_STRING, names),
  )
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    subject,
    der(EXTENSIONS, der(SEQUENCE, extension)),
  )
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", body, privateKey))
  const certificate = der(SEQUENCE, body, algorithm, signature)
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  }
}

function time(text: string): Buffer {
  return der(UTC_TIME, Buffer.from(text))
}

/** Encodes a tag, a length and the content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}
