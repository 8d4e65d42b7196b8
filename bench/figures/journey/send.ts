/** Requests of a browser or an app, over connections that are kept. */
import { type Agent, request } from "node:http"

export type Answer = {
  readonly status: number
  readonly location: string | null
  readonly cookies: readonly string[]
  readonly text: string
}

export type Fields = Readonly<Record<string, string>>

/** Without fields, the request is a GET. */
export function send(agent: Agent, url: string, headers: Fields, fields: Fields | null): Promise<Answer> {
  const body = fields === null ? "" : new URLSearchParams(fields).toString()
  const form = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(Buffer.byteLength(body)),
  }
  const options = {
    method: fields === null ? "GET" : "POST",
    agent,
    headers: { ...headers, ...(fields !== null && form) },
  }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(url, options, (response) => {
    let text = ""
    response.setEncoding("utf8").on("data", (piece: string) => (text += piece))
    response.on("end", () => {
      const { statusCode: status = 0, headers: received } = response
      const cookies = received["set-cookie"] ?? []
      resolve({ status, location: received.location ?? null, cookies, text })
    })
  })
  sent.on("error", reject)
  sent.end(body)
  return promise
}

/** Returns the refresh token of a response, which must be a 200. */
export function tokenOf({ status, text }: Answer): string {
  const [, token] = /"refresh_token":"([^"]+)"/.exec(text) ?? []
  if (status !== 200 || token === undefined)
    throw new Error(`the token endpoint answered ${status} ${text.slice(0, 300)}`)
  return token
}
