/**
 * Sends requests to an API over several connections for some seconds. Each request has the next token:
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
  /** The file has one token per line. */
  readonly tokensFile: string
}

export type KitLoadResult = {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** The number of responses with another status than 200. */
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

/** Runs one connection, which sends one request after the other. Parses only as much of a response as needed. */
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
      // The JSON of a response ends with a brace. With chunked encoding, the end of the chunk follows.
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
