import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { Router } from "../../../src/platform/http/router.ts"

const router = new Router<string>()
const paths = ["/", "/a", "/a/b", "/rest/*", "/a/:id", "/a/:id/c", "/a/fixed/c"]
for (const path of paths) router.add(path, path)

/** Returns the endpoint at `url` with its parameters. */
function at(url: string): unknown {
  const found = router.find(url)
  return found === null || found === undefined ? found : [found.place, { ...found.params }]
}

describe("from an address to its route", () => {
  const found: Record<string, unknown> = {
    "/": ["/", {}],
    "/a": ["/a", {}],
    "/a?b=c": ["/a", {}],
    "/a?b=%zz": ["/a", {}],
    "/%61": ["/a", {}],
    "/a/b": ["/a/b", {}],
    "/a/x": ["/a/:id", { id: "x" }],
    "/a/x%20y?z": ["/a/:id", { id: "x y" }],
    "/a/b%2Fc": ["/a/:id", { id: "b/c" }],
    "/a/__proto__": ["/a/:id", { id: "__proto__" }],
    "/a/x/c": ["/a/:id/c", { id: "x" }],
    "/a/fixed/c": ["/a/fixed/c", {}],
    "/rest/": ["/rest/*", {}],
    "/rest/x/y": ["/rest/*", {}],
  }
  for (const [url, expected] of Object.entries(found)) {
    test(url, () => assert.deepEqual(at(url), expected))
  }

  for (const url of [
    "",
    "*",
    "/A",
    "/a/",
    "//a",
    "/a%2Fb",
    "/a/x/",
    "/a/x/d",
    "/a//c",
    "/rest",
    "/a;b",
    "a",
  ]) {
    test(`nothing is at "${url}"`, () => assert.equal(at(url), null))
  }

  for (const url of ["/%zz", "/a/%", "/%ff", "/a/%e0%a4", "/a#b", "/a#?b", "/a?b#c", "#", "/a/x#"]) {
    test(`${url} is malformed`, () => assert.equal(at(url), undefined))
  }

  test("of more segments than any route has, the first few decide, and the last are decoded all the same", () => {
    const many = "/x".repeat(5000)
    assert.deepEqual(at(`/rest${many}`), ["/rest/*", {}])
    assert.deepEqual(at(`/r%65st${many}%41`), ["/rest/*", {}])
    assert.equal(at(`/a${many}`), null)
    assert.equal(at(`/%61${many}`), null)
    assert.equal(at("/".repeat(10_000)), null)
    assert.equal(at(`/rest${many}%zz`), undefined)
    assert.equal(at(`${many}/%e0/%a4`), undefined)
  })
})
