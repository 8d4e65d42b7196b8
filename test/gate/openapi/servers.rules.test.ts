/** Under which paths of a host an OpenAPI document lies. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { basePathsOf } from "../../../src/gate/openapi/servers.rules.ts"

test("GATE-15 without servers, the base path is empty", () => {
  assert.deepEqual(basePathsOf(null, "api.example"), [""])
  assert.deepEqual(basePathsOf([], "api.example"), [""])
})

describe("GATE-15 a path and an address of the host count", () => {
  const cases = {
    "/": "",
    "/v1": "/v1",
    "/v1/": "/v1",
    "/v1/beta": "/v1/beta",
    "https://api.example": "",
    "https://API.example/": "",
    "https://api.example/v1/": "/v1",
    "http://api.example:8443/v1": "/v1",
    "//api.example/v1": "/v1",
  }
  for (const [url, base] of Object.entries(cases))
    test(url, () => assert.deepEqual(basePathsOf([url], "api.example"), [base]))
})

describe("GATE-15 another URL does not count", () => {
  for (const url of [
    "",
    "v1",
    "./v1",
    "../v1",
    "https://other.example/v1",
    "https://api.example.org/v1",
    "https://api.example@other.example/v1",
    "https://user@api.example/v1",
    "https://{region}.example/v1",
    "https://api.example/{version}",
    "/{version}",
    "/v1?x=1",
    "/v1#x",
    "ftp://api.example/v1",
    "https:///v1",
    "///api.example",
  ])
    test(url, () => assert.deepEqual(basePathsOf([url], "api.example"), []))
})

test("GATE-15 every URL of the host counts, once", () => {
  const urls = ["https://other.example/x", "/v1", "https://api.example/v1/", "https://api.example/v2"]
  assert.deepEqual(basePathsOf(urls, "api.example"), ["/v1", "/v2"])
})
