/** Kits of Node, or questions to gates, in one process: see host.ts. Started without arguments. */
import { Agent, get } from "node:http"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import {
  createResourceServer,
  requirePermission,
} from "../../../packages/resource-server/src/resource-server.ts"
import { GATE_HOST, GATE_SECRET } from "./gate-file.ts"
import type { ListenerOptions } from "./host.ts"

/** Whether the token is accepted. A kit whose stream is not connected yet does not accept it at first. */
type Ask = (token: string, isFirst: boolean) => Promise<boolean>

const lines = createInterface(process.stdin)[Symbol.asyncIterator]()
const options = JSON.parse((await lines.next()).value as string) as ListenerOptions
const { close, asks } = opened()
for (;;) {
  const { value, done } = await lines.next()
  if (done === true) break
  const { token } = JSON.parse(value) as { readonly token: string }
  await Promise.all(asks.map((ask) => until(ask, token, true)))
  console.log("{}")
  const refused = await Promise.all(asks.map((ask) => until(ask, token, false)))
  console.log(JSON.stringify({ refused }))
}
close()

function opened(): { readonly close: () => void; readonly asks: readonly Ask[] } {
  const { gates, apis, issuer, permission } = options
  if (gates !== undefined) {
    const agents = gates.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
    const questions = gates.map((port, at) => (token: string) => askGate(port, agents[at], token))
    return { asks: questions, close: () => agents.forEach((agent) => agent.destroy()) }
  }
  const needed = requirePermission(permission)
  const kits = apis.map((api) =>
    createResourceServer({ issuer, ...api, resource: "https://api.example", onTrouble: console.error }),
  )
  const checks = kits.map((kit) => async (token: string, isFirst: boolean) => {
    const checked = await kit.verify({ headers: { authorization: `Bearer ${token}` } }, needed)
    return checked.ok && (!isFirst || kit.isLive())
  })
  return { asks: checks, close: () => kits.forEach((kit) => kit.close()) }
}

/** Returns the time of the first answer that is as expected. */
async function until(ask: Ask, token: string, expected: boolean): Promise<number> {
  while ((await ask(token, expected)) !== expected) await pause(options.askedEvery)
  return Date.now()
}

function askGate(port: number, agent: Agent | undefined, token: string): Promise<boolean> {
  const headers = {
    "latchkey-gate-secret": GATE_SECRET,
    "x-original-method": "GET",
    "x-original-uri": "/",
    "x-original-host": GATE_HOST,
    authorization: `Bearer ${token}`,
  }
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  get({ host: "127.0.0.1", port, path: "/auth/nginx", ...(agent && { agent }), headers }, (response) => {
    response.resume()
    response.once("end", () => resolve(response.statusCode === 200))
  }).once("error", reject)
  return promise
}
