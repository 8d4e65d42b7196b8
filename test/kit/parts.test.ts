/** Tests the parts of the kit that decide without a request. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { readIntrospection } from "../../packages/resource-server/src/access.ts"
import { presentedBy } from "../../packages/resource-server/src/bearer-header.ts"
import { EventParser } from "../../packages/resource-server/src/event-parser.ts"
import { accessOf } from "../../packages/resource-server/src/granted.ts"
import {
  requirePermission,
  combine,
  requireElevation,
} from "../../packages/resource-server/src/requirement.ts"
import { addressOf, resourceOf } from "../../packages/resource-server/src/resource.ts"
import { createResourceServer } from "../../packages/resource-server/src/resource-server.ts"
import { isAccessTokenForm } from "../../packages/resource-server/src/token-form.ts"
import { readAccessToken } from "../../src/oauth/credential/token.ts"
import { wellFormed } from "./tokens.ts"

const issuer = "https://id.example"

function resource(address: string) {
  const described = { permissions: [], name: undefined, documentation: undefined, requireAudience: false }
  return resourceOf({ resource: address, issuer, ...described })
}

describe("AUTH-1: the header", () => {
  const kindOf = (authorization: string | string[] | undefined) =>
    presentedBy({ headers: { authorization } }).kind

  test("of fetch and of Node alike", () => {
    const token = wellFormed()
    const presented = { kind: "token", token }
    assert.deepEqual(presentedBy({ headers: { authorization: `Bearer ${token}` } }), presented)
    assert.deepEqual(presentedBy({ headers: new Headers({ authorization: `bearer  ${token}` }) }), presented)
    assert.deepEqual(presentedBy({ headers: new Headers() }), { kind: "missing" })
  })

  test("another scheme carries no token; a broken Bearer is malformed", () => {
    for (const other of [undefined, "", "Basic YTpi", "BearerX abc", "DPoP abc", "Digest a=b"])
      assert.equal(kindOf(other), "missing", other)
    for (const broken of [
      "Bearer",
      "Bearer ",
      "bearer a b",
      "Bearer =",
      "Bearer a=b",
      "Bearer\ta",
      "Bearer, a",
    ])
      assert.equal(kindOf(broken), "malformed", broken)
    assert.equal(kindOf(["Bearer a", "Bearer b"]), "malformed")
  })

  test("two of them in Node, which keeps the first", () => {
    const request = {
      headers: { authorization: "Bearer a" },
      rawHeaders: ["Host", "x", "Authorization", "Bearer a", "AUTHORIZATION", "Bearer b"],
    }
    assert.equal(presentedBy(request).kind, "malformed")
  })

  test("a name that every object has is no header", () => {
    assert.equal(presentedBy({ headers: { get: "x", authorization: "Bearer a" } }).kind, "token")
  })
})

describe("the form of an access token", () => {
  test("is the service's own", () => {
    for (let i = 0; i < 200; i++) assert.ok(isAccessTokenForm(wellFormed()))
  })

  test("one character altered, cut or added: neither side takes it", () => {
    const token = wellFormed()
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === "A" ? "B" : "A"
      const altered = token.slice(0, i) + other + token.slice(i + 1)
      assert.ok(!isAccessTokenForm(altered), `at ${i}`)
      assert.equal(readAccessToken(altered), null)
    }
    for (const wrong of [
      "",
      token.slice(1),
      token.slice(0, -1),
      `${token}A`,
      token.replace("lka_", "lkr_"),
      `${token}\n`,
    ])
      assert.ok(!isAccessTokenForm(wrong))
  })
})

describe("RFC 9728: the resource", () => {
  test("the well-known part stands between the host and the path", () => {
    const wellKnown = "/.well-known/oauth-protected-resource"
    const cases = [
      ["https://api.example", `https://api.example${wellKnown}`, wellKnown],
      ["https://api.example/", `https://api.example${wellKnown}`, wellKnown],
      ["https://api.example/mcp", `https://api.example${wellKnown}/mcp`, `${wellKnown}/mcp`],
      ["https://api.example/a/b/", `https://api.example${wellKnown}/a/b/`, `${wellKnown}/a/b/`],
      ["https://api.example:8443/a?t=1", `https://api.example:8443${wellKnown}/a?t=1`, `${wellKnown}/a`],
      ["http://localhost:3000/mcp", `http://localhost:3000${wellKnown}/mcp`, `${wellKnown}/mcp`],
    ] as const
    for (const [address, url, path] of cases) {
      const { metadata, metadataUrl, metadataPath } = resource(address)
      assert.deepEqual([metadata.resource, metadataUrl, metadataPath], [address, url, path])
    }
  })

  test("an address that is malformed, not https, or has a fragment or a password is refused", () => {
    const wrong = [
      "",
      "/mcp",
      "api.example",
      "http://api.example",
      "https://api.example/#a",
      "https://a:b@api.example",
    ]
    for (const address of [...wrong, "https://api.example/#", "ftp://localhost"])
      assert.throws(() => addressOf(address, "resource"), TypeError, address)
  })

  test("RFC 8707: a token is for the resources it names, and for every resource if it names none", () => {
    const { audienceProblem } = resource("https://api.example/mcp")
    for (const aud of [[], ["https://api.example/mcp"], ["https://other.example", "https://api.example/mcp"]])
      assert.equal(audienceProblem(aud), null, String(aud))
    assert.equal(audienceProblem(["https://API.example:443/mcp"]), null, "the spelling of the host")
    const others = [
      "https://api.example",
      "https://api.example/",
      "https://api.example/mcp/",
      "https://api.example/MCP",
    ]
    for (const other of [
      ...others,
      "http://api.example/mcp",
      "https://api.example/mcp/x",
      "https://api.example.evil/mcp",
      "x",
    ])
      assert.equal(audienceProblem([other]), "audienceOther", other)
  })

  test("a host alone and a host with a slash are one", () => {
    assert.equal(resource("https://api.example").audienceProblem(["https://api.example/"]), null)
    assert.equal(resource("https://api.example/").audienceProblem(["https://api.example"]), null)
  })
})

describe("what a requirement is", () => {
  test("several are all of them, each once", () => {
    const several = [requirePermission("a", "b"), requireElevation(), requirePermission("b", "c")]
    assert.deepEqual(combine(several), { permissions: ["a", "b", "c"], elevation: true })
    assert.deepEqual(combine([]), { permissions: [], elevation: false })
  })

  test("a name that could break out of a challenge is refused", () => {
    for (const name of ["", "a b", 'a"', "a\\b", "a\r\nb", "é"])
      assert.throws(() => requirePermission(name), TypeError)
  })
})

test("wrong options throw at once", () => {
  const right = { issuer, clientId: "id", clientSecret: "secret", resource: "https://api.example" }
  createResourceServer(right).close()
  for (const wrong of [
    { issuer: "http://id.example" },
    { resource: "api" },
    { clientSecret: "" },
    { cacheEntries: 0 },
    { concurrency: 1.5 },
    { timeoutMilliseconds: -1 },
  ])
    assert.throws(() => createResourceServer({ ...right, ...wrong }), TypeError, JSON.stringify(wrong))
})

test("a route without a guard says so instead of returning no access", () => {
  assert.throws(() => accessOf({}), /not protected/)
})

describe("an introspection answer", () => {
  const live = {
    active: true,
    scope: "a b",
    client_id: "c",
    username: "bob",
    exp: 2,
    iat: 1,
    sub: "u",
    iss: issuer,
    token_id: "t",
  }

  test("is read whole or not at all", () => {
    assert.deepEqual(
      readIntrospection({ ...live, groups: ["g"], aud: "https://api.example", elevated_until: 3 }, issuer),
      {
        accountId: "u",
        username: "bob",
        accountType: "person",
        clientId: "c",
        tokenId: "t",
        permissions: ["a", "b"],
        groups: ["g"],
        audience: ["https://api.example"],
        issuedAt: 1,
        expiresAt: 2,
        elevatedUntil: 3,
        identities: [],
      },
    )
    assert.equal(readIntrospection({ active: false }, issuer), null)
    for (const name of Object.keys(live))
      assert.throws(() => readIntrospection({ ...live, [name]: undefined }, issuer), Error, name)
    for (const other of [
      null,
      [],
      "active",
      { active: "true" },
      { ...live, aud: [1] },
      { ...live, iss: `${issuer}/` },
    ])
      assert.throws(() => readIntrospection(other, issuer))
  })
})

describe("events", () => {
  test("come in whatever pieces the network makes", () => {
    const text =
      ':\n\nretry: 1000\n\nid: 7\nevent: client\ndata: {"client_id":"x"}\n\nevent:ready\r\nid:8\r\ndata\r\n\r\n'
    for (let size = 1; size < text.length; size++) {
      const parser = new EventParser()
      const events = []
      for (let at = 0; at < text.length; at += size) events.push(...parser.take(text.slice(at, at + size)))
      assert.deepEqual(events, [
        { id: "7", event: "client", data: '{"client_id":"x"}' },
        { id: "8", event: "ready", data: "" },
      ])
    }
  })

  test("a line without an end is not gathered for ever", () => {
    const parser = new EventParser()
    assert.throws(() => {
      for (let i = 0; i < 100; i++) parser.take("x".repeat(100))
    })
  })
})
