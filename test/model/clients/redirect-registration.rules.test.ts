import { test } from "node:test"
import assert from "node:assert/strict"
import {
  type OpenSchemes,
  registerableRedirectUri,
  wellFormedRedirectUri,
} from "../../../src/model/clients/redirect-registration.rules.ts"
import type { ClientType } from "../../../src/model/clients/client.rules.ts"
import { isInstruction } from "../../support/instruction.ts"

/** Returns the problem of a URI. Returns null if the URI may be registered. */
function problem(uri: string, type: ClientType = "public", schemes: OpenSchemes = "any"): string | null {
  const checked = registerableRedirectUri(uri, type, schemes)
  // The problem becomes part of an error description. ERR-11.
  if (!checked.ok) assert.equal(isInstruction(checked.error), false, checked.error)
  return checked.ok ? null : checked.error
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

test("REDIR-3 an IPv6 literal is refused, with the reason", () => {
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

test("REDIR-5 a scheme without a period needs to be named, unless an administrator registers it", () => {
  const named = ["cursor", "vscode"]
  for (const uri of ["com.example.app:/cb", "cursor://host/cb", "Cursor://host/cb", "vscode:/cb"])
    assert.equal(problem(uri, "public", named), null, uri)
  for (const uri of ["https://app.example/cb", "http://127.0.0.1/cb"])
    assert.equal(problem(uri, "confidential", []), null, uri)
  for (const uri of ["app:/cb", "cursors://host/cb", "cursor+x://host/cb", "vscode-insiders://x/y"]) {
    assert.equal(problem(uri), null, uri)
    const said = problem(uri, "public", named) ?? "registered"
    assert.match(said, /has no period, .*administrator.* registration\.schemes names the scheme\.$/, uri)
  }
  assert.match(problem(`${"a".repeat(100)}:/cb`, "public", named) ?? "", /^The scheme has no period/)
})

test("REDIR-5 schemes that a system or a browser gives a meaning to are refused for all, in any case", () => {
  const schemes =
    "javascript vbscript data blob about view-source filesystem chrome chrome-extension devtools moz-extension " +
    "ms-settings ms-officecmd ms-word search-ms search shell smb file jar ldap telnet ssh ftp ws tel sms mailto " +
    "market intent content android-app shortcuts x-apple.systempreferences x-apple-calevent com.apple.tv itms " +
    "itms-services facetime applescript web+x ext+x urn otpauth openid4vp bitcoin windows.gadget ie.http c"
  for (const scheme of schemes.split(" ")) {
    for (const written of [scheme, scheme.toUpperCase(), scheme[0]?.toUpperCase() + scheme.slice(1)])
      for (const type of ["public", "confidential"] as const)
        assert.match(
          problem(`${written}:/x`, type) ?? "registered",
          /is not an app's, because it [a-z]/,
          written,
        )
    assert.match(problem(`${scheme}://x/y`, "public", [scheme]) ?? "registered", /is not an app's/, scheme)
  }
  allRefused(["JavaScript:/*x*/alert(1)", "urn:ietf:wg:oauth:2.0:oob"], /not an app's/)
})

test("REDIR-5 schemes of real clients, and those that only resemble a reserved one, may be registered", () => {
  const schemes =
    "cursor vscode vscode-insiders vscodium windsurf claude zed warp raycast slack msteams goose kiro jetbrains " +
    "obsidian notion linear figma postman com.microsoft.app com.google.app smbx files teler mscorp-x fileshare"
  for (const scheme of schemes.split(" ")) assert.equal(problem(`${scheme}://x/y`), null, scheme)
})

test("REDIR-5 what is stored already stays well-formed, whatever its scheme means today", () => {
  for (const uri of ["search-ms:/x", "app:/cb", "https://app.example/"])
    assert.deepEqual(wellFormedRedirectUri(uri, "public"), { ok: true, value: null }, uri)
  assert.equal(wellFormedRedirectUri("http://app.example/", "public").ok, false)
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
      /a parameter of the authorization response/,
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
