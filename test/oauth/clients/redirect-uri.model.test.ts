/** Tests redirect URIs with a hostile generator. A browser must read a matching URI as the same place. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { matchRedirectUri, withParameters } from "../../../src/oauth/clients/redirect-uri.rules.ts"
import { registerableRedirectUri } from "../../../src/model/clients/redirect-registration.rules.ts"

const port = fc.option(fc.constantFrom("1", "80", "8080", "65535"), { nil: "" })
const place = fc.constantFrom(
  "",
  "/",
  "/cb",
  "/cb/",
  "/a/b?x=1",
  "?x=1",
  "/@x",
  "/cb?next=http://127.0.0.1:1/",
)
const origin = fc.constantFrom(
  "http://127.0.0.1",
  "http://localhost",
  "https://127.0.0.1",
  "https://localhost",
  "https://app.example",
  "com.example.app:",
)
const address = fc
  .tuple(origin, port, place)
  .map(([base, number, rest]) => `${base}${number === "" || base.endsWith(":") ? "" : `:${number}`}${rest}`)
  .filter((uri) => registerableRedirectUri(uri, "public", "any").ok)

const PIECES = [
  "@", "@evil.example", "evil.example", ".evil.example", "#", "#x", "?", "/", "//", "\\", "/..", "/.", "/..;/", ":", ":80",
  ":080", ":0", ":65536", ":1e1", "%2f", "%2F..", "%5c", "%00", "%0d%0a", "%2e%2e", "\u3002", "\uff0e", "\u2024", "é", " ", "\t", "\n", "\u0000",
  "*", "[::1]", "127.0.0.1", "127.1", "0x7f.1", "localhost", "LOCALHOST", "http:", "https:", "&", ";", "x", "code=1",
] // prettier-ignore

/** One of many changes to a registered URI. */
const mutation: fc.Arbitrary<(uri: string) => string> = fc.oneof(
  fc.tuple(fc.constantFrom(...PIECES), fc.nat(60)).map(
    ([piece, at]) =>
      (uri: string) =>
        uri.slice(0, at % (uri.length + 1)) + piece + uri.slice(at % (uri.length + 1)),
  ),
  fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 8 })).map(
    ([at, length]) =>
      (uri: string) =>
        uri.slice(0, at % uri.length) + uri.slice((at % uri.length) + length),
  ),
  fc.nat(60).map((at) => (uri: string) => {
    const character = uri[at % uri.length] ?? ""
    const turned = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
    return uri.slice(0, at % uri.length) + turned + uri.slice((at % uri.length) + 1)
  }),
  fc.nat(60).map((at) => (uri: string) => {
    const code = uri.charCodeAt(at % uri.length).toString(16)
    return `${uri.slice(0, at % uri.length)}%${code}${uri.slice((at % uri.length) + 1)}`
  }),
  fc.constant((uri: string) => uri.replace(/^(https?:..[^:/?]+)(:\d+)?/, "$1:4321")),
  fc.constantFrom(
    (uri: string) => uri.replace("127.0.0.1", "localhost"),
    (uri: string) => uri.replace("http:", "https:"),
    (uri: string) => uri.replace("://", "://user:pass@"),
    (uri: string) => uri.replace("://", ":\\\\"),
  ),
)
const hostile = fc.tuple(address, fc.array(mutation, { maxLength: 3 })).map(([uri, mutations]) => ({
  registered: uri,
  presented: mutations.reduce((text, mutate) => (text === "" ? "/" : mutate(text)), uri),
}))

/**
 * Implements the rule again without a pattern. Returns what is left of a loopback URI after its port is removed by
 * hand.
 */
function afterLoopback(uri: string): string | null {
  const origins = ["http://127.0.0.1", "http://localhost", "https://127.0.0.1", "https://localhost"]
  const base = origins.find((start) => uri.startsWith(start))
  if (base === undefined) return null
  let rest = uri.slice(base.length)
  if (rest.startsWith(":")) {
    let digits = ""
    while ("0123456789".includes(rest[digits.length + 1] ?? "-")) digits += rest[digits.length + 1]
    const number = Number(digits)
    if (digits !== String(number) || number < 1 || number > 65535) return null
    rest = rest.slice(1 + digits.length)
  }
  return rest === "" || rest.startsWith("/") || rest.startsWith("?") ? base + rest : null
}

test("REDIR-1, REDIR-2, REDIR-4 only an equal address matches, or one that differs in its loopback port alone", () => {
  const seen = { equal: 0, port: 0, refused: 0 }
  fc.assert(
    fc.property(hostile, ({ registered, presented }) => {
      const isSame = presented === registered
      const portless = afterLoopback(presented)
      const differsInPort = portless !== null && portless === afterLoopback(registered)
      assert.equal(matchRedirectUri(presented, [registered]) !== null, isSame || differsInPort)
      seen[isSame ? "equal" : differsInPort ? "port" : "refused"]++
    }),
    { numRuns: 20_000, seed: 1 },
  )
  for (const [kind, count] of Object.entries(seen)) assert.ok(count > 200, `${kind}: ${count}`)
})

test("REDIR-1, REDIR-2, REDIR-4, AUTH-4 a browser goes where the registered address says, the loopback port aside", () => {
  fc.assert(
    fc.property(hostile, ({ registered, presented }) => {
      if (matchRedirectUri(presented, [registered]) === null) return
      const [there, meant] = [new URL(presented), new URL(registered)]
      for (const part of [
        "protocol",
        "hostname",
        "pathname",
        "search",
        "hash",
        "username",
        "password",
      ] as const) {
        assert.equal(there[part], meant[part])
      }
    }),
    { numRuns: 20_000, seed: 2 },
  )
})

test("CLIENT-6 what may be registered has one reading: a browser changes nothing in it", () => {
  let registered = 0
  fc.assert(
    fc.property(hostile, ({ presented }) => {
      if (!registerableRedirectUri(presented, "public", "any").ok) return
      registered++
      const url = new URL(presented)
      assert.deepEqual([url.username, url.password, url.hash], ["", "", ""])
      if (!/^https?:/.test(presented)) return
      const authority = presented.slice(url.protocol.length + 2).split(/[/?]/, 1)[0] ?? ""
      const standardPort = url.protocol === "https:" ? ":443" : ":80"
      assert.equal(url.host, authority.toLowerCase().replace(new RegExp(`${standardPort}$`), ""))
      const tail = presented.slice(url.protocol.length + 2 + authority.length)
      const isRooted = tail.startsWith("/")
      assert.equal(url.pathname + url.search, `${isRooted ? "" : "/"}${tail}`.replace(/^([^?]*)\?$/, "$1"))
      const loopback = ["127.0.0.1", "localhost"].includes(url.hostname)
      assert.ok(url.protocol === "https:" || loopback)
    }),
    { numRuns: 20_000, seed: 3 },
  )
  assert.ok(registered > 1000, `${registered}`)
})

test("CONSENT-2, AUTHZ-10 the policy names where the answer goes, and the answer adds its parameters only", () => {
  fc.assert(
    fc.property(address, fc.string({ unit: "binary" }), (uri, state) => {
      fc.pre(state.isWellFormed())
      const matched = matchRedirectUri(uri, [uri]) ?? assert.fail()
      const answer = withParameters(matched, [
        ["code", "c"],
        ["state", state],
      ])
      const [there, meant] = [new URL(answer), new URL(uri)]
      assert.equal(there.origin, meant.origin)
      assert.equal(there.pathname, meant.pathname)
      assert.deepEqual([...there.searchParams], [...meant.searchParams, ["code", "c"], ["state", state]])
    }),
    { numRuns: 2000 },
  )
})
