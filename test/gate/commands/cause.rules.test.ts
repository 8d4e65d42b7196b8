import { test } from "node:test"
import assert from "node:assert/strict"
import { causeText } from "../../../src/gate/commands/cause.rules.ts"

test("GATE-16, GATE-17 the innermost cause of a failed request is named", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:1")
  assert.equal(causeText(new TypeError("fetch failed", { cause: refused })), refused.message)
  const outer = new Error("outer", { cause: new TypeError("fetch failed", { cause: refused }) })
  assert.equal(causeText(outer), refused.message)
  assert.equal(causeText(new Error("fetch failed", { cause: "not an error" })), "fetch failed")
})

test("GATE-16, GATE-17 an error without a message is named by its code, else by its class", () => {
  // Node gives an error like this one if every address of a name refuses.
  assert.equal(causeText(Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" })), "ECONNREFUSED")
  assert.equal(causeText(Object.assign(new RangeError(""), { code: 7 })), "RangeError")
  assert.equal(causeText("aborted"), "aborted")
  assert.equal(causeText(undefined), "undefined")
})
