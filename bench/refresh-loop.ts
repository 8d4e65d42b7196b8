/** A closed loop of refreshes over connections that are kept. It runs on the last core, and serves every server alike. */
import { Agent as PlainAgent, request as plainRequest } from "node:http"
import { Agent, request } from "node:https"

export type Refreshing = {
  readonly url: string
  readonly clientId: string
  /** The newest refresh token of each credential. The loop replaces it. */
  readonly tokens: string[]
  /** The certificate of a server with https. */
  readonly ca?: string
}

/** Returns the number of refreshes. Throws for a wrong answer. */
export async function refreshLoop(of: Refreshing, connections: number, seconds: number): Promise<number> {
  const isPlain = of.url.startsWith("http:")
  const limits = { keepAlive: true, maxSockets: connections }
  const agent = isPlain
    ? new PlainAgent(limits)
    : new Agent({ ...limits, ...(of.ca !== undefined && { ca: of.ca }) })
  const end = performance.now() + seconds * 1000
  let count = 0
  // A token is in no two requests at once, however slow the server is.
  const free = of.tokens.splice(0)
  const line = async () => {
    while (performance.now() < end) {
      const token = free.shift()
      if (token === undefined) throw new Error("there are more connections than credentials")
      const body = `grant_type=refresh_token&client_id=${of.clientId}&refresh_token=${token}`
      const { status, text } = await send(isPlain ? plainRequest : request, of.url, agent, body)
      if (status !== 200) throw new Error(`${of.url} answered ${status} ${text.slice(0, 300)}`)
      free.push((JSON.parse(text) as { readonly refresh_token: string }).refresh_token)
      count++
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, line))
  } finally {
    agent.destroy()
    of.tokens.push(...free)
  }
  return count
}

function send(
  by: typeof request | typeof plainRequest,
  url: string,
  agent: Agent | PlainAgent,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(body),
  }
  const sent = by(url, { method: "POST", headers, agent }, (response) => {
    let text = ""
    response.setEncoding("utf8")
    response.on("data", (piece: string) => (text += piece))
    response.on("end", () => resolve({ status: response.statusCode ?? 0, text }))
  })
  sent.on("error", reject)
  sent.end(body)
  return promise
}
