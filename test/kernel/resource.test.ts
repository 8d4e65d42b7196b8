import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { distinctResources, isResource, resourceKey } from "../../src/kernel/resource.ts"

type Case = {
  readonly name: string
  readonly resource: string
  readonly aud?: string | readonly string[]
  readonly accepted: boolean
}

const path = join(import.meta.dirname, "../../packages/vectors/audience.json")
const { cases } = JSON.parse(readFileSync(path, "utf8")) as { readonly cases: readonly Case[] }

describe("RES-1 the service compares resources as packages/vectors/audience.json says", () => {
  for (const { name, resource, aud = [], accepted } of cases) {
    const named = [aud].flat()
    if (named.length === 0) continue
    test(name, () => {
      assert.equal(
        named.some((one) => resourceKey(one) === resourceKey(resource)),
        accepted,
      )
    })
  }
})

test("RES-1 other URIs: only scheme and host lose their case", () => {
  const same = [
    ["URN:x:Files", "urn:x:Files"],
    ["API://Files/a", "api://files/a"],
    ["api://files", "api://files/"],
    ["https://files.example?a=B", "https://files.example/?a=B"],
    ["https://files.example:/", "https://files.example"],
    ["https://[2001:DB8::1]:443/x", "https://[2001:db8::1]/x"],
    ["http://files.example:80", "http://files.example/"],
    ["https://Me:Key@Files.example", "https://Me:Key@files.example/"],
  ] as const
  const different = [
    ["urn:x:Files", "urn:x:files"],
    ["urn:files", "urn:files/"],
    ["https://files.example:80", "https://files.example"],
    ["http://files.example:443", "http://files.example"],
    ["https://files.example/?a=B", "https://files.example/?a=b"],
    ["https://files.example/?", "https://files.example/"],
    ["https://files.example/%61", "https://files.example/a"],
    ["https://files.example/a/../b", "https://files.example/b"],
    ["https://me@files.example", "https://Me@files.example"],
    ["https://files.example", "https:files.example"],
  ] as const
  for (const [one, other] of [...same, ...different]) assert.ok(isResource(one) && isResource(other), one)
  for (const [one, other] of same) assert.equal(resourceKey(one), resourceKey(other), one)
  for (const [one, other] of different) assert.notEqual(resourceKey(one), resourceKey(other), one)
})

test("RES-1 of several spellings of a resource the first is kept", () => {
  const [one, other] = ["https://files.example", "https://mail.example/"]
  assert.deepEqual(distinctResources([one, `${one}/`, other, "HTTPS://MAIL.example", one]), [one, other])
  assert.deepEqual(distinctResources([]), [])
})
