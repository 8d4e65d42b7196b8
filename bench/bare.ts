/**
 * The baseline: HTTP servers that read a request and send the same bytes and headers as Latchkey does. They store
 * nothing. Where a request is signed, they check the signature. Their requests per second on one core are the maximum
 * for this runtime.
 *
 *   node bench/bare.ts FILE STOCK
 *
 * FILE contains a response for each workload. STOCK contains the key of the app that signs. All servers run in one
 * process, which prints the port of each.
 */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { isSignedBy } from "../src/platform/statements/verification-key.ts"
import { Stock } from "./stock.ts"
import type { Answer } from "./wire.ts"

/** Node itself writes these headers. */
const OF_THE_RUNTIME = new Set(["date", "connection", "keep-alive", "transfer-encoding"])

const { signer } = new Stock(process.argv[3] ?? "").identity
const answers = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Record<string, Answer>
const servers = Object.entries(answers).map(([workload, answer]) => ({
  workload,
  server: serverOf(answer, workload === "private_key_jwt" ? isSigned : null),
}))
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

/** Checks the signature as Latchkey does, and nothing else. This is the least that a signed request costs. */
function isSigned(form: string): Promise<boolean> {
  const jwt = new URLSearchParams(form).get("client_assertion") ?? ""
  return isSignedBy(jwt, signer.publicKey, "ES256")
}

function serverOf({ status, head, body }: Answer, isGood: ((form: string) => Promise<boolean>) | null) {
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
  // The generator has read the bytes as Latin 1. Written as Latin 1, they are unchanged.
  const text = Buffer.from(body, "latin1").toString("utf8")
  return createServer((request, response) => {
    let received = ""
    request.setEncoding("utf8")
    request.on("data", (more: string) => (received += more))
    const answer = (isRight: boolean) => response.writeHead(isRight ? status : 400, headers).end(text)
    request.on("end", () => {
      if (isGood !== null) void isGood(received).then(answer)
      else answer(received !== "" || request.method !== "POST")
    })
  })
}
