/** No document lets a request through with less than an operation needs that the app could mean. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { importing } from "./openapi.ts"

type Operation = { readonly path: string; readonly method: string; readonly needs: string | null }

const segment = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "b", "{x}") },
  { weight: 1, arbitrary: fc.constantFrom("a.json", "{x}.json", "{x}:go", "a{x}", "{x*}") },
)
const operation = fc.record({
  path: fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join("/")}`),
  method: fc.constantFrom("get", "get", "head", "post"),
  needs: fc.constantFrom("p", "q", "public", null),
})
const request = fc.record({
  method: fc.constantFrom("GET", "GET", "HEAD", "POST"),
  segments: fc.array(fc.constantFrom("a", "a", "b", "b", "c", "a.json", "c.json", "a:go", "A"), {
    minLength: 1,
    maxLength: 3,
  }),
  slash: fc.constantFrom(false, false, false, true),
})

const SECURITY: Readonly<Record<string, string>> = {
  p: "[{ oauth: [p] }]",
  q: "[{ oauth: [q] }]",
  public: "[]",
}

function documentOf(operations: readonly Operation[]): string {
  const paths = Map.groupBy(operations, ({ path }) => path)
  const items = [...paths].map(([path, own]) => {
    const lines = own.map(
      ({ method, needs }) =>
        `    ${method}: { security: ${needs === null ? "[{ key: [] }]" : SECURITY[needs]} }`,
    )
    return `  "${path}":\n${lines.join("\n")}`
  })
  return `paths:\n${items.join("\n")}\n`
}

/** The first operation of a path and method. A document cannot have two. */
function unique(operations: readonly Operation[]): readonly Operation[] {
  const keys = operations.map(({ path, method }) => `${method} ${path}`)
  return operations.filter((_, at) => keys.indexOf(keys[at] ?? "") === at)
}

/** Whether an app that ignores case and a trailing slash could take the request for this operation. */
function couldMean({ path }: Operation, target: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&")
  const pattern = path
    .replace(/\/$/, "")
    .split(/(\{[^}]*\})/)
    .map((part) => (part === "{x}" ? "[^/]+" : part === "{x*}" ? ".+" : literal(part)))
  return new RegExp(`^${pattern.join("")}$`, "i").test(target.replace(/\/$/, ""))
}

/** OpenAPI: "concrete (non-templated) paths would be matched before their templated counterparts". */
function isMoreSpecific(one: Operation, other: Operation): boolean {
  const [segments, others] = [one.path.split("/"), other.path.split("/")]
  return (
    one.path !== other.path &&
    segments.length === others.length &&
    segments.every((text, at) => text === others[at] || (others[at] === "{x}" && !text.includes("{")))
  )
}

test("GATE-15 an operation that the app could mean never needs more than the gate asked for", () => {
  let passed = 0
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 1, maxLength: 6 }),
      fc.array(request, { minLength: 8, maxLength: 8 }),
      (drawn, requests) => {
        const operations = unique(drawn)
        const { ask, problems } = importing(documentOf(operations))
        if (problems.length > 0) return
        for (const { method, segments, slash } of requests) {
          const target = `/${segments.join("/")}${slash ? "/" : ""}`
          const answer = ask(method, target)
          if (["undeclared", "closed", "ambiguous", "refusedPath", "notAllowed"].includes(answer)) continue
          passed++
          const matching = operations.filter((one) => couldMean(one, target))
          const meant = meantBy(matching, method)
          assert.ok(meant.length > 0, `${method} ${target} has no operation`)
          for (const one of meant)
            assert.equal(one.needs, answer, `${method} ${target} could be ${one.method} ${one.path}`)
        }
      },
    ),
    { numRuns: 3_000 },
  )
  assert.ok(passed > 1_000, `only ${passed} requests passed`)
})

/** HEAD is that of GET where a path has none. Less specific paths are not meant. */
function meantBy(matching: readonly Operation[], method: string): readonly Operation[] {
  const own = matching.filter((one) => one.method.toUpperCase() === method)
  const byGet = matching.filter(
    (one) => method === "HEAD" && one.method === "get" && !own.some(({ path }) => path === one.path),
  )
  const all = [...own, ...byGet]
  return all.filter((one) => !all.some((other) => isMoreSpecific(other, one)))
}
