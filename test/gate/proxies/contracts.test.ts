/**
 * Traefik and gateways of Kubernetes do not run here. A stand-in asks a real gate as their documents say, from the
 * printed configuration, and builds the request to the app from the answer.
 */
import assert from "node:assert/strict"
import { request } from "node:http"
import { before, test } from "node:test"
import { parse } from "yaml"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { snippetFor } from "../../../src/gate/snippets/snippets.rules.ts"
import { tokenIdOf } from "../../support/grant.ts"
import { wholeFile } from "../../support/spawn.ts"
import { GuardedApp, valuesOf } from "./guarded-app.ts"
import { HOST, SECRET } from "./proxy.ts"

type Headers = Readonly<Record<string, string>>
type Original = { readonly method: string; readonly path: string; readonly headers: Headers }
type Answer = { readonly status: number; readonly headers: Headers }

const file = wholeFile()
let guarded: GuardedApp
let token: string

before(async () => {
  guarded = await GuardedApp.open(file)
  token = (await guarded.api.grant()).access_token
})

const SPOOFED = Object.fromEntries(
  IDENTITY_HEADERS.flatMap((name) =>
    ["-", "_", "."].map((character) => [name.replaceAll("-", character).toLowerCase(), "root"]),
  ),
)

function ask(path: string, method: string, headers: Headers): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request({ host: "127.0.0.1", port: guarded.gatePort, path, method, headers }, (response) => {
    response.resume()
    resolve({ status: response.statusCode ?? 0, headers: response.headers as Headers })
  })
  sent.once("error", reject).end()
  return promise
}

const lower = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Returns headers without `names`. */
const without = (headers: Headers, names: readonly string[]) => {
  const removed = new Set(names.map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.has(name)))
}

type Middleware = {
  readonly headers?: { readonly customRequestHeaders: Headers }
  readonly forwardAuth?: {
    readonly address: string
    readonly authRequestHeaders: readonly string[]
    readonly authResponseHeaders: readonly string[]
  }
}

/** Runs the middlewares of Traefik in their order. Returns the refusal, or the headers that the app gets. */
async function traefik({ method, path, headers }: Original): Promise<Answer> {
  const options = { gate: `127.0.0.1:${guarded.gatePort}`, app: "app:3000", host: HOST, secret: true }
  const { http } = parse(snippetFor("traefik", options)[0]?.text ?? "") as {
    http: {
      routers: Record<string, { middlewares?: string[] }>
      middlewares: Record<string, Middleware>
    }
  }
  let now = lower(headers)
  const names = Object.values(http.routers).find(({ middlewares }) => middlewares !== undefined)?.middlewares
  assert.equal(names?.length, 4)
  for (const name of names ?? []) {
    const { headers: changes, forwardAuth } = http.middlewares[name] ?? {}
    for (const [header, value] of Object.entries(changes?.customRequestHeaders ?? {}))
      now = {
        ...without(now, [header]),
        ...(value !== "" && {
          [header.toLowerCase()]: value.replace('{{ env "LATCHKEY_GATE_SECRET" }}', SECRET),
        }),
      }
    if (forwardAuth === undefined) continue
    const passedOn = forwardAuth.authRequestHeaders.map((header) => header.toLowerCase())
    const answer = await ask(new URL(forwardAuth.address).pathname, "GET", {
      ...Object.fromEntries(Object.entries(now).filter(([header]) => passedOn.includes(header))),
      "x-forwarded-method": method,
      "x-forwarded-uri": path,
      "x-forwarded-host": HOST,
      "x-forwarded-proto": "https",
      "x-forwarded-for": "192.0.2.1",
    })
    if (answer.status < 200 || answer.status > 299) return answer
    now = {
      ...without(now, forwardAuth.authResponseHeaders),
      ...pick(answer, forwardAuth.authResponseHeaders),
    }
  }
  return { status: 200, headers: now }
}

function pick({ headers }: Answer, names: readonly string[]): Headers {
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), headers[name.toLowerCase()] ?? ""]))
}

type Rule = {
  readonly filters?: readonly {
    readonly requestHeaderModifier?: { readonly remove: readonly string[] }
    readonly externalAuth?: {
      readonly http: { readonly path: string; readonly allowedResponseHeaders: readonly string[] }
    }
  }[]
}

/** Asks as GEP-1494 says: with the method, the path after the prefix, and Host and Authorization. */
async function gateway({ method, path, headers }: Original): Promise<Answer> {
  const options = { gate: "gate:8790", app: "app:3000", host: HOST, secret: false }
  const { spec } = parse(snippetFor("gateway-api", options)[0]?.text ?? "") as { spec: { rules: Rule[] } }
  const filters = spec.rules.flatMap((rule) => rule.filters ?? [])
  const { remove } = filters.find((one) => one.requestHeaderModifier)?.requestHeaderModifier ?? { remove: [] }
  assert.ok(remove.length <= 16)
  const auth = filters.find((one) => one.externalAuth)?.externalAuth ?? assert.fail("no ExternalAuth")
  const now = without(lower(headers), remove)
  const { authorization } = now
  const answer = await ask(auth.http.path + path, method, {
    host: HOST,
    "content-length": "0",
    ...(authorization !== undefined && { authorization }),
    // The gate of this test needs both. A gateway has only its address.
    "latchkey-gate-secret": SECRET,
  })
  if (answer.status !== 200) return answer
  return { status: 200, headers: { ...now, ...pick(answer, auth.http.allowedResponseHeaders) } }
}

for (const [name, pass] of [
  ["Traefik", traefik],
  ["the Gateway API", gateway],
] as const) {
  const original = (more: Partial<Original> = {}, withToken = true): Original => ({
    method: "GET",
    path: "/files/1?a=1",
    headers: {
      ...(withToken && { authorization: `Bearer ${token}` }),
      ...SPOOFED,
      "X-Forwarded-Uri": "/public",
    },
    ...more,
  })
  const identityIn = (answer: Answer) => {
    const arrived = { method: "", url: "", rawHeaders: Object.entries(answer.headers).flat() }
    return IDENTITY_HEADERS.map((header) => valuesOf(arrived, header))
  }

  test(`PROXY-1, PROXY-4: by the documents of ${name}, the app gets the identity of the gate alone`, async () => {
    const passed = await pass(original())
    assert.equal(passed.status, 200)
    const [account, username, , credential] = identityIn(passed)
    assert.equal(account?.length, 1)
    assert.deepEqual(username, ["bob"])
    assert.deepEqual(credential, [tokenIdOf(token)])
    assert.equal(passed.headers["latchkey-gate-secret"], undefined)
    const open = await pass(original({ path: "/public" }))
    assert.deepEqual([...new Set(identityIn(open).flat())], [""])
  })

  test(`PROXY-2: by the documents of ${name}, refusals arrive whole`, async () => {
    const missing = await pass(original({}, false))
    assert.equal(missing.status, 401)
    assert.match(missing.headers["www-authenticate"] ?? "", /scope="files:read"/)
    assert.equal((await pass(original({ path: "/accounts" }))).status, 403)
    const elevated = await pass(original({ method: "DELETE", path: "/files/1" }))
    assert.deepEqual([elevated.status, elevated.headers["service-elevation-required"]], [403, "1"])
    assert.equal((await pass(original({ path: "/other" }))).status, 403)
  })
}
