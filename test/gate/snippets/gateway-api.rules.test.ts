import assert from "node:assert/strict"
import { test } from "node:test"
import { parse } from "yaml"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { gatewayApiSnippet } from "../../../src/gate/snippets/gateway-api.rules.ts"
import { OPTIONS } from "./options.ts"

type Filter = {
  readonly type: string
  readonly requestHeaderModifier?: { readonly remove: readonly string[] }
  readonly externalAuth?: Readonly<Record<string, unknown>>
}
type Rule = {
  readonly matches: readonly { readonly path: { readonly value: string } }[]
  readonly filters?: readonly Filter[]
  readonly backendRefs: readonly { readonly filters?: readonly Filter[] }[]
}
type Route = { readonly metadata: object; readonly spec: { readonly rules: readonly Rule[] } }

const [file] = gatewayApiSnippet({ ...OPTIONS, gate: "gate:8790" })
const { metadata, spec } = parse(file?.text ?? "") as Route
const [published, guarded] = spec.rules

test("PROXY-1: the Gateway API asks the gate before the app, and everyone may read the metadata", () => {
  assert.deepEqual([file?.path, metadata], ["api.example.org.yaml", { name: "latchkey-api-example-org" }])
  assert.equal(spec.rules.length, 2)
  assert.equal(published?.matches[0]?.path.value, "/.well-known/oauth-protected-resource")
  assert.deepEqual([published?.filters, published?.backendRefs], [undefined, [{ name: "gate", port: 8790 }]])
  assert.equal(guarded?.matches[0]?.path.value, "/")
  const [{ filters, ...app } = {}, ...more] = guarded?.backendRefs ?? []
  assert.deepEqual([app, more], [{ name: "app", port: 3000 }, []])
  assert.deepEqual(
    filters?.map(({ type }) => type),
    ["RequestHeaderModifier"],
  )
  assert.deepEqual(
    guarded?.filters?.map(({ type }) => type),
    ["RequestHeaderModifier", "ExternalAuth"],
  )
  assert.deepEqual(guarded?.filters?.[1]?.externalAuth, {
    protocol: "HTTP",
    backendRef: { name: "gate", port: 8790 },
    http: { path: "/auth/envoy", allowedResponseHeaders: [...IDENTITY_HEADERS] },
  })
})

test("PROXY-4: the gateway removes the other spellings of the identity, within the sixteen of each filter", () => {
  const removedBy = (filters: readonly Filter[] = []) => filters[0]?.requestHeaderModifier?.remove ?? []
  const parts = [guarded?.filters, guarded?.backendRefs[0]?.filters].map(removedBy)
  for (const { length } of parts) assert.ok(length > 0 && length <= 16, String(length))
  const remove = parts.flat()
  for (const name of IDENTITY_HEADERS)
    for (const character of "_.") assert.ok(remove.includes(name.replaceAll("-", character)), name)
  for (const name of ["Latchkey-Gate-Secret", "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override"])
    assert.ok(remove.includes(name), name)
})
