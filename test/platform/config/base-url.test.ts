import { test } from "node:test"
import assert from "node:assert/strict"
import { parseAddressRange } from "../../../src/platform/config/address-range.ts"
import { parseBaseUrl } from "../../../src/platform/config/base-url.ts"

test("DISC-1: a base URL is published without a trailing slash, its host in one spelling", () => {
  const published = {
    "https://id.example.org": "https://id.example.org",
    "https://ID.example.org:443/": "https://id.example.org",
    "https://example.org:8443/auth//": "https://example.org:8443/auth",
    "http://localhost:8787/": "http://localhost:8787",
    "http://127.0.0.1:8787": "http://127.0.0.1:8787",
  }
  for (const [given, value] of Object.entries(published))
    assert.deepEqual(parseBaseUrl(given), { ok: true, value }, given)
})

test("a base URL that could be read in two ways, or listened in on, is refused", () => {
  const refused = [
    "http://id.example.org",
    "http://localhost.example.org",
    "http://127.0.0.2.example.org",
    "ftp://localhost",
    "https://id.example.org?",
    "https://id.example.org/#",
    "https://me@id.example.org",
    "https://@id.example.org",
    "https://id.example.org\\@evil.example",
    " https://id.example.org",
    "https://bücher.example",
    "id.example.org",
    "",
  ]
  for (const given of refused) assert.equal(parseBaseUrl(given).ok, false, given)
})

test("address ranges are CIDR, or one address", () => {
  assert.equal(parseAddressRange("10.0.0.0/8"), "10.0.0.0/8")
  assert.equal(parseAddressRange(" ::1 "), "::1/128")
  assert.equal(parseAddressRange("192.0.2.1"), "192.0.2.1/32")
  for (const text of [
    "",
    "10.0.0.0/33",
    "10.0.0/8",
    "10.0.0.0/08",
    "10.0.0.0/",
    "::/129",
    "fe80::1%eth0",
    "all",
    "1.2.3.4/8/8",
  ])
    assert.equal(parseAddressRange(text), null, text)
})
