/** The workloads. Each says which request is sent to which server, and which response is correct. */
import { createPrivateKey, randomUUID, sign } from "node:crypto"
import { ASSERTION_TYPE } from "../src/oauth/clients/client-assertion.rules.ts"
import type { Stock } from "./stock.ts"
import { type Answer, good, type Step, type Verdict, wrong } from "./wire.ts"

export const workloads = [
  "refresh",
  "exchange",
  "private_key_jwt",
  "poll-pending",
  "poll-final",
  "introspect",
  "client_credentials",
  "authorize",
] as const
export type Workload = (typeof workloads)[number]

/** `bare` receives the same requests as Latchkey, but uses nothing up. */
export type Dialect = "latchkey" | "oidc-provider" | "bare"

export type Asked = { readonly dialect: Dialect; readonly port: number; readonly stock: Stock }

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
const paths = {
  latchkey: { token: "/oauth/token", introspect: "/oauth/introspect", authorize: "/oauth/authorize" },
  "oidc-provider": { token: "/token", introspect: "/token/introspection", authorize: "/auth" },
}

/** Returns the steps of one connection. The function returns null if all tokens or codes are used up. */
export function asks(workload: Workload, asked: Asked): () => Step | null {
  switch (workload) {
    case "refresh":
      return refresh(asked)
    case "exchange":
      return exchange(asked)
    case "private_key_jwt":
      return signedExchange(asked)
    case "poll-pending":
      return poll(asked, "pending")
    case "poll-final":
      return poll(asked, "approved")
    case "introspect":
      return introspect(asked)
    case "client_credentials":
      return clientCredentials(asked)
    case "authorize":
      return authorize(asked)
  }
}

/**
 * Refreshes. The response must be a 200 with tokens. Its refresh token must be new and is used for the next request.
 */
function refresh({ dialect, port, stock }: Asked): () => Step {
  const shelf = stock.shelf("refresh-tokens")
  const send = post(port, pathsOf(dialect).token)
  const before = `grant_type=refresh_token&client_id=${stock.identity.clientId}&refresh_token=`
  return () => {
    const at = shelf.inTurn()
    const token = shelf.lines[at] ?? ""
    const judge = (answer: Answer) => {
      const successor = valueIn(answer.body, "refresh_token")
      if (answer.status !== 200 || successor === null || valueIn(answer.body, "access_token") === null)
        return wrong
      if (dialect === "bare") return good
      shelf.lines[at] = successor
      return successor === token ? wrong : good
    }
    return { request: send(before + token), judge }
  }
}

/** Exchanges each code once. The response must be a 200 with tokens. */
function exchange({ dialect, port, stock }: Asked): () => Step | null {
  const shelf = stock.shelf("codes")
  const { clientId, redirectUri, verifier } = stock.identity
  const send = post(port, pathsOf(dialect).token)
  const before =
    `grant_type=authorization_code&client_id=${clientId}&redirect_uri=${encodeURIComponent(redirectUri)}` +
    `&code_verifier=${verifier}&code=`
  return () => {
    const at = dialect === "bare" ? shelf.inTurn() : shelf.once()
    return at === null ? null : { request: send(before + shelf.lines[at]), judge: bringsTokens }
  }
}

/** Exchanges codes with signed requests. Each assertion is created when its request is sent. */
function signedExchange({ dialect, port, stock }: Asked): () => Step | null {
  const shelf = stock.shelf("signed-codes")
  const { redirectUri, verifier, signer } = stock.identity
  const send = post(port, pathsOf(dialect).token)
  const key = createPrivateKey(signer.privateKey)
  const header = encoded({ alg: "ES256", kid: signer.publicKey.kid })
  const assertion = () => {
    const iat = Math.floor(Date.now() / 1000)
    const [iss, aud] = [signer.id, `http://localhost:${port}`]
    const input = `${header}.${encoded({ iss, sub: iss, aud, iat, exp: iat + 60, jti: randomUUID() })}`
    const signature = sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" })
    return `${input}.${signature.toString("base64url")}`
  }
  const before =
    `grant_type=authorization_code&redirect_uri=${encodeURIComponent(redirectUri)}&code_verifier=${verifier}` +
    `&client_assertion_type=${encodeURIComponent(ASSERTION_TYPE)}&client_assertion=`
  return () => {
    const at = dialect === "bare" ? shelf.inTurn() : shelf.once()
    if (at === null) return null
    return { request: send(`${before}${assertion()}&code=${shelf.lines[at]}`), judge: bringsTokens }
  }
}

/**
 * Polls. With `pending`, there is no decision yet, each device keeps its poll interval, and the response must be the
 * 400 of RFC 8628 §3.5. With `approved`, each device code is used once, and the response must be a 200 with tokens.
 */
