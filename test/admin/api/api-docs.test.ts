/** docs/api.md must list all operations with the permissions that they need. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { apiStatuses } from "../../../src/platform/http/api-error.ts"
import { operations } from "../../../src/admin/operations.ts"

const page = readFileSync(join(import.meta.dirname, "../../../docs/api.md"), "utf8")

test("API-8: docs/api.md has every operation, in the order of the table", () => {
  const written = page
    .replaceAll(/\n {2}(?=\S)/g, " ")
    .split("\n")
    .filter((line) => /^- `[A-Z]+ \/api/.test(line))
  const listed = operations.filter(({ path }) => !path.startsWith("/api/admin/apps"))
  const known = listed.map(({ method, path, needs, elevation, summary }) => {
    const names = (needs ?? []).map((name) => `\`${name}\``).join(", ")
    const needed = needs === null ? "nothing" : names === "" ? "any live token" : names
    const elevated = elevation === null ? "" : `; elevated ${elevation}`
    return `- \`${method} ${path}\` (${needed}${elevated}): ${summary}`
  })
  assert.deepEqual(written, known)
})

test("API-14: an administrator has the operations of `/api/apps`, as docs/api.md says in one line", () => {
  const below = (prefix: string) =>
    operations
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ method, path, elevation, summary }) => ({
        method,
        path: path.slice(prefix.length),
        elevation: elevation?.replace(/to give an app power(?: or )?/, "") || null,
        summary,
      }))
  assert.deepEqual(below("/api/admin/apps"), below("/api/apps"))
  assert.match(page, /^- `\/api\/admin\/apps…` \(`admin:apps`\): /m)
})

test("API-3: docs/api.md has every status", () => {
  const written = [...page.matchAll(/^- (\d{3}) (`[A-Z_]+`): /gm)].map(
    ([, code, status]) => `${status} ${code}`,
  )
  // The API itself has no rate limit for anonymous requests.
  const known = Object.entries(apiStatuses).filter(([status]) => status !== "RESOURCE_EXHAUSTED")
  assert.deepEqual(written.toSorted(), known.map(([status, code]) => `\`${status}\` ${code}`).toSorted())
})
