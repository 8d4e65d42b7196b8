/**
 * Asks an API over a number of connections for a number of seconds, each time with the next token:
 *
 *   node bench/kit-load.ts '{"port":…,"connections":64,"seconds":5,"tokensFile":FILE}'
 *
 * Prints one line of JSON.
 */
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

export type KitLoad = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** One a line. */
  readonly tokensFile: string
}

export type KitLoadResult = {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** How many answers were no 200. */
  readonly others: number
}

const { port, connections, seconds, tokensFile } = JSON.parse(process.argv[2] ?? "{}") as KitLoad
const tokens = readFileSync(tokensFile, "utf8").split("\n")
const latencies: number[] = []
let others = 0
let next = 0
let isOver = false

const begun = performance.now()
const ended = Array.from({ length: connections }, () => ask())
await pause(seconds * 1000)
isOver = true
const elapsed = (performance.now() - begun) / 1000
const requests = latencies.length
await Promise.all(ended)
const sorted = Float64Array.from(latencies).sort()
const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
const result: KitLoadResult = {
  requests,
  requestsPerSecond: requests / elapsed,
  p50: at(0.5),
  p99: at(0.99),
  others,
}
console.log(JSON.stringify(result))

/** One connection, one request after the other. It reads no more of an answer than it must. */
function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true })
    let sentAt = 0
    let received = ""
    const send = () => {
      if (isOver) return void socket.end()
      sentAt = performance.now()
      const token = tokens[next++ % tokens.length]
      socket.write(`GET / HTTP/1.1\r\nhost: api.example\r\nauthorization: Bearer ${token}\r\n\r\n`)
    }
    socket.setEncoding("latin1")
    socket.once("connect", send)
    socket.on("data", (text: string) => {
      received += text
      // Chunked or not, an answer here ends with the brace of its JSON, and a chunk's end after it.
      if (!/\}(\r\n0\r\n\r\n)?$/.test(received)) return
      latencies.push(performance.now() - sentAt)
      if (!received.startsWith("HTTP/1.1 200")) others++
      received = ""
      send()
    })
    socket.once("error", reject)
    socket.once("close", () => resolve())
  })
}
