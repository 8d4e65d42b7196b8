/**
 * The directory with the keys of the assertion, which replicas can share. Each key is a file of its own, which only its
 * owner can read. A file is complete when it appears, and two replicas that make the same key agree on one file.
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose"
import { randomBytes } from "../../kernel/random.ts"
import { keyFileProblem } from "./key-file.rules.ts"
import type { KeyFacts } from "./key-plan.rules.ts"

export type SigningKey = KeyFacts & {
  readonly file: string
  readonly id: string
  readonly key: CryptoKey
  /** The public part, with `kid`, `alg` and `use`. */
  readonly publicJwk: JWK
}

const FILE_NAME = /^(\d{1,12})-(EdDSA|RS256)\.json$/
const RSA_BITS = 2048

/** Reads every key. Throws an error with a readable message if a file is not what the gate wrote. */
export async function readKeys(directory: string): Promise<readonly SigningKey[]> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const names = readdirSync(directory).filter((name) => FILE_NAME.test(name))
  const keys = await Promise.all(names.toSorted().map((name) => readKey(join(directory, name), name)))
  return keys.filter((key) => key !== null)
}

/** Returns null if another replica has removed the file in the meantime. */
async function readKey(file: string, name: string): Promise<SigningKey | null> {
  const [, from = "", algorithm = ""] = FILE_NAME.exec(name) ?? []
  const text = contentOf(file)
  if (text === null) return null
  const read = await parsed(text, algorithm)
  if (read === null) throw new Error(`${file} is not a key of the gate`)
  return { ...read, file, algorithm, from: Number(from) }
}

function contentOf(file: string): string | null {
  try {
    const ownUid = process.getuid?.()
    const problem = ownUid === undefined ? null : keyFileProblem(statSync(file), ownUid)
    if (problem !== null)
      throw new Error(`${file} ${problem}. Only the user of the gate may own and read it (mode 600)`)
    return readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}

/** Returns null for anything but a key. The error of a parser could contain a part of the key. */
async function parsed(text: string, algorithm: string) {
  try {
    const { created_at: createdAt, key: jwk } = JSON.parse(text) as { created_at?: unknown; key: JWK }
    if (typeof createdAt !== "number") return null
    const id = await calculateJwkThumbprint(jwk)
    const key = (await importJWK(jwk, algorithm)) as CryptoKey
    return { createdAt, id, key, publicJwk: publicPart(jwk, id, algorithm) }
  } catch {
    return null
  }
}

function publicPart({ kty, crv, x, n, e }: JWK, kid: string, alg: string): JWK {
  const own = kty === "RSA" ? { kty, n, e } : { kty, crv, x }
  return { ...own, kid, alg, use: "sig" } as JWK
}

/** Does nothing if another replica has made the key. */
export async function makeKey(directory: string, { algorithm, from, createdAt }: KeyFacts): Promise<void> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: RSA_BITS })
  const key = await exportJWK(privateKey)
  const text = `${JSON.stringify({ created_at: createdAt, key })}\n`
  const aside = join(directory, `.${randomBytes(8).toString("hex")}`)
  writeFileSync(aside, text, { flag: "wx", mode: 0o600, flush: true })
  try {
    linkSync(aside, join(directory, `${from}-${algorithm}.json`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    unlinkSync(aside)
  }
}

export function removeKey({ file }: SigningKey): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
  }
}
