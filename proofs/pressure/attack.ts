/**
 * Runs one attack in its own process:
 *
 *   node proofs/pressure/attack.ts '{"kind":"one-byte-chunks","url":…,"count":64,"seconds":10}'
 *
 * Prints its counts as one line of JSON.
 */
import { askForDeviceGrants } from "./device-grants.ts"
import { lockDatabase } from "./foreign-lock.ts"
import { sendOneByteChunks } from "./one-byte-chunks.ts"
import { signInWithWrongPasswords } from "./strangers.ts"
import { pipelineWithoutReading } from "./unread-answers.ts"

export type AttackOrder = {
  readonly kind: AttackKind
  readonly url: string
  /** The number of connections, people or grants. */
  readonly count: number
  readonly seconds: number
  readonly clientId: string
  /** The file of the embedded database, or the URL of PostgreSQL. */
  readonly database: string
}

export type AttackReport = {
  readonly counts: Readonly<Record<string, number>>
  /** Some of the device codes in the responses. */
  readonly deviceCodes?: readonly string[]
}

const attacks = {
  "one-byte-chunks": sendOneByteChunks,
  "unread-answers": pipelineWithoutReading,
  strangers: signInWithWrongPasswords,
  "device-grants": askForDeviceGrants,
  "foreign-lock": lockDatabase,
} as const

export type AttackKind = keyof typeof attacks

if (import.meta.main) {
  const order = JSON.parse(process.argv[2] ?? "{}") as AttackOrder
  console.log(JSON.stringify(await attacks[order.kind](order)))
  // Sockets that the service has not closed do not keep this process running.
  process.exit(0)
}
