import { test } from "node:test"
import assert from "node:assert/strict"
import { hostName } from "../../../src/gate/routes/host.rules.ts"

test("GATE-3 a host is compared in lower case and without its port", () => {
  const names: Readonly<Record<string, string>> = {
    "api.example": "api.example",
    "API.Example": "api.example",
    "api.example:8443": "api.example",
    "api.example:0": "api.example",
    "api_1.example": "api_1.example",
    "192.0.2.1:80": "192.0.2.1",
    "[2001:DB8::1]": "[2001:db8::1]",
    "[::ffff:192.0.2.1]:443": "[::ffff:192.0.2.1]",
  }
  for (const [text, name] of Object.entries(names)) assert.equal(hostName(text), name, text)
})

test("GATE-5 a text that is not one host has no name, so no route can match", () => {
  for (const text of [
    "",
    ":443",
    "api.example:",
    "api.example:123456",
    "api.example:-1",
    "api.example:80:80",
    "api.example:80x",
    "api.example/",
    "api.example,other.example",
    "user@api.example",
    " api.example",
    "api.example ",
    "api.example\n",
    "2001:db8::1",
    "[2001:db8::1",
    "[]",
    "[x]",
    "bücher.example",
  ])
    assert.equal(hostName(text), null, JSON.stringify(text))
})
