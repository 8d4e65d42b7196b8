import { test } from "node:test"
import assert from "node:assert/strict"
import { OPENAPI_METHODS } from "../../../src/gate/openapi/document.rules.ts"
import { importing, op, problemsOf, HEAD } from "./openapi.ts"

test("GATE-15 a path item has the eight methods of OpenAPI, in lower case, and no other", () => {
  const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
  assert.deepEqual(
    OPENAPI_METHODS.map((method) => method.toLowerCase()),
    methods,
  )
  const lines = methods.map((method) => `    ${method}: ${op(method)}\n`)
  const { ask, problems } = importing(`paths:\n  /a:\n${lines.join("")}`)
  assert.deepEqual(problems, [])
  for (const method of methods) assert.equal(ask(method.toUpperCase(), "/a"), method)
  for (const other of ["connect", "query", "GET", "Get"])
    assert.deepEqual(problemsOf(`${HEAD}paths:\n  /a:\n    ${other}: {}`), [`8: /a: "${other}" is not known`])
})
