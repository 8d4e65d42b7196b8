/** Registrations as apps send them. */
import type { Answer } from "../../support/answers.ts"
import type { Listening } from "../../support/connect.ts"

export const REGISTER = "/oauth/register"

/** The registration of a typical command-line tool. */
export const TOOL = {
  client_name: "Paper tool",
  redirect_uris: ["http://127.0.0.1/callback", "https://app.example/callback"],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
} as const

/** Sends `body`. A text is sent unchanged, and an object as JSON. */
export async function register(
  testServer: Listening,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(testServer.url + REGISTER, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body: answer }
}

/** Registers an app, which must succeed. Returns what the app keeps. */
export async function registered(testServer: Listening, body: object | string = TOOL) {
  const { status, body: answer } = await register(testServer, body)
  if (status !== 201) throw new Error(`registration answered ${status} ${JSON.stringify(answer)}`)
  const secret = answer["client_secret"]
  return {
    clientId: String(answer["client_id"]),
    secret: typeof secret === "string" ? secret : null,
    answer,
  }
}
