/** Tests the choice of a route with a hostile generator. No server behind the gate may read a path as another route. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { findRoute, routeTable } from "../../../src/gate/routes/match.rules.ts"
import { route } from "./routes.ts"
import { routeOf, SERVERS } from "./servers.ts"

const routes = [
  "/admin",
  "/admin/users",
  "/users/{id}",
  "/users/{id}/keys",
  "/public/{file*}",
  "/{page}",
].map((text) => route(text))
const table = routeTable(routes)

const odd = [
  "%2e",
  "%2E%2e",
  ".",
  "..",
  "%2f",
  "%2F",
  "%5c",
  "\\",
  ";",
  ";a=b",
  "%3b",
  "//",
  "%00",
  "%252e",
  "%252f",
  "%3f",
  ".json",
  ".a.b",
  "%23",
  "%3F",
  "%20",
  "+",
  ".%3f",
  "..%23",
  "..%20",
  "%c2%ad",
  "%C5%BF",
  "%C4%B1",
  "%25",
  "%25ff",
  "%25zz",
  "%EF%BC%85",
  "%EF%BC%8561",
  "%25EF%25BC%2585",
  "%EF%BC%8F",
  "%EF%BC%9F",
  "%25EF%25BC%259F",
  "%25u0061",
]

type Writing = (letter: string) => string

const hex = (letter: string) => letter.charCodeAt(0).toString(16)
const twice: Writing = (letter) => `%25${hex(letter)}`
const writings = fc.constantFrom<Writing>(
  (letter) => letter,
  (letter) => `%${hex(letter)}`,
  (letter) => letter.toUpperCase(),
  twice,
)

function withLetter(word: string, at: number, write: Writing): string {
  const index = at % word.length
  return word.slice(0, index) + write(word.charAt(index)) + word.slice(index + 1)
}

/** Up to nine words, slashes and odd pieces. */
const word = fc
  .tuple(fc.constantFrom("admin", "users", "keys", "public", "42", "x"), fc.nat(7), writings)
  .map(([text, at, write]) => withLetter(text, at, write))
const piece = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 6, arbitrary: fc.constant("/") },
  { weight: 2, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.constantFrom("?", "?/admin", "#", "é", "%c3%a9", "ａ", "%ef%bd%81") },
)
const anyPath = fc.array(piece, { maxLength: 9 }).map((pieces) => `/${pieces.join("")}`)

/** A path of a route with one letter that is encoded twice, and odd pieces at the end. */
const pathEncodedTwice = fc
  .tuple(
    fc.constantFrom("/admin", "/admin/users", "/users/42/keys", "/public/x"),
    fc.nat(20),
    fc.array(fc.constantFrom(...odd), { minLength: 1, maxLength: 3 }),
  )
  .map(([path, at, pieces]) => `/${withLetter(path.slice(1), at, twice)}${pieces.join("")}`)

for (const { name, path, least } of [
  { name: "whatever a client sends", path: anyPath, least: 1000 },
  { name: "whatever follows a letter that is encoded twice", path: pathEncodedTwice, least: 100 },
])
  test(`GATE-4 ${name}, no server behind the gate reads it as another route`, () => {
    let passed = 0
    fc.assert(
      fc.property(path, (target) => {
        const result = findRoute(table, "GET", target)
        if (result.found !== "route") return
        passed++
        for (const [server, read] of Object.entries(SERVERS)) {
          const there = routeOf(read(target), routes)
          assert.ok(there === null || there === result.route.text, `${server} reads ${target} as ${there}`)
        }
      }),
      { numRuns: 20_000 },
    )
    assert.ok(passed > least, `only ${passed} paths passed`)
  })
