import assert from "node:assert/strict"
import { test } from "node:test"
import {
  identifierOf,
  lines,
  optionProblem,
  ROUTING_HEADERS,
} from "../../../src/gate/snippets/snippet.rules.ts"
import { OPTIONS } from "./options.ts"

test("an option that would change the configuration around it is refused", () => {
  assert.equal(optionProblem(OPTIONS), null)
  for (const gate of [
    "",
    "8790",
    "gate",
    "gate:0",
    "gate:70000",
    "gate:80;",
    "a b:80",
    "http://gate:80",
    "gate:80\n",
  ])
    assert.match(optionProblem({ ...OPTIONS, gate }) ?? "", /^--gate/, gate)
  for (const app of ["app", "app:3000 {", "app:3000/x"])
    assert.match(optionProblem({ ...OPTIONS, app }) ?? "", /^--app/)
  for (const host of ["", "API.example", "a.example;", "*.example", "a..b", "-a", "a{b}", 'a"'])
    assert.match(optionProblem({ ...OPTIONS, host }) ?? "", /^--host/, host)
})

test("PROXY-1: the longest host and the last port are allowed, and nothing beside them", () => {
  for (const address of ["a:1", "localhost:65535", "127.0.0.1:8790", "a-b.example:80"])
    assert.equal(optionProblem({ ...OPTIONS, gate: address, app: address }), null, address)
  for (const address of ["a:65536", "a:00080", "a:+80", "A:80", "[::1]:80", "a:80:80", "a_b:80", ":80"])
    assert.match(optionProblem({ ...OPTIONS, app: address }) ?? "", /^--app must be HOST:PORT/, address)
  for (const host of ["a", "a.b", "1.2.3.4", "xn--bcher-kva.example"])
    assert.equal(optionProblem({ ...OPTIONS, host }), null, host)
  for (const host of ["a.", ".a", "a-", "a.-b", "a:443", "a_b", "bücher.example", "a\n"])
    assert.match(optionProblem({ ...OPTIONS, host }) ?? "", /^--host must be a host name in lower case/, host)
})

test("PROXY-1: a host becomes a name that every configuration accepts", () => {
  assert.equal(identifierOf("api-1.example.org"), "api_1_example_org")
  assert.equal(identifierOf("a"), "a")
})

test("PROXY-1: a line is written for each name", () => {
  assert.equal(
    lines(["a", "b"], (name) => `  - ${name}`),
    "  - a\n  - b",
  )
  assert.equal(lines([], String), "")
})

test("PROXY-4: the headers that name another path, method or host are listed once, those of every family too", () => {
  const names = ROUTING_HEADERS.map((name) => name.toLowerCase())
  assert.equal(new Set(names).size, names.length)
  for (const name of [
    "x-original-method",
    "x-original-uri",
    "x-original-host",
    "x-forwarded-method",
    "x-forwarded-uri",
  ])
    assert.ok(names.includes(name), name)
})
