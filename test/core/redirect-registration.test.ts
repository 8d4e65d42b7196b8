import { test } from "node:test"
import assert from "node:assert/strict"
import { registerableRedirectUri } from "../../src/core/redirect-registration.ts"
import type { ClientType } from "../../src/core/client.ts"

/** The problem with an address; null where it may be registered. */
function problem(uri: string, type: ClientType = "public"): string | null {
  const checked = registerableRedirectUri(uri, type)
  return checked.ok ? null : checked.problem
}

function allRefused(uris: readonly string[], why: RegExp): void {
  for (const uri of uris) assert.match(problem(uri) ?? "registered", why, JSON.stringify(uri))
}

test("CLIENT-6 https with a host may be registered, by both types of app", () => {
  const good = [
    "https://app.example/cb",
    "https://app.example",
    "https://app.example/",
    "https://app.example:8443/cb?tenant=a%20b&x",
    "https://app.example?x=1",
    "https://xn--bcher-kva.example/cb",
    "https://App.Example/cb",
    "https://intranet/cb",
    "https://my_host.example/cb",
    "https://10.0.0.5/cb",
    "https://localhost:3000/cb",
    "https://127.0.0.1/cb",
    "https://app.example/@me/a:b;c=d/..x/.well-known/x.",
    "https://app.example/cb?next=/../x",
  ]
  for (const type of ["public", "confidential"] as const) {
    for (const uri of good) assert.equal(problem(uri, type), null, uri)
  }
})

test("CLIENT-6 http is for 127.0.0.1 and localhost only", () => {
  for (const uri of ["http://127.0.0.1/cb", "http://localhost:3000", "http://127.0.0.1:65535/?x"]) {
    assert.equal(problem(uri), null, uri)
    assert.equal(problem(uri, "confidential"), null, uri)
  }
  allRefused(
    ["http://app.example/cb", "http://10.0.0.5/cb", "http://intranet"],
    /^Only loopback may use http/,
  )
})

test("REDIR-3 an IPv6 literal is refused, and told why", () => {
  const literals = ["http://[::1]/cb", "http://[::1]:80/cb", "https://[::1]", "https://[2001:db8::1]/cb"]
  allRefused(
    [...literals, "http://[::ffff:127.0.0.1]/", "http://[0:0:0:0:0:0:0:1]/"],
    /IPv6 literal.*127\.0\.0\.1/,
  )
  assert.notEqual(problem("https://app.example/[x]"), null)
})

test("CLIENT-6 every other spelling of loopback is refused", () => {
  const spellings = ["LOCALHOST", "Localhost", "app.localhost", "localhost.localdomain", "ip6-localhost"]
  const numbers = ["127.0.0.2", "127.255.255.255", "0.0.0.0"]
  for (const host of [...spellings, ...numbers]) {
    for (const scheme of ["http", "https"]) {
      assert.match(problem(`${scheme}://${host}/cb`) ?? "registered", /^Loopback is written/, host)
    }
  }
  for (const host of [
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "0x7f000001",
    "127.0.0.01",
    "1.2.3.4.5",
  ]) {
    assert.match(problem(`http://${host}/cb`) ?? "registered", /^An IPv4 address is written/, host)
  }
  for (const host of ["127.0.0.1.", "localhost.", "%6cocalhost", "127%2e0.0.1"]) {
    assert.match(problem(`http://${host}/cb`) ?? "registered", /^The host is not a plain/, host)
  }
})

test("CLIENT-6 private-use schemes are for public apps, with or without an authority", () => {
  for (const uri of [
    "com.example.app:/cb",
    "com.example.App:/cb",
    "cursor://host/cb",
    "app://",
    "a+b-c.d:///x?y",
  ]) {
    assert.equal(problem(uri), null, uri)
    assert.match(problem(uri, "confidential") ?? "registered", /^A confidential app is a server/, uri)
  }
})

test("CLIENT-6 what only looks like a private-use scheme is refused", () => {
  allRefused(["localhost:8080/cb", "app.example:443/cb", "myapp:cb", "myapp:", "myapp:?x"], /comes a slash/)
  allRefused(
    ["app://:80/cb", "app://h:/cb", "app://h:x/cb", "app://a,b/cb", "app://a%2fb/cb"],
    /not a plain host/,
  )
  allRefused(["/cb", "//app.example/cb", "app.example/cb", "1app:/cb", ":/cb", "cb"], /not absolute/)
})

