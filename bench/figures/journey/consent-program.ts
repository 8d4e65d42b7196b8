/**
 * The program that Hydra needs for sign-in and consent. It shows no page and accepts everything:
 *
 *   node bench/figures/journey/consent-program.ts ADMIN_URL
 *
 * Prints its port.
 */
import { Agent, createServer, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { ACCOUNTS, usernameOf } from "./product.ts"

type Asked = {
  readonly skip: boolean
  readonly subject: string
  readonly requested_scope: readonly string[]
}

const [admin = ""] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
let visitors = 0

const server = createServer((incoming, response) => {
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://localhost")
  const answered = pathname === "/login" ? login(searchParams) : consent(searchParams)
  answered.then(
    (location) => void response.writeHead(302, { location }).end(),
    (error: Error) => fail(response, error),
  )
})
// A connection that closes at the moment of a request would fail the journey.
server.keepAliveTimeout = 0
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port))

process.once("SIGTERM", () => {
  agent.destroy()
  server.close()
  server.closeAllConnections()
})

async function login(query: URLSearchParams): Promise<string> {
  const challenge = query.get("login_challenge") ?? ""
  const { skip, subject } = await ask<Asked>("GET", `login?login_challenge=${challenge}`)
  const accepted = {
    subject: skip ? subject : usernameOf(visitors++ % ACCOUNTS),
    ...(!skip && { remember: true, remember_for: 3600 }),
  }
  return accept("login", challenge, accepted)
}

async function consent(query: URLSearchParams): Promise<string> {
  const challenge = query.get("consent_challenge") ?? ""
  const asked = await ask<Asked>("GET", `consent?consent_challenge=${challenge}`)
  return accept("consent", challenge, { grant_scope: asked.requested_scope })
}

async function accept(what: "login" | "consent", challenge: string, body: object): Promise<string> {
  const path = `${what}/accept?${what}_challenge=${challenge}`
  return (await ask<{ readonly redirect_to: string }>("PUT", path, body)).redirect_to
}

function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const sent = body === undefined ? "" : JSON.stringify(body)
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }
  const asked = request(
    `${admin}/admin/oauth2/auth/requests/${path}`,
    { method, agent, headers },
    (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece))
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text) as T)
        else reject(new Error(`${method} ${path}: ${text}`))
      })
    },
  )
  asked.once("error", reject).end(sent)
  return promise
}

function fail(response: ServerResponse, error: Error): void {
  console.error(error.message)
  response.writeHead(500).end()
}
