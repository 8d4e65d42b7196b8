import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { parseHttpsUrl, URL_BYTES_AT_MOST } from "../../src/kernel/https-url.ts"

const GOOD = [
  "https://claude.ai/oauth/claude-code-client-metadata",
  "https://app.example.com:8443/client.json",
  "https://app.example.com/",
  "https://app.example.com/a;b=c/d,e@f:g/%41?x=y&z[0]=1".replace("[0]", "%5B0%5D"),
  "https://localhost:4444/client.json",
  "https://intranet/client.json",
  "https://xn--bcher-kva.example/c",
  "https://app.example.com/...",
]

/** The reason for each refusal. It is compared with the last words of the problem. */
const BAD: readonly (readonly [url: string, problem: RegExp])[] = [
  ["http://app.example.com/c", /begin with https/],
  ["HTTPS://app.example.com/c", /begin with https/],
  ["https:/app.example.com/c", /begin with https/],
  ["//app.example.com/c", /begin with https/],
  ["", /begin with https/],
  ["https://app.example.com", /no path/],
  ["https://app.example.com?x", /no path/],
  ["https://app.example.com/c#", /fragment/],
  ["https://app.example.com/c#x", /fragment/],
  ["https://user@app.example.com/c", /user information/],
  ["https://user:pass@app.example.com/c", /user information/],
  ["https:///c", /host name/],
  ["https://app.example.com./c", /host name/],
  ["https://app..example.com/c", /host name/],
  ["https://-app.example.com/c", /host name/],
  ["https://app%2eexample.com/c", /host name/],
  ["https://[::1]/c", /host name|port/],
  ["https://[2606:4700::1]:443/c", /host name|port/],
  ["https://App.example.com/c", /lower case/],
  ["https://127.0.0.1/c", /an address/],
  ["https://127.1/c", /an address/],
  ["https://2130706433/c", /an address/],
  ["https://0x7f.1/c", /an address/],
  ["https://8.8.8.8:8443/c", /an address/],
  ["https://app.example.com:443/c", /443/],
  ["https://app.example.com:/c", /port/],
  ["https://app.example.com:0/c", /port/],
  ["https://app.example.com:65536/c", /port/],
  ["https://app.example.com:08/c", /port/],
  ["https://app.example.com/a/../c", /dots/],
  ["https://app.example.com/./c", /dots/],
  ["https://app.example.com/%2e%2E/c", /dots/],
  ["https://app.example.com/.%2e", /dots/],
  ["https://app.example.com\\c", /malformed|host name/],
  ["https://app.example.com/a\\c", /percent-encoded|malformed/],
  ["https://app.example.com/a b", /space/],
  ["https://app.example.com/a\tb", /control/],
  ["https://app.example.com/c\n", /control/],
  ["https://büro.example/c", /ASCII/],
  ["https://app.example.com/%zz", /percent-encoded/],
  ["https://app.example.com/<c>", /percent-encoded/],
  ["https://app.example.com/c?it's", /percent-encoded/],
  [`https://app.example.com/${"a".repeat(URL_BYTES_AT_MOST)}`, /longer/],
]

test("OUT-1 a URL with a host name and a path is accepted, in its parts", () => {
  for (const url of GOOD) assert.ok(parseHttpsUrl(url).ok, url)
  assert.deepEqual(parseHttpsUrl("https://a.example:8443/c?d=/e"), {
    ok: true,
    value: { host: "a.example", port: 8443, path: "/c?d=/e", origin: "https://a.example:8443" },
  })
})

for (const [url, problem] of BAD)
  test(`OUT-1 refused: ${JSON.stringify(url.slice(0, 60))}`, () => {
    const parsed = parseHttpsUrl(url)
    assert.ok(!parsed.ok)
    assert.match(parsed.error, problem)
  })

test("OUT-1 what is accepted reads the same for the URL parser", () => {
  const part = fc.stringMatching(/^[\x20-\x7e]{0,12}$/)
  const near = fc
    .tuple(
      fc.constantFrom("a.example", "a.b", "127.1", "A.b", "a.0x1"),
      fc.constantFrom("", ":1", ":443", ":"),
      part,
      part,
    )
    .map(([host, port, path, query]) => `https://${host}${port}/${path}${query}`)
  fc.assert(
    fc.property(near, (text) => {
      const parsed = parseHttpsUrl(text)
      if (!parsed.ok) return
      const url = new URL(text)
      assert.equal(url.href, text)
      assert.equal(url.hostname, parsed.value.host)
      assert.equal(url.href.slice(url.origin.length), parsed.value.path)
    }),
    { numRuns: 3000 },
  )
})
