/**
 * Hashes passwords with argon2id in PHC string format: 19 MiB, two passes, one lane (decision 0004). All hashes of the
 * process share one queue. Functions throw `PasswordQueueFull` if the queue is full.
 *
 * Imported hashes of other forms are only checked (MOVE-4). A failed check then takes as long as one of this service
 * and one of the import together, whether the account exists, has moved or not.
 */
import { argon2 } from "node:crypto"
import { availableParallelism } from "node:os"
import { promisify } from "node:util"
import { PASSWORD_LENGTH } from "../../kernel/account-limits.ts"
import { NO_PASSWORD } from "../../model/account.rules.ts"
import { isImportedHash } from "../../model/moved/password-hash.rules.ts"
import { matchesHash } from "./match-password.ts"
import { type PasswordPlace, PasswordQueue } from "./password-queue.ts"
import { randomBytes } from "../../kernel/random.ts"

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32

/**
 * With two or more cores, one core stays free for the event loop. A hash takes 30 to 60 ms of an idle core, so sixteen
 * known browsers wait at most a second. On slower machines, the limit of two seconds applies to all others.
 * Administrators have a longer queue.
 *
 * A failed check of imported hashes may take three seconds, because two forms of the password are tried. A known browser
 * waits for two such checks: the one that runs, and one of the lowest priority. Otherwise strangers could keep it out.
 */
export const passwordQueueOptions = {
  atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)),
  lengths: { administrator: 64, known: 16, unsuspected: 16, other: 8 },
  waitMilliseconds: { administrator: 20_000, known: 8000, unsuspected: 2000, other: 2000 },
  ofOneAccount: 2,
  ofOneNetwork: 4,
}

const queue = new PasswordQueue(passwordQueueOptions)

const ADMINISTRATOR: PasswordPlace = { priority: "administrator", account: null, network: null }

/** Whether the queue would accept a hash now. Callers check this before they count an attempt. */
export function hasPasswordRoom(place: PasswordPlace): boolean {
  return queue.hasRoom(place)
}

/** Returns the queue place for an account's owner in a known browser. */
export function knownPlace(account: string): PasswordPlace {
  return { priority: "known", account, network: null }
}

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

const derive = promisify(argon2)

/** Hashes a password. By default, the hash has the priority of administrators and the command line. */
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
 * Whether `password` matches the hash `stored`. If `stored` is null or stands for no password, the check fails after the
 * same time. An unknown name therefore looks like a wrong password. `imitated` is a hash of the last import, or null
 * without one.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  place: PasswordPlace,
  imitated: string | null = null,
): Promise<boolean> {
  const own = await decoy()
  // A password that is too long is not normalized, because normalizing takes quadratic time.
  const isTooLong = password.length > 2 * PASSWORD_LENGTH.most
  const checked = isTooLong ? "" : password
  const isSet = stored !== null && stored !== NO_PASSWORD
  return queue.run(place, async () => {
    const isRight = await matchesHash(checked, isSet ? stored : own)
    if (isRight && isSet && !isTooLong) return true
    const other = isSet && isImportedHash(stored) ? own : imitated
    if (other !== null) await matchesHash(checked, other)
    return false
  })
}

/** Computes the hash that stands in for unknown accounts, before the first sign-in needs it. */
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
