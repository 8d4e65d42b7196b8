import assert from "node:assert/strict"
import { test } from "node:test"
import { parse } from "yaml"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { REFUSAL_HEADERS, ROUTING_HEADERS } from "../../../src/gate/snippets/snippet.rules.ts"
import { OPTIONS, textOf } from "./options.ts"

type Json = { readonly [name: string]: Json } & readonly Json[]

const parsed = (secret: boolean) => (parse(textOf("envoy", secret)) as Json)["static_resources"]
const at = (value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (found, name) => (found as Readonly<Record<string, Json>> | undefined)?.[name],
    value,
  )
const managerOf = (secret: boolean) =>
  at(parsed(secret), "listeners", 0, "filter_chains", 0, "filters", 0, "typed_config")
const filtersOf = (secret: boolean) => managerOf(secret)?.["http_filters"] ?? assert.fail("no filters")
const filter = (secret: boolean, name: string) =>
  at(
    filtersOf(secret).find((one) => String(one["name"]) === name),
    "typed_config",
  )
const AUTH = "envoy.filters.http.ext_authz"
const exact = (names: readonly string[]) => names.map((name) => ({ exact: name.toLowerCase() }))

test("PROXY-1: Envoy removes the client's headers, asks the gate, and then routes", () => {
  const names = filtersOf(false).map(({ name }) => name)
  assert.deepEqual(names, ["latchkey_remove", AUTH, "envoy.filters.http.router"])
  const http = at(filter(false, AUTH), "http_service")
  assert.deepEqual(http?.["server_uri"], {
    uri: `http://${OPTIONS.gate}`,
    cluster: "latchkey_gate",
    timeout: "8s",
  })
  assert.deepEqual(
    at(http, "authorization_response", "allowed_upstream_headers", "patterns"),
    exact(IDENTITY_HEADERS),
  )
})

test("PROXY-2: the headers of a refusal arrive at the client", () => {
  const patterns = at(filter(false, AUTH), "http_service", "authorization_response", "allowed_client_headers")
  assert.deepEqual(patterns, { patterns: exact(REFUSAL_HEADERS) })
})

test("PROXY-3: without the gate nothing passes, and the client gets 503", () => {
  assert.equal(filter(false, AUTH)?.["failure_mode_allow"], false)
  assert.deepEqual(filter(false, AUTH)?.["status_on_error"], { code: "ServiceUnavailable" })
})

test("PROXY-1: the gate gets the path as the client sent it; only the metadata needs no question", () => {
  const manager = managerOf(false)
  assert.deepEqual(
    ["normalize_path", "merge_slashes", "path_with_escaped_slashes_action"].map((name) => manager?.[name]),
    [false, false, "KEEP_UNCHANGED"],
  )
  const host = at(manager, "route_config", "virtual_hosts", 0)
  assert.deepEqual(host?.["domains"], ["api.example.org", "api.example.org:*"])
  const routes = host?.["routes"]?.map((route) => [
    at(route, "match", "prefix"),
    at(route, "route", "cluster"),
    at(route, "typed_per_filter_config", AUTH, "disabled"),
  ])
  assert.deepEqual(routes, [
    ["/.well-known/oauth-protected-resource", "latchkey_gate", true],
    ["/", "latchkey_app", undefined],
  ])
})

test("PROXY-4: the removed names are those that only the gate may set, in every spelling, and no usual one", () => {
  const mutations = at(filter(false, "latchkey_remove"), "mutations", "request_mutations") ?? assert.fail()
  const removed = mutations.flatMap((one) => {
    const regex = at(one, "remove_on_match", "key_matcher", "safe_regex", "regex")
    return regex === undefined ? [] : [new RegExp(`^(?:${String(regex)})$`)]
  })
  const isRemoved = (name: string) => removed.some((regex) => regex.test(name.toLowerCase()))
  const own = [...IDENTITY_HEADERS, "Latchkey-Gate-Secret", ...ROUTING_HEADERS]
  for (const name of own.flatMap((one) => [one, one.replaceAll("-", "_"), one.replaceAll("-", ".")]))
    assert.ok(isRemoved(name), name)
  for (const name of ["x-envoy-original-path", "x-forwarded-host", "_x", "x y"])
    assert.ok(isRemoved(name), name)
  for (const name of [
    ":path",
    ":authority",
    "host",
    "authorization",
    "content-type",
    "x-request-id",
    "accept",
  ])
    assert.ok(!isRemoved(name), name)
})

test("PROXY-6: with a shared secret, Envoy adds it before the question and removes it before the app", () => {
  const names = filtersOf(true).map(({ name }) => String(name))
  assert.deepEqual(names, [
    "latchkey_remove",
    "latchkey_secret",
    AUTH,
    "latchkey_secret_removed",
    "envoy.filters.http.router",
  ])
  const mutation = (name: string) => at(filter(true, name), "mutations", "request_mutations", 0)
  assert.deepEqual(at(mutation("latchkey_secret"), "append", "header"), {
    key: "latchkey-gate-secret",
    value: "%ENVIRONMENT(LATCHKEY_GATE_SECRET)%",
  })
  assert.deepEqual(mutation("latchkey_secret_removed"), { remove: "latchkey-gate-secret" })
  const allowed = (secret: boolean) => at(filter(secret, AUTH), "allowed_headers", "patterns")
  assert.deepEqual(allowed(true), exact(["authorization", "latchkey-gate-secret"]))
  assert.deepEqual(allowed(false), exact(["authorization"]))
})

test("PROXY-1: each address is split at its port", () => {
  const addresses = parsed(false)?.["clusters"]?.map((one) =>
    at(one, "load_assignment", "endpoints", 0, "lb_endpoints", 0, "endpoint", "address", "socket_address"),
  )
  assert.deepEqual(addresses, [
    { address: "127.0.0.1", port_value: 8790 },
    { address: "app", port_value: 3000 },
  ])
})
