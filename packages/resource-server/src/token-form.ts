/**
 * Checks the form of an access token: of an opaque one prefix, alphabet, length and checksum, of a JWT (RFC 9068) header,
 * alphabet and length. A token of any other form was never issued. It is refused without asking the service.
 */

/**
 * A token consists of `lka_`, the credential id (26), the secret (43), the MAC (11) and the checksum (6). Tokens of
 * earlier versions have no MAC.
 */
const FORM = /^lka_[0-9a-hjkmnp-tv-z]{26}[A-Za-z0-9_-]{43}(?:[A-Za-z0-9_-]{11})?[A-Za-z0-9_-]{6}$/
const CHECKSUM_LENGTH = 6

/**
 * The header is `{"alg":"…","typ":"at+jwt","kid":"…"}` with RS256 or ES256 and a key id of 26 letters. The service checks
 * the signature, of which the shortest has 86 letters.
 */
const JWT = /^eyJhbGciOiJ[SF]UzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6[\w-]{39}\.eyJ[\w-]+\.[\w-]{86,}$/
const JWT_LENGTH_AT_MOST = 16_384

export function isAccessTokenForm(token: string): boolean {
  if (token.startsWith("eyJ")) return token.length <= JWT_LENGTH_AT_MOST && JWT.test(token)
  return FORM.test(token) && checksum(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH)
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Returns the CRC-32 (ISO 3309) in six base64url letters. The last letter contains two bits. */
function checksum(ascii: string): string {
  let crc = 0xffffffff
  for (let i = 0; i < ascii.length; i++)
    crc = (CRC_TABLE[(crc ^ ascii.charCodeAt(i)) & 255] ?? 0) ^ (crc >>> 8)
  crc = ~crc >>> 0
  let letters = ""
  for (const shift of [26, 20, 14, 8, 2]) letters += BASE64URL.charAt((crc >>> shift) & 63)
  return letters + BASE64URL.charAt((crc & 3) << 4)
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})
