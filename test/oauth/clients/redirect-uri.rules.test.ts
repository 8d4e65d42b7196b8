import { test } from "node:test"
import assert from "node:assert/strict"
import type { MatchedRedirectUri } from "../../../src/kernel/ids.ts"
import {
  escapedForUrl,
  isLoopbackRedirect,
  matchRedirectUri,
  returnHost,
  withParameters,
} from "../../../src/oauth/clients/redirect-uri.rules.ts"

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

test("REDIR-2, REDIR-4 over http and over https, on loopback the port is left out on both sides", () => {
  for (const origin of ["http://127.0.0.1", "http://localhost", "https://127.0.0.1", "https://localhost"]) {
    const spellings = [`${origin}/cb`, `${origin}:1/cb`, `${origin}:443/cb`, `${origin}:65535/cb`]
    for (const registered of spellings) {
      for (const presented of spellings)
        assert.ok(matches(presented, registered), `${presented} ${registered}`)
    }
    assert.ok(matches(`${origin}:9`, origin))
    assert.ok(matches(`${origin}:9?x=1`, `${origin}?x=1`))
  }
})

test("REDIR-2, REDIR-4 on loopback everything but the port is compared", () => {
  const registered = "http://127.0.0.1/cb"
  const secure = "https://localhost/cb"
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
  const otherSecure = [
    "http://localhost:9/cb",
    "https://127.0.0.1:9/cb",
    "https://localhost:9",
    "https://localhost:9/cb/",
    "https://localhost:9/cb?x",
    "https://localhost:9/cb#",
    "https://LOCALHOST:9/cb",
    "HTTPS://localhost:9/cb",
    "https://localhost.:9/cb",
    "https://localhost.evil.example:9/cb",
    "https://localhost@evil.example:9/cb",
    "https://app.localhost:9/cb",
  ]
  for (const presented of otherSecure) assert.equal(matches(presented, secure), false, presented)
  assert.equal(matches("http://127.0.0.1", "http://127.0.0.1/"), false)
  assert.equal(matches("https://127.0.0.1", "https://127.0.0.1/"), false)
})

test("REDIR-2, REDIR-4 what follows the host is a valid port, or nothing matches", () => {
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
  const tails = ["80@evil.example", ":80", "80\\@evil.example", "80#", "80;", "80%2f"]
  for (const origin of ["http://127.0.0.1", "https://localhost"]) {
    for (const port of [...odd, ...tails])
      assert.equal(matches(`${origin}:${port}/cb`, `${origin}/cb`), false, port)
  }
})

test("REDIR-2 only the two hosts have the freedom, whatever else got into the list", () => {
  for (const [before, after] of [
    ["http://127.0.0.1", "@evil.example/cb"],
    ["http://localhost", ".evil.example/cb"],
    ["http://127x0.0.1", "/cb"],
    ["https://localhost", ".evil.example/cb"],
    ["http://localhost", "#/cb"],
  ]) {
    assert.equal(matches(`${before}:80${after}`, `${before}${after}`), false, `${before}${after}`)
  }
})

test("REDIR-1 the port of a host that is not loopback is compared", () => {
  assert.equal(matches("https://app.example:9/cb", "https://app.example/cb"), false)
  assert.equal(matches("https://app.example:443/cb", "https://app.example/cb"), false)
})

test("REDIR-4 the consent page recognizes a loopback address over http and https", () => {
  for (const uri of ["http://127.0.0.1:9/cb", "https://localhost/cb", "https://127.0.0.1:8443"])
    assert.equal(isLoopbackRedirect(matched(uri)), true, uri)
  for (const uri of ["https://app.example/cb", "https://localhost.example/", "com.example.app:/cb"])
    assert.equal(isLoopbackRedirect(matched(uri)), false, uri)
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

test("ERR-15 a value that is returned as it came adds nothing to the address but itself", () => {
  const returned = (raw: string) =>
    withParameters(matched("https://app.example/cb"), [["state", { encoded: escapedForUrl(raw) }]])
  for (const raw of ["%ff", "%zz", "%", "a+b=c", "%0D%0A", "!$'()*,;:@/?~"])
    assert.equal(returned(raw), `https://app.example/cb?state=${raw}`)
  assert.equal(
    returned('a&b#c<d>"e\\ \r\n%ff'),
    "https://app.example/cb?state=a%26b%23c%3Cd%3E%22e%5C%20%0D%0A%ff",
  )
})