function poll({ dialect, port, stock }: Asked, list: "pending" | "approved"): () => Step | null {
  const shelf = stock.shelf(list)
  const send = post(port, pathsOf(dialect).token)
  const before = `grant_type=${encodeURIComponent(DEVICE_GRANT)}&client_id=${stock.identity.clientId}&device_code=`
  const take = () => (list === "pending" ? shelf.atPace() : shelf.once())
  return () => {
    const at = dialect === "bare" ? shelf.inTurn() : take()
    if (at === null) return null
    return { request: send(before + shelf.lines[at]), judge: list === "pending" ? isPending : bringsTokens }
  }
}

/** Introspects. The response must report the token as active, with its reach. */
function introspect({ dialect, port, stock }: Asked): () => Step {
  const shelf = stock.shelf("access-tokens")
  const { id, secret } = stock.identity.resourceServer
  const basic = `authorization: Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}\r\n`
  const send = post(port, pathsOf(dialect).introspect, basic)
  const judge = ({ status, body }: Answer) =>
    status === 200 && body.includes('"active":true') && (valueIn(body, "scope") ?? "") !== "" ? good : wrong
  return () => ({ request: send(`token=${shelf.lines[shelf.inTurn()]}`), judge })
}

/**
 * Requests tokens for the apps of service accounts in turn. The response must be a 200 with an access token and without
 * a refresh token.
 */
function clientCredentials({ dialect, port, stock }: Asked): () => Step {
  const shelf = stock.shelf("bound-apps")
  const judge = ({ status, body }: Answer) =>
    status === 200 && valueIn(body, "access_token") !== null && valueIn(body, "refresh_token") === null
      ? good
      : wrong
  return () => {
    const basic = Buffer.from(shelf.lines[shelf.inTurn()] ?? "").toString("base64")
    const send = post(port, pathsOf(dialect).token, `authorization: Basic ${basic}\r\n`)
    return { request: send("grant_type=client_credentials"), judge }
  }
}

/** Requests the consent page. `oidc-provider` redirects the browser to this page, so both responses count as one. */
function authorize({ dialect, port, stock }: Asked): () => Step {
  const shelf = stock.shelf("cookies")
  const { clientId, redirectUri, challenge, scope } = stock.identity
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state: "c3RhdGUtb2YtdGhlLWFwcA",
    code_challenge: challenge,
    code_challenge_method: "S256",
  })
  const path = `${pathsOf(dialect).authorize}?${query.toString()}`
  const button = dialect === "oidc-provider" ? 'name="prompt" value="consent"' : 'value="authorize"'
  const isPage = ({ status, body }: Answer) => (status === 200 && body.includes(button) ? good : wrong)
  const follow = (cookie: string) => (answer: Answer) => {
    const location = /\r\nlocation: *(?:https?:\/\/[^/]+)?(\/interaction\/[\w-]+)\r\n/i.exec(answer.head)?.[1]
    const own = /\r\nset-cookie: *(_interaction=[^;]+)/i.exec(answer.head)?.[1]
    if (answer.status !== 303 || location === undefined || own === undefined) return wrong
    const request = get(port, location, `${cookie}; ${own}`)
    return { verdict: "then", step: { request, judge: isPage } } satisfies Verdict
  }
  return () => {
    const cookie = shelf.lines[shelf.inTurn()] ?? ""
    const judge = dialect === "oidc-provider" ? follow(cookie) : isPage
    return { request: get(port, path, cookie), judge }
  }
}

function bringsTokens({ status, body }: Answer): Verdict {
  const [access, refreshing] = [valueIn(body, "access_token"), valueIn(body, "refresh_token")]
  return status === 200 && access !== null && refreshing !== null ? good : wrong
}

function isPending({ status, body }: Answer): Verdict {
  return status === 400 && body.includes('"authorization_pending"') ? good : wrong
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

function pathsOf(dialect: Dialect) {
  return dialect === "oidc-provider" ? paths["oidc-provider"] : paths.latchkey
}

function post(port: number, path: string, headers = ""): (body: string) => string {
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n${headers}content-type: application/x-www-form-urlencoded\r\n`
  return (body) => `${head}content-length: ${body.length}\r\n\r\n${body}`
}

function get(port: number, path: string, cookie: string): string {
  return (
    `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\naccept: text/html,application/xhtml+xml\r\n` +
    `user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\ncookie: ${cookie}\r\n\r\n`
  )
}

/** Returns a text member of a JSON object without parsing the JSON. */
function valueIn(body: string, name: string): string | null {
  const before = `"${name}":"`
  const at = body.indexOf(before)
  if (at < 0) return null
  const from = at + before.length
  return body.slice(from, body.indexOf('"', from))
}
