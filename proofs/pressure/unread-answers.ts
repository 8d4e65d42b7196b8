/** Connections that send all their requests at once and read no response. */
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import type { AttackOrder, AttackReport } from "./attack.ts"

/** 50 connections send 20,000 requests together. */
export const REQUESTS_A_CONNECTION = 400
const REQUEST = "GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n"
const END_MILLISECONDS = 3_000

export async function pipelineWithoutReading({ url, count, seconds }: AttackOrder): Promise<AttackReport> {
  const port = Number(new URL(url).port)
  const answers = await Promise.all(Array.from({ length: count }, () => sendAhead(port, seconds)))
  const sum = (of: (one: (typeof answers)[number]) => number) =>
    answers.reduce((all, one) => all + of(one), 0)
  return {
    counts: {
      requests: count * REQUESTS_A_CONNECTION,
      "answers read in the end": sum(({ read }) => read),
      "connections closed by the service": sum(({ isClosed }) => Number(isClosed)),
    },
  }
}

async function sendAhead(port: number, seconds: number) {
  const socket = connect({ host: "127.0.0.1", port })
  socket.on("error", () => undefined)
  socket.pause()
  const closed = once(socket, "close").then(() => true)
  socket.write(REQUEST.repeat(REQUESTS_A_CONNECTION))
  await Promise.race([closed, pause(seconds * 1000)])
  let read = 0
  socket.setEncoding("latin1")
  socket.on("data", (text: string) => (read += text.split("HTTP/1.1 200 ").length - 1))
  socket.resume()
  const isClosed = await Promise.race([closed, pause(END_MILLISECONDS, false)])
  socket.destroy()
  return { read, isClosed }
}
