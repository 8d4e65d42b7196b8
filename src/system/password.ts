/**
 * Passwords at rest: argon2id in the PHC string format, 19 MiB, two passes, one lane (decision 0004).
 * A few at a time: each takes its memory for as long as it runs.
 */
import { argon2, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { PASSWORD_LENGTH } from "../core/limits.ts"
import { randomBytes } from "./random.ts"

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32
const AT_ONCE = 2

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

const derive = promisify(argon2)

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await tagOf(
    password,
    salt,
    { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES },
    TAG_BYTES,
  )
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(tag)}`
}

/**
 * Whether `password` made `stored`. With null in place of a stored hash it takes as long as with one and answers
 * false, so that an unknown name cannot be told from a wrong password.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const read = readPhc(stored ?? (await decoy()))
  // What is too long for any password is not composed: that would take a time that grows with the square of its length.
  const isTooLong = password.length > 2 * PASSWORD_LENGTH.most
  const tag = await tagOf(isTooLong ? "" : password, read.salt, read.parameters, read.tag.length)
  return timingSafeEqual(tag, read.tag) && stored !== null && !isTooLong
}

/** Makes the stand-in for a stored hash before the first unknown name needs it. */
export async function warmUp(): Promise<void> {
  await decoy()
}

let decoyHash: Promise<string> | undefined

function decoy(): Promise<string> {
  decoyHash ??= hashPassword(unpadded(randomBytes(32)))
  return decoyHash
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function readPhc(text: string) {
  const match = PHC.exec(text)
  if (match === null) throw new Error("a stored password hash is not in the argon2id PHC format")
  const [, memory, passes, parallelism, salt, tag] = match
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt ?? "", "base64"),
    tag: Buffer.from(tag ?? "", "base64"),
  }
}

let running = 0
const waiting: (() => void)[] = []

async function tagOf(
  password: string,
  salt: Buffer,
  parameters: Parameters,
  tagLength: number,
): Promise<Buffer> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    const message = Buffer.from(password.normalize("NFC"))
    return await derive("argon2id", { message, nonce: salt, tagLength, ...parameters })
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "")
}
