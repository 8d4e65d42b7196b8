import { test } from "node:test"
import assert from "node:assert/strict"
import { catalog, sampleCatalog } from "../support/core-sample.ts"
import { defaultOf, readSettings, settingOf, settings } from "../../src/model/setting.rules.ts"

test("RATE-3, LIM-7 what is not stored has its default", () => {
  assert.deepEqual(readSettings(new Map(), sampleCatalog), {
    anonymousBudget: { requests: 600, seconds: 60 },
    accessSeconds: 3600,
    openRegistration: false,
    openPermissions: ["account:read", "files:read", "files:write", "workers:read"],
    openSchemes: ["cursor", "vscode", "vscode-insiders", "windsurf"],
    documents: false,
    documentDomains: null,
    deniedDocumentDomains: [],
    stepUpSeconds: 900,
    eventsKeptDays: 400,
    openid: false,
    defaultLanguage: "en",
  })
})

test("RATE-3, LIM-7 what is stored is in force", () => {
  const stored = new Map([
    ["rate_limit.oauth_anonymous", "off"],
    ["token.access_seconds", "60"],
    ["step_up.window_seconds", "300"],
    ["registration.open", "on"],
    ["registration.permissions", "files:read account:read files:read"],
    ["registration.schemes", "Paper app+x paper"],
    ["clients.documents", "on"],
    ["clients.document_domains", "App.example *.example.org"],
    ["clients.denied_document_domains", "evil.example"],
    ["something.else", "1"],
  ])
  assert.deepEqual(readSettings(stored, sampleCatalog), {
    anonymousBudget: null,
    accessSeconds: 60,
    openRegistration: true,
    openPermissions: ["files:read", "account:read"],
    openSchemes: ["paper", "app+x"],
    documents: true,
    documentDomains: ["app.example", "*.example.org"],
    deniedDocumentDomains: ["evil.example"],
    stepUpSeconds: 300,
    eventsKeptDays: 400,
    openid: false,
    defaultLanguage: "en",
  })
})

test("a stored value that cannot be read stops nothing: the default holds", () => {
  const stored = new Map([["token.access_seconds", "an hour"]])
  assert.equal(readSettings(stored, sampleCatalog).accessSeconds, 3600)
})

test("LIM-7 an access token lives at least a minute and at most a day", () => {
  const { parse } = settings.accessSeconds
  for (const text of ["60", "3600", "86400"]) assert.deepEqual(parse(text), { ok: true, value: Number(text) })
  for (const text of ["", "59", "86401", "-60", "1h", "3600.5", "3600 ", "1e3", "0x100"]) {
    assert.equal(parse(text).ok, false, text)
  }
})

test("every setting has a key of its own, a default that it takes, and a sentence", () => {
  for (const row of Object.values(settings)) {
    assert.equal(settingOf(row.key), row)
    assert.equal(row.parse(defaultOf(row, sampleCatalog)).ok, true)
    assert.match(row.explain, /\.$/)
    const refused = row.parse('"nonsense"')
    assert.match(refused.ok ? "" : refused.error, /^Write .*\.$/)
  }
  assert.equal(settingOf("__proto__"), undefined)
  assert.equal(settingOf("toString"), undefined)
})

test("SVC-9, REG-1 open registration is on or off, and off by default", () => {
  const { parse } = settings.openRegistration
  assert.deepEqual(
    [parse("on"), parse("off")],
    [
      { ok: true, value: true },
      { ok: true, value: false },
    ],
  )
  for (const text of ["", "On", "true", "1", "on "]) assert.equal(parse(text).ok, false, text)
})

test("REG-2 what is open to registration are names of the catalog, and never an admin permission", () => {
  const { parse, check } = settings.openPermissions
  assert.deepEqual(parse("*"), { ok: true, value: null })
  for (const text of ["", " ", "files:read  account:read", "files:read,\u00e9"])
    assert.equal(parse(text).ok, false, text)
  for (const text of ["*", "files:read", "files:read account:read"])
    assert.equal(check?.(text, sampleCatalog), null, text)
  assert.match(check?.("files:read admin:events", sampleCatalog) ?? "", /^admin:events cannot/)
  assert.match(
    check?.("files:raed", sampleCatalog) ?? "",
    /no permission "files:raed"\. Did you mean files:read/,
  )
  assert.match(check?.("__proto__", sampleCatalog) ?? "", /no permission/)
})

test("REDIR-5 schemes are names without a colon, none or up to a hundred, and none that a system has a meaning for", () => {
  const { parse, check } = settings.openSchemes
  assert.deepEqual(parse(""), { ok: true, value: [] })
  assert.deepEqual(parse("Cursor cursor"), { ok: true, value: ["cursor"] })
  const many = (count: number) => Array.from({ length: count }, (_, at) => `app${at}`).join(" ")
  assert.equal(parse(many(100)).ok, true)
  for (const text of [many(101), " ", "a  b", "cursor:", "cursor://", "1app", "x", "é", "*", "a".repeat(64)])
    assert.equal(parse(text).ok, false, text)
  for (const text of ["", "cursor", "cursor vscode"]) assert.equal(check?.(text, sampleCatalog), null)
  for (const text of ["smb", "cursor MS-settings", "https", "javascript"])
    assert.match(check?.(text, sampleCatalog) ?? "", /is not an app's scheme: it [a-z]/, text)
  assert.match(check?.("cursor com.example.app", sampleCatalog) ?? "", /^com\.example\.app has a period/)
})

test("OIDC-1 OpenID Connect is off while the configuration file defines a permission that it needs", () => {
  const stored = new Map([["openid.enabled", "on"]])
  assert.equal(readSettings(stored, sampleCatalog).openid, true)
  assert.equal(readSettings(stored, catalog({ openid: { title: "Ours" } })).openid, false)
  assert.equal(readSettings(new Map(), sampleCatalog).openid, false)
})
