/**
 * The yardstick: HTTP servers that read a request and answer with the bytes and headers that Latchkey answered with, and
 * store nothing. What they do a second on one core is the most that this runtime can.
 *
 *   node bench/bare.ts FILE
 *
 * FILE holds an answer for each workload. Prints the port of each; all are one process.
 */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Answer } from "./wire.ts"

/** What Node writes by itself. */
const OF_THE_RUNTIME = new Set(["date", "connection", "keep-alive", "transfer-encoding"])

const answers = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Record<string, Answer>
const servers = Object.entries(answers).map(([workload, answer]) => ({ workload, server: serverOf(answer) }))
const ports: Record<string, number> = {}
for (const { workload, server } of servers) {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  ports[workload] = (server.address() as AddressInfo).port
}
console.log(JSON.stringify(ports))

process.once("SIGTERM", () => {
  for (const { server } of servers) {
    server.close()
    server.closeAllConnections()
  }
})

function serverOf({ status, head, body }: Answer) {
  const headers = Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ])
      .filter(([name = ""]) => name !== "" && !OF_THE_RUNTIME.has(name)),
  ) as Record<string, string>
  // The generator reads bytes as latin1: written back as such they are the same bytes.
  const text = Buffer.from(body, "latin1").toString("utf8")
  return createServer((request, response) => {
    let received = ""
    request.setEncoding("utf8")
    request.on("data", (more: string) => (received += more))
    request.on("end", () =>
      response.writeHead(received === "" && request.method === "POST" ? 400 : status, headers).end(text),
    )
  })
}
