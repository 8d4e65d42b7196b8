/** Which request a proxy asks about. A header that the client sent must never be read for one of the proxy. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { type Family, familyOf, readAsked, single } from "../../src/gate/families.rules.ts"

const ORIGINAL = [
  ...["X-Original-Method", "PUT"],
  ...["X-Original-URI", "/notes/1?a=b"],
  ...["X-Original-Host", "api.example"],
]
const FORWARDED = [
  ...["X-Forwarded-Method", "DELETE"],
  ...["X-Forwarded-Uri", "/notes/2"],
  ...["X-Forwarded-Host", "api.example:8443"],
]
const BY_ORIGINAL = { method: "PUT", target: "/notes/1?a=b", host: "api.example" }
const BY_FORWARDED = { method: "DELETE", target: "/notes/2", host: "api.example:8443" }

const asked = (family: Family, ...rawHeaders: readonly string[]) =>
  readAsked(family, { method: "GET", url: "/auth/envoy/notes/3?x#y", rawHeaders })

test("GATE-2 each family has its own address", () => {
  const families: Readonly<Record<string, Family | null | undefined>> = {
    "/auth/nginx": "nginx",
    "/auth/caddy?a=/auth/nginx": "caddy",
    "/auth/traefik": "traefik",
    "/auth/haproxy?": "haproxy",
    "/auth/envoy/": "envoy",
    "/auth/envoy/auth/nginx": "envoy",
    "/auth/envoy": null,
    "/auth/envoy?/": null,
    "/auth/": null,
    "/auth/NGINX": null,
    "/auth/nginx/": null,
    "/auth/nginx%20": null,
    "/auth/constructor": null,
    "/auth/__proto__": null,
    "/auth/toString": null,
    "/auth": undefined,
    "/authx/nginx": undefined,
    "//auth/nginx": undefined,
    "": undefined,
    "/health": undefined,
  }
  for (const [url, family] of Object.entries(families)) assert.equal(familyOf(url), family, url)
})

describe("GATE-2 no address reads the headers of another", () => {
  const both = [...FORWARDED, ...ORIGINAL, "Host", "front.example"]
  const cases = {
    nginx: BY_ORIGINAL,
    haproxy: BY_ORIGINAL,
    caddy: BY_FORWARDED,
    traefik: BY_FORWARDED,
    envoy: { method: "GET", target: "/notes/3?x#y", host: "front.example" },
  } as const satisfies Readonly<Record<Family, object>>
  for (const family of Object.keys(cases) as Family[])
    test(family, () => assert.deepEqual(asked(family, ...both), cases[family]))

  test("a family without its own headers is refused, whatever the others say", () => {
    assert.deepEqual(asked("nginx", ...FORWARDED, "Host", "x"), { missing: "X-Original-Method" })
    assert.deepEqual(asked("caddy", ...ORIGINAL, "Host", "x"), { missing: "X-Forwarded-Method" })
    assert.deepEqual(asked("envoy", ...ORIGINAL, ...FORWARDED), { missing: "Host" })
  })
})

describe("GATE-2 a header that is missing, empty or repeated is named", () => {
  const headers: readonly (readonly [Family, readonly string[]])[] = [
    ["haproxy", ORIGINAL],
    ["traefik", FORWARDED],
    ["envoy", ["Host", "api.example"]],
  ]
  for (const [family, own] of headers)
    for (let at = 0; at < own.length; at += 2) {
      const name = own[at] ?? ""
      const replaced = (...those: readonly string[]) => [...own.slice(0, at), ...those, ...own.slice(at + 2)]
      test(`${family}: ${name}`, () => {
        assert.deepEqual(asked(family, ...replaced()), { missing: name })
        assert.deepEqual(asked(family, ...replaced(name, "")), { missing: name })
        assert.deepEqual(asked(family, ...own, name, "other"), { missing: name })
        assert.deepEqual(asked(family, ...own, name.toLowerCase(), own[at + 1] ?? ""), { missing: name })
      })
    }
})

test("GATE-1, GATE-2 one header is read without regard to case; an empty, missing or repeated one is null", () => {
  assert.equal(single(["A", "1", "x-secret", "2"], "X-Secret"), "2")
  assert.equal(single(["X-Secret", " "], "X-Secret"), " ")
  assert.equal(single(["X-Secret", ""], "X-Secret"), null)
  assert.equal(single(["X-Secret", "1", "x-SECRET", "1"], "X-Secret"), null)
  assert.equal(single(["X-Secret", "", "X-Secret", "1"], "X-Secret"), null)
  assert.equal(single(["X_Secret", "1", "X-Secret2", "1", "1", "X-Secret"], "X-Secret"), null)
  assert.equal(single([], "X-Secret"), null)
})