test("CLIENT-6 schemes that belong to no app are refused in any case", () => {
  const schemes =
    "javascript data vbscript file blob about view-source filesystem chrome ws ftp mailto intent urn"
  for (const scheme of schemes.split(" ")) {
    allRefused([`${scheme}:/x`, `${scheme.toUpperCase()}://x/y`], /not an app's/)
  }
  allRefused(["JavaScript:/*x*/alert(1)".replaceAll("*", "-"), "urn:ietf:wg:oauth:2.0:oob"], /not an app's/)
})

test("CLIENT-6 odd characters are refused", () => {
  allRefused(
    ["https://a.b/c d", "https://a.b/\t", "https://a.b/\r\n", "https://a.b/\u0000", " https://a.b/"],
    /control/,
  )
  allRefused(
    ["https://a.b/é", "https://a\u3002b/", "https://аpp.example/", "\ufeffhttps://a.b/"],
    /outside ASCII/,
  )
  allRefused(["https://a.b\\@evil.example/", "https:\\\\a.b\\cb", "app:/\\x"], /backslash/)
  allRefused(["https://a.b/%", "https://a.b/%4", "https://a.b/%zz"], /percent sign/)
  allRefused(["https://a.b/%00", "https://a.b/%0d%0aX", "https://a.b/%1F", "app:/%7f"], /encoded control/)
  allRefused(
    ['https://a.b/"', "https://a.b/<x>", "https://a.b/{x}", "https://a.b/`", "https://a.b/^|"],
    /percent-enc/,
  )
})

test("CLIENT-6 fragments, wildcards and user information are refused", () => {
  allRefused(["https://a.b/#", "https://a.b#x", "app:/cb#", "https://a.b/cb?#"], /fragment/)
  allRefused(["https://*.a.b/", "https://a.b/*", "*://a.b/", "https://a.b/?x=*"], /wildcard/)
  allRefused(
    ["https://u@a.b/", "https://u:p@a.b/", "https://@a.b/", "https://a.b:1@c.d@e.f/", "app://u@h/x"],
    /user inf/,
  )
})

test("CLIENT-6 dot segments are refused, encoded ones and those with path parameters too", () => {
  const paths = [
    "..",
    ".",
    "x/..",
    "x/../y",
    "%2e%2e/x",
    ".%2E",
    "x/..;/y",
    "..%3bx",
    "x%2f..%2fy",
    "x%5c..%5cy",
  ]
  allRefused(
    paths.flatMap((path) => [`https://a.b/${path}`, `http://localhost/${path}?q`, `app:/${path}`]),
    /dots/,
  )
})

test("CLIENT-6 a query must not hold a name that the answer brings", () => {
  for (const name of [
    "code",
    "state",
    "iss",
    "error",
    "error_description",
    "error_uri",
    "%63ode",
    "st%61te",
  ]) {
    allRefused(
      [`https://a.b/?${name}=1`, `https://a.b/cb?x=1&${name}`, `app:/cb?x;${name}=1`],
      /the answer will bring/,
    )
  }
  for (const name of ["codes", "Code", "x%26code", "my_state"])
    assert.equal(problem(`https://a.b/?${name}=1`), null, name)
})

test("CLIENT-6 hosts and ports are whole and plain", () => {
  allRefused(["https://", "https:///cb", "https:a.b/cb", "https:/a.b/cb", "https://?x"], /no host/)
  const ports = ["", "0", "080", "65536", "x", "1:2", "-1"]
  allRefused(
    ports.map((port) => `https://a.b:${port}/cb`),
    /^The port/,
  )
  allRefused(
    [
      "https://a..b/",
      "https://.a.b/",
      "https://a.b./",
      "https://-a.b/",
      "https://a-.b/",
      "https://a%2eb/",
      "https://a,b/",
      `https://${"a".repeat(64)}.b/`,
    ],
    /plain host/,
  )
  allRefused(["HTTPS://a.b/", "Http://localhost/"], /lower case/)
})

test("CLIENT-6 an address has at most 2000 bytes", () => {
  const longest = `https://a.b/${"x".repeat(2000 - 12)}`
  assert.equal(longest.length, 2000)
  assert.equal(problem(longest), null)
  allRefused([`${longest}x`], /longer than 2000 bytes/)
  allRefused([""], /empty/)
})
