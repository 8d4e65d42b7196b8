import assert from "node:assert/strict"
import { test } from "node:test"
import { parse } from "yaml"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { ROUTING_HEADERS } from "../../../src/gate/snippets/snippet.rules.ts"
import { aliasesOf, traefikSnippet } from "../../../src/gate/snippets/traefik.rules.ts"
import { OPTIONS, textOf } from "./options.ts"

type Middleware = {
  readonly headers?: { readonly customRequestHeaders: Readonly<Record<string, string>> }
  readonly forwardAuth?: Readonly<Record<string, unknown>>
}
type File = {
  readonly http: {
    readonly routers: Readonly<Record<string, { readonly middlewares?: readonly string[] }>>
    readonly middlewares: Readonly<Record<string, Middleware>>
    readonly services: Readonly<Record<string, { readonly loadBalancer: object }>>
  }
}
const NAME = "latchkey-api-example-org"
const fileOf = (secret: boolean) => (parse(textOf("traefik", secret)) as File).http
const removedBy = ({ headers }: Middleware | undefined = {}) =>
  Object.entries(headers?.customRequestHeaders ?? {}).map(([name, value]) =>
    value === "" ? name : `${name}?`,
  )

test("PROXY-4: in Traefik, a request for an upgrade to HTTP/2 has no router of the app", () => {
  const { http } = parse(textOf("traefik", false)) as {
    http: { routers: Record<string, { rule: string; service: string }> }
  }
  for (const { rule, service } of Object.values(http.routers))
    assert.equal(rule.endsWith("&& !HeaderRegexp(`Upgrade`, `(?i)h2c`)"), service.endsWith("-app"), rule)
})

test("PROXY-1: Traefik removes the client's headers, asks the gate, and copies its identity", () => {
  const { routers, middlewares, services } = fileOf(false)
  assert.deepEqual(routers[NAME]?.middlewares, [`${NAME}-remove`, `${NAME}-gate`])
  assert.equal(routers[`${NAME}-metadata`]?.middlewares, undefined, "everyone may read the metadata")
  assert.deepEqual(Object.keys(middlewares), [`${NAME}-remove`, `${NAME}-gate`])
  assert.deepEqual(middlewares[`${NAME}-gate`]?.forwardAuth, {
    address: `http://${OPTIONS.gate}/auth/traefik`,
    trustForwardHeader: false,
    authRequestHeaders: ["Authorization"],
    authResponseHeaders: [...IDENTITY_HEADERS],
  })
  assert.deepEqual(services, {
    [`${NAME}-app`]: { loadBalancer: { servers: [{ url: `http://${OPTIONS.app}` }] } },
    [`${NAME}-gate`]: { loadBalancer: { servers: [{ url: `http://${OPTIONS.gate}` }] } },
  })
})

test("PROXY-4: Traefik removes each header in every spelling that a program reads alike", () => {
  assert.deepEqual(aliasesOf("Latchkey-Account"), ["Latchkey_Account", "Latchkey.Account"])
  const removed = removedBy(fileOf(false).middlewares[`${NAME}-remove`])
  const own = [...IDENTITY_HEADERS, "Latchkey-Gate-Secret"]
  for (const name of [...own, ...own.flatMap(aliasesOf), ...ROUTING_HEADERS, "HTTP2-Settings"])
    assert.ok(removed.includes(name), name)
  assert.equal(new Set(removed).size, removed.length)
})

test("PROXY-6: with a shared secret, Traefik sets it for the gate alone, from its environment", () => {
  const { routers, middlewares } = fileOf(true)
  assert.deepEqual(routers[NAME]?.middlewares, [
    `${NAME}-remove`,
    `${NAME}-secret`,
    `${NAME}-gate`,
    `${NAME}-secret-remove`,
  ])
  const { headers } = middlewares[`${NAME}-secret`] ?? {}
  assert.deepEqual(headers?.customRequestHeaders, {
    "Latchkey-Gate-Secret": '{{ env "LATCHKEY_GATE_SECRET" }}',
  })
  assert.deepEqual(removedBy(middlewares[`${NAME}-secret-remove`]), ["Latchkey-Gate-Secret"])
  assert.deepEqual(middlewares[`${NAME}-gate`]?.forwardAuth?.["authRequestHeaders"], [
    "Authorization",
    "Latchkey-Gate-Secret",
  ])
})

test("PROXY-1: the file of Traefik is named after the host", () => {
  assert.deepEqual(
    traefikSnippet({ ...OPTIONS, host: "a-b.example" }).map(({ path }) => path),
    ["/etc/traefik/dynamic/a-b.example.yaml"],
  )
})
