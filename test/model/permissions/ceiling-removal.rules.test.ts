import { test } from "node:test"
import assert from "node:assert/strict"
import { removalProblem } from "../../../src/model/permissions/ceiling-removal.rules.ts"
import { catalog, sampleCatalog } from "../../support/core-sample.ts"

const problem = (before: string, after: string) =>
  removalProblem(sampleCatalog, before.split(" "), after.split(" "))

test("CLIENT-9 a permission that another registered one implies stays, and the problem names that one", () => {
  assert.equal(
    problem("files:read workers:read", "files:read"),
    "workers:read cannot be removed: files:read implies it and stays registered. " +
      "Remove files:read as well, or keep workers:read.",
  )
})

test("CLIENT-9 removing both works, as does removing the one that implies", () => {
  assert.equal(problem("files:read workers:read", ""), null)
  assert.equal(problem("files:read workers:read account:read", "account:read"), null)
  assert.equal(problem("files:read workers:read", "workers:read"), null)
  assert.equal(problem("files:read", "files:read workers:read"), null)
})

test("CLIENT-9 every permission that implies it is named, also one that does so over another", () => {
  assert.equal(
    problem("files:read files:write workers:read", "files:read files:write"),
    "workers:read cannot be removed: files:read and files:write imply it and stay registered. " +
      "Remove files:read and files:write as well, or keep workers:read.",
  )
  assert.match(problem("files:write workers:read", "files:write") ?? "", /: files:write implies it/)
})

test("CLIENT-9 each name that cannot go has a line, in the catalog's order", () => {
  const lines = (problem("workers:read files:read files:write", "files:write") ?? "").split("\n")
  assert.deepEqual(
    lines.map((line) => line.split(" ")[0]),
    ["files:read", "workers:read"],
  )
})

test("CLIENT-9 one added in the same change counts as registered", () => {
  assert.match(problem("workers:read", "files:read") ?? "", /^workers:read cannot be removed: files:read/)
})

test("CLIENT-9 a name that left the catalog may always go", () => {
  assert.equal(removalProblem(catalog(), ["workers:read", "files:read"], ["files:read"]), null)
})
