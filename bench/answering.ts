/** HTTP servers that send the same bytes and headers as Latchkey does. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Answer } from "./wire.ts"

/** Does something with a form before the response. Returns whether the form is correct. */
export type Work = (form: string) => Promise<boolean>

/** Node itself writes these headers. */
const OF_THE_RUNTIME = new Set(["date", "connection", "keep-alive", "transfer-encoding"])

/** Starts a server for each workload, and prints their ports. A SIGTERM closes them. */
export async function serve(
  answers: Readonly<Record<string, Answer>>,
  workOf: (workload: string) => Work | null,
): Promise<void> {
  const servers = Object.entries(answers).map(([workload, answer]) => ({
    workload,
    server: serverOf(answer, workOf(workload)),
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
}

function serverOf({ status, head, body }: Answer, work: Work | null) {
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
      if (work !== null) void work(received).then(answer)
      else answer(received !== "" || request.method !== "POST")
    })
  })
}
