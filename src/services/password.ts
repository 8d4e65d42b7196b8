/**
 * Passwords at rest: argon2id in the PHC string format, 19 MiB, two passes, one lane (decision 0004).
 * Every hash of the process goes through one queue. Throws `PasswordQueueFull` where that has no room.
 */
import { argon2, timingSafeEqual } from "node:crypto"
import { availableParallelism } from "node:os"
import { promisify } from "node:util"
import { PASSWORD_LENGTH } from "../kernel/limits.ts"
import { type PasswordPlace, PasswordQueue } from "./password-queue.ts"
import { randomBytes } from "../kernel/random.ts"

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32

/**
 * One core is left to the event loop. A hash takes 30 to 60 ms of an idle core, so that sixteen known browsers wait a
 * second at most. On a slower machine the bound of two seconds decides. An administrator's queue is longer, and
 * separate.
 */
const queue = new PasswordQueue({
  atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)),
  lengths: { administrator: 64, known: 16, unsuspected: 16, other: 8 },
  waitMilliseconds: { administrator: 20_000, known: 2000, unsuspected: 2000, other: 2000 },
  ofOneAccount: 2,
  ofOneNetwork: 4,
})

const ADMINISTRATOR: PasswordPlace = { priority: "administrator", account: null, network: null }

/** Whether a hash would be taken at this place now: asked before anything is counted for it. */
export function hasPasswordRoom(place: PasswordPlace): boolean {
  return queue.hasRoom(place)
}

/** The place of the account's owner in a browser that is signed in, or was before. */
export function knownPlace(account: string): PasswordPlace {
  return { priority: "known", account, network: null }
}

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

const derive = promisify(argon2)

/** Without a place it is an administrator's or the command line's own. */
export async function hashPassword(password: string, place = ADMINISTRATOR): Promise<string> {
  const salt = randomBytes(16)
  const tag = await tagOf(
    place,
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
export async function verifyPassword(
  password: string,
  stored: string | null,
  place: PasswordPlace,
): Promise<boolean> {
  const read = readPhc(stored ?? (await decoy()))
  // What is too long for any password is not composed: that would take a time that grows with the square of its length.
  const isTooLong = password.length > 2 * PASSWORD_LENGTH.most
  const tag = await tagOf(place, isTooLong ? "" : password, read.salt, read.parameters, read.tag.length)
  return timingSafeEqual(tag, read.tag) && stored !== null && !isTooLong
}

/** Makes the stand-in for a stored hash before the first unknown name needs it. */
export async function warmUp(): Promise<void> {
  await decoy()
}

let decoyHash: Promise<string> | undefined

function decoy(): Promise<string> {
  decoyHash ??= hashPassword(unpadded(randomBytes(32))).catch((problem: unknown) => {
    decoyHash = undefined
    throw problem
  })
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

function tagOf(
  place: PasswordPlace,
  password: string,
  salt: Buffer,
  parameters: Parameters,
  tagLength: number,
): Promise<Buffer> {
  return queue.run(place, () => {
    const message = Buffer.from(password.normalize("NFC"))
    return derive("argon2id", { message, nonce: salt, tagLength, ...parameters })
  })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "")
}
