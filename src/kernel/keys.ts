/**
 * The service secret and its derived keys. They encrypt the tickets inside pages and the stored TOTP secrets. Tokens,
 * codes, sessions and client secrets depend on no key, because the database stores their digests.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { SECRET_LENGTH_AT_LEAST } from "./limits.ts"
import { mac } from "./hash.ts"
import { randomBytes } from "./random.ts"
import { fileProblem } from "./process/file-problem.ts"
import { variableName } from "./process/variable-name.ts"

/** `given` is LATCHKEY_SECRET_KEY. Without it, reads `DIR/secret.key`, which the first start creates (mode 0600). */
export function readServiceSecret(dataDir: string, given: string | undefined): Buffer {
  if (given !== undefined && given !== "")
    return checkedSecret(given.trim(), variableName("LATCHKEY_SECRET_KEY"))
  const file = join(dataDir, "secret.key")
  if (!existsSync(file)) withProblemOf(dataDir, () => makeSecretFile(file))
  return checkedSecret(withProblemOf(file, () => readFileSync(file, "utf8")).trim(), file)
}

function withProblemOf<T>(path: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw new Error(fileProblem([path]) ?? (error as Error).message, { cause: error })
  }
}

export function hasServiceSecret(dataDir: string, given: string | undefined): boolean {
  return (given !== undefined && given !== "") || existsSync(join(dataDir, "secret.key"))
}

export function checkedSecret(text: string, source: string): Buffer {
  if (text.length < SECRET_LENGTH_AT_LEAST)
    throw new Error(`${source} must hold at least ${SECRET_LENGTH_AT_LEAST} characters`)
  return Buffer.from(text)
}

/** Links a temporary file into place. Concurrent first starts agree on one secret, and no partial file remains. */
export function makeSecretFile(file: string): void {
  const aside = `${file}.${randomBytes(8).toString("hex")}`
  const descriptor = openSync(aside, "wx", 0o600)
  writeSync(descriptor, `${randomBytes(32).toString("base64url")}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    unlinkSync(aside)
  }
}

export type Keys = {
  /** The database stores this value, so that a node with another secret does not start. */
  readonly checkValue: string
  /** Encrypts and authenticates `content` for `purpose`. */
  readonly seal: (purpose: string, content: string) => string
  /** Decrypts a sealed text. Returns null unless `seal` created it for the same purpose with the same secret. */
  readonly open: (purpose: string, text: string) => string | null
  /** Opens what the database stores. While the secret is being replaced, another one may have sealed it. */
  readonly openStored: (purpose: string, text: string) => string | null
}

export function deriveKeys(secret: Buffer): Keys {
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "latchkey seal v1", 32)))
  const open = (purpose: string, text: string): string | null => {
    const bytes = Buffer.from(text, "base64url")
    if (bytes.length < 28) return null
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-16))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8")
    } catch {
      return null
    }
  }
  return {
    checkValue: mac(Buffer.from(hkdfSync("sha256", secret, "", "latchkey check v1", 32)), "check"),
    seal: (purpose, content) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose))
      const sealed = cipher.update(content, "utf8")
      // This mode has no padding, so the end adds nothing but the tag.
      cipher.final()
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url")
    },
    open,
    openStored: open,
  }
}
