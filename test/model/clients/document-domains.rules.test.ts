import { test } from "node:test"
import assert from "node:assert/strict"
import {
  judgeHost,
  parseDocumentDomains,
  parseDomainList,
} from "../../../src/model/clients/document-domains.rules.ts"

test("CD-8 domains are host names, with *. for subdomains; * alone is every host", () => {
  assert.deepEqual(parseDocumentDomains("*"), { ok: true, value: null })
  assert.deepEqual(parseDocumentDomains(""), { ok: true, value: [] })
  assert.deepEqual(parseDomainList("a.example *.b.example A.example localhost"), {
    ok: true,
    value: ["a.example", "*.b.example", "localhost"],
  })
  const bad = [
    "https://a.example",
    "a.example/",
    "a.example:443",
    "*a.example",
    "a.*.example",
    "* *",
    "-a",
    "a..b",
  ]
  for (const text of [...bad, " a.example", "a.example  b.example", "a.example.", "*."])
    assert.ok(!parseDocumentDomains(text).ok, text)
  assert.ok(!parseDomainList("*").ok)
  assert.ok(!parseDomainList(Array.from({ length: 101 }, (_, at) => `a${at}.example`).join(" ")).ok)
})

test("CD-8 a denied host is refused, a listed one is named, and with * every other one is allowed", () => {
  const policy = { documentDomains: ["a.example", "*.b.example"], deniedDocumentDomains: ["bad.b.example"] }
  const judge = (
    host: string,
    of: typeof policy | { documentDomains: null; deniedDocumentDomains: string[] },
  ) => judgeHost(host, of)
  assert.equal(judge("a.example", policy), "named")
  assert.equal(judge("x.b.example", policy), "named")
  for (const host of ["b.example", "x.a.example", "xb.example", "other.example"])
    assert.equal(judge(host, policy), "unlisted", host)
  assert.equal(judge("bad.b.example", policy), "denied")
  const open = { documentDomains: null, deniedDocumentDomains: ["bad.example"] }
  assert.equal(judge("other.example", open), "allowed")
  assert.equal(judge("bad.example", open), "denied")
})
