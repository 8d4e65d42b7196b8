import { test } from "node:test"
import assert from "node:assert/strict"
import { descriptionOf } from "../../../src/model/refusals/description.rules.ts"

test("ERR-4 a description names the parameter that is missing, and no text of the request", () => {
  const missing = { reason: "parameterMissing", parameter: "state" } as const
  assert.equal(descriptionOf(missing), "A required parameter is missing: state.")
  const repeated = { reason: "parameterRepeated", parameter: "from_the_request" } as const
  assert.equal(descriptionOf(repeated), "A parameter is given more than once.")
})

test("ERR-4 a description says where a form is malformed, and names only parameters that it knows", () => {
  const broken = (parameter: string, isSpace = false) =>
    descriptionOf({ reason: "bodyNotForm", place: 8, parameter, isSpace })
  assert.match(broken("scope"), /: character 8, in scope, is not encoded correctly\.$/)
  assert.match(broken("from_the_request"), /: character 8 is not encoded correctly\.$/)
  assert.match(broken("scope", true), / A form encodes a space as \+ or %20\.$/)
  assert.doesNotMatch(descriptionOf({ reason: "bodyNotForm" }), /character/)
})
