import { test } from "node:test"
import assert from "node:assert/strict"
import type { MatchedRedirectUri } from "../../src/core/brand.ts"
import {
  formActionSource,
  matchRedirectUri,
  returnHost,
  withParameters,
} from "../../src/core/redirect-uri.ts"

const matches = (presented: string, ...registered: readonly string[]): boolean =>
  matchRedirectUri(presented, registered) !== null

function matched(uri: string): MatchedRedirectUri {
  const found = matchRedirectUri(uri, [uri])
  assert.notEqual(found, null)
  return found ?? assert.fail()
}

test("REDIR-1, AUTH-4, AUTHZ-3 an address matches itself, and one registered address is enough", () => {
  for (const uri of [
    "https://app.example/cb",
    "com.example.app:/cb",
    "http://localhost/cb",
    "https://a.b/?x=1",
  ]) {
    assert.equal(matchRedirectUri(uri, ["https://other.example/", uri]), uri)
  }
  assert.equal(matches("https://app.example/cb"), false)
})

test("REDIR-1 no prefix, no wildcard, no other scheme, no other spelling", () => {
  const registered = "https://app.example/cb"
  const others = [
    "https://app.example/cb/",
    "https://app.example/cb?x=1",
    "https://app.example/cb#",
    "https://app.example/cb/../cb",
    "https://app.example/%63b",
    "https://app.example/CB",
    "https://app.example:443/cb",
    "https://APP.example/cb",
    "https://app.example./cb",
    "https://app.example.evil.example/cb",
    "https://app.example@evil.example/cb",
    "https://evil.example/app.example/cb",
    "https://app\u3002example/cb",
    "https:/app.example/cb",
    "https:\\\\app.example\\cb",
    "http://app.example/cb",
    "HTTPS://app.example/cb",
    " https://app.example/cb",
    "https://app.example/cb ",
    "https://app.example/cb\n",
    "https://app.example/c",
    "",
  ]
  for (const presented of others) assert.equal(matches(presented, registered), false, presented)
  assert.equal(matches("https://anything.example/cb", "https://*.example/cb"), false)
  assert.equal(matches("https://appXexample/cb", registered), false)
})

test("REDIR-2 on loopback the port is left out on both sides", () => {
  for (const host of ["127.0.0.1", "localhost"]) {
    const spellings = [`http://${host}/cb`, `http://${host}:1/cb`, `http://${host}:65535/cb`]
    for (const registered of spellings) {
      for (const presented of spellings)
        assert.ok(matches(presented, registered), `${presented} ${registered}`)
    }
  }
  assert.ok(matches("http://127.0.0.1:9", "http://127.0.0.1"))
  assert.ok(matches("http://127.0.0.1:9?x=1", "http://127.0.0.1?x=1"))
})

test("REDIR-2 on loopback everything but the port is compared", () => {
  const registered = "http://127.0.0.1/cb"
  const others = [
    "http://localhost/cb",
    "http://127.0.0.1:9",
    "http://127.0.0.1:9/",
    "http://127.0.0.1:9/cb/",
    "http://127.0.0.1:9/cb?x",
    "http://127.0.0.1:9/cb#",
    "https://127.0.0.1:9/cb",
    "HTTP://127.0.0.1:9/cb",
    "http://127.0.0.2:9/cb",
    "http://127.1:9/cb",
    "http://[::1]:9/cb",
    "http://localhost.:9/cb",
    "http://127.0.0.1.evil.example:9/cb",
    "http://127.0.0.1@evil.example:9/cb",
  ]
  for (const presented of others) assert.equal(matches(presented, registered), false, presented)
  assert.equal(matches("http://127.0.0.1", "http://127.0.0.1/"), false)
})

test("REDIR-2 what stands where a port would be is a port, or nothing matches", () => {
  const registered = "http://127.0.0.1/cb"
  const odd = [
    "",
    "0",
    "00080",
    "65536",
    "99999",
    "123456",
    "+80",
    "-1",
    "0x50",
    " 80",
    "80 ",
    "8o",
    "80:80",
    "٨٠",
  ]
  for (const port of odd) assert.equal(matches(`http://127.0.0.1:${port}/cb`, registered), false, port)
  for (const tail of ["80@evil.example", ":80", "80\\@evil.example", "80#", "80;", "80%2f"]) {
    assert.equal(matches(`http://127.0.0.1:${tail}/cb`, registered), false, tail)
  }
})

test("REDIR-2 only the two hosts have the freedom, whatever else got into the list", () => {
  for (const [before, after] of [
    ["http://127.0.0.1", "@evil.example/cb"],
    ["http://localhost", ".evil.example/cb"],
    ["http://127x0.0.1", "/cb"],
    ["http://localhost", "#/cb"],
  ]) {
    assert.equal(matches(`${before}:80${after}`, `${before}${after}`), false, `${before}${after}`)
  }
})

test("REDIR-2 https has no freedom of port, loopback or not", () => {
  assert.equal(matches("https://localhost:9/cb", "https://localhost/cb"), false)
  assert.equal(matches("https://app.example:9/cb", "https://app.example/cb"), false)
})

test("AUTHZ-9 the consent page names host and port, or the scheme with its colon", () => {
  const shown = [
    "https://app.example/cb?x=/@",
    "https://app.example:8443",
    "http://127.0.0.1:5000/cb",
    "app.example:/cb",
    "cursor://anysphere.retrieval/cb",
  ].map((uri) => returnHost(matched(uri)))
  assert.deepEqual(shown, ["app.example", "app.example:8443", "127.0.0.1:5000", "app.example:", "cursor:"])
})

test("CONSENT-2 the form may lead to the origin of the address, or to its scheme", () => {
  const sources = [
    "https://app.example/cb",
    "https://app.example:8443?x",
    "http://127.0.0.1:5000/cb",
    "com.example.App:/cb",
    "cursor://host/cb",
  ].map((uri) => formActionSource(matched(uri)))
  assert.deepEqual(sources, [
    "https://app.example",
    "https://app.example:8443",
    "http://127.0.0.1:5000",
    "com.example.App:",
    "cursor:",
  ])
})

test("AUTHZ-10 the answer comes after the address's own query", () => {
  const answer = [
    ["code", "lkc_1"],
    ["state", "a b"],
  ] as const
  assert.equal(withParameters(matched("https://a.b/cb"), answer), "https://a.b/cb?code=lkc_1&state=a%20b")
  assert.equal(
    withParameters(matched("https://a.b/cb?x=%20"), answer),
    "https://a.b/cb?x=%20&code=lkc_1&state=a%20b",
  )
  assert.equal(withParameters(matched("https://a.b/cb?"), answer), "https://a.b/cb?code=lkc_1&state=a%20b")
  assert.equal(
    withParameters(matched("https://a.b/cb?x&"), answer),
    "https://a.b/cb?x&code=lkc_1&state=a%20b",
  )
  assert.equal(withParameters(matched("https://a.b"), answer), "https://a.b?code=lkc_1&state=a%20b")
})

test("AUTHZ-4 whatever the state is, it comes back untouched and adds no parameter", () => {
  for (const state of [
    "&code=evil",
    "#x",
    "a=b",
    "%41",
    "+",
    "é€𝒳",
    "\r\nSet-Cookie: x",
    "!'()*~",
    '"<>',
    "\u0000",
  ]) {
    const uri = withParameters(matched("https://a.b/cb"), [["state", state]])
    assert.match(uri, /^https:\/\/a\.b\/cb\?state=[A-Za-z0-9%*._-]*$/)
    assert.deepEqual([...new URL(uri).searchParams], [["state", state]])
  }
})
