/** The shorter paths that some servers read: without a suffix, or up to a script. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readPath } from "../../../src/gate/routes/path.rules.ts"
import type { Reading } from "../../../src/gate/routes/readings.rules.ts"
import { readingsOfScripts, readingsWithoutSuffix } from "../../../src/gate/routes/suffix.rules.ts"
import { templateOf } from "./routes.ts"

function reading(path: string) {
  const read = readPath(path)
  return typeof read === "string" ? assert.fail(read) : read.reading
}

const text = ({ segments, trailingSlash }: Reading) => segments.join("/") + (trailingSlash ? "/" : "")
const withoutSuffix = (path: string, route: string) =>
  readingsWithoutSuffix(reading(path), templateOf(route)).map(text)
const scripts = (path: string, route: string) => readingsOfScripts(reading(path), templateOf(route)).map(text)

test("GATE-4 a suffix begins at the first dot or at the last", () => {
  assert.deepEqual(withoutSuffix("/users.json", "/{page}"), ["users"])
  assert.deepEqual(withoutSuffix("/a/users.tar.gz", "/a/{page}"), ["a/users", "a/users.tar"])
  assert.deepEqual(withoutSuffix("/users.json/", "/{page}/"), ["users/"])
  assert.deepEqual(withoutSuffix("/users.", "/{page}"), ["users"])
  assert.deepEqual(withoutSuffix("/users", "/{page}"), [])
})

test("GATE-4 a name that begins with a dot has no suffix there", () => {
  assert.deepEqual(withoutSuffix("/.env", "/{page}"), [])
  assert.deepEqual(withoutSuffix("/.env.json", "/{page}"), [".env"])
})

test("GATE-4 a segment that the route itself names has no suffix", () => {
  assert.deepEqual(withoutSuffix("/report.v1", "/report.v1"), [])
  assert.deepEqual(withoutSuffix("/report.v1", "/{page}"), ["report"])
  assert.deepEqual(withoutSuffix("/assets/app.js", "/assets/{file*}"), ["assets/app"])
})

test("GATE-4 a path can end at each script before its end", () => {
  assert.deepEqual(scripts("/admin.php/x/tool.php/y", "/{rest*}"), ["admin.php", "admin.php/x/tool.php"])
  assert.deepEqual(scripts("/admin.php/", "/{rest*}"), [], "a slash is no segment")
  assert.deepEqual(scripts("/admin.php/x/", "/{rest*}"), ["admin.php"])
  assert.deepEqual(scripts("/admin.php", "/{rest*}"), [], "the last segment is the path itself")
  assert.deepEqual(scripts("/admin/x", "/{rest*}"), [])
  assert.deepEqual(scripts("/.git/config", "/{rest*}"), [], "a leading dot makes no script")
  assert.deepEqual(scripts("/v1.0/users", "/v1.0/{rest*}"), [], "the route names the segment")
})

test("GATE-4 only the first eight segments are looked at, so that a long path takes little time", () => {
  const deep = (depth: number) => `/${"x/".repeat(depth)}admin.php/y`
  assert.deepEqual(scripts(deep(7), "/{rest*}"), [`${"x/".repeat(7)}admin.php`])
  assert.deepEqual(scripts(deep(8), "/{rest*}"), [])
})
