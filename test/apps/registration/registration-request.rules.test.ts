import { test } from "node:test"
import assert from "node:assert/strict"
import { defaultOpenid } from "../../../src/model/clients/openid-members.rules.ts"
import { defaultSwitches } from "../../../src/model/clients/app-switches.rules.ts"
import { grantTypeNames } from "../../../src/oauth/token/grant-types.ts"
import { wireError } from "../../../src/model/refusals/reasons.rules.ts"
import { type Json, parseJson } from "../../../src/kernel/json.ts"
import { openCeiling, openPermissions } from "../../../src/model/permissions/open-permissions.rules.ts"
import {
  parseRegistrationRequest,
  registrationFacts,
  servedTypes,
} from "../../../src/apps/registration/registration-request.rules.ts"
import { DESCRIPTION } from "../../support/answers.ts"
import { isInstruction } from "../../support/instruction.ts"
import { sampleCatalog } from "../../support/core-sample.ts"

const LOOPBACK = "http://127.0.0.1/callback"
const ORDINARY =
  "account:read account:write credentials:read credentials:write apps:read apps:write files:read files:write workers:read"

function parse(members: unknown, open: readonly string[] | null = null) {
  const body = parseJson(JSON.stringify(members))
  assert.ok(body !== undefined)
  return parseRegistrationRequest(body, sampleCatalog, {
    grantTypes: grantTypeNames,
    openPermissions: open,
    openSchemes: ["cursor"],
  })
}

function parsed(members: Record<string, unknown>, open: readonly string[] | null = null) {
  const result = parse({ redirect_uris: [LOOPBACK], token_endpoint_auth_method: "none", ...members }, open)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

/** Returns the error with its description. The description may contain only allowed characters. */
function refused(members: unknown, open: readonly string[] | null = null): string {
  const result = parse(members, open)
  if (result.ok) assert.fail(`registered: ${JSON.stringify(result.value.registration)}`)
  const description = "description" in result.error ? result.error.description : ""
  assert.match(description, DESCRIPTION)
  assert.equal(isInstruction(description), false, description)
  return `${wireError(result.error.reason).error}: ${description}`
}

const refusalOf = (more: Record<string, unknown>) =>
  refused({ redirect_uris: [LOOPBACK], token_endpoint_auth_method: "none", ...more })

test("REG-2: what an installed client sends becomes a public app with all that is open", () => {
  const { registration, method, logo } = parsed({
    client_name: "Claude Code",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "native",
    software_id: "x",
  })
  assert.deepEqual(registration, {
    type: "public",
    keys: null,
    name: "Claude Code",
    redirectUris: [LOOPBACK],
    groups: [],
    ceiling: ORDINARY.split(" "),
    ...defaultSwitches,
    ...defaultOpenid,
    verified: false,
    stepUp: false,
    resourceServer: false,
    endsWithSession: false,
    deviceFlow: true,
  })
  assert.deepEqual([method, logo], ["none", null])
})

test("REG-2, CLIENT-2: the way of authenticating decides about the type", () => {
  const of = (method: unknown) => parsed({ token_endpoint_auth_method: method })
  assert.equal(of("none").registration.type, "public")
  for (const method of ["client_secret_basic", "client_secret_post"]) {
    assert.equal(of(method).registration.type, "confidential")
    assert.equal(of(method).method, method)
  }
  assert.equal(of(null).method, "client_secret_basic", "RFC 7591 §2: what is left out")
  for (const method of ["tls_client_auth", "client_secret_jwt", "NONE", "", "__proto__", "toString"])
    assert.match(
      refusalOf({ token_endpoint_auth_method: method }),
      /^invalid_client_metadata: token_endpoint/,
    )
})

test("KEY-2 an app that holds a key registers the key itself, and no address of it", () => {
  const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x: "x".repeat(43), kid: "1", note: "dropped" }] }
  const signed = { token_endpoint_auth_method: "private_key_jwt", jwks }
  const { registration, method } = parsed(signed)
  assert.deepEqual([registration.type, method], ["confidential", "private_key_jwt"])
  const kept = '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"' + "x".repeat(43) + '","kid":"1"}]}'
  assert.deepEqual(registration.keys, { jwks: kept, jwksUri: null, algorithm: null, workload: null })
  const only = parsed({ ...signed, token_endpoint_auth_signing_alg: "EdDSA" })
  assert.equal(only.registration.keys?.algorithm, "EdDSA")
  const many = Array.from({ length: 8 }, (_, kid) => ({
    kty: "RSA",
    e: "AQAB",
    n: "_".repeat(1366),
    kid: `${kid}`,
  }))
  for (const more of [
    { jwks_uri: "https://app.example/keys" },
    { jwks: undefined, jwks_uri: "https://app.example/keys" },
    { jwks: undefined },
    { jwks: null },
    { jwks: { keys: [] } },
    { jwks: { keys: [{ kty: "oct", k: "AAAA" }] } },
    { jwks: { keys: many } },
    { token_endpoint_auth_signing_alg: "RS256" },
    { token_endpoint_auth_signing_alg: "HS256" },
    { token_endpoint_auth_signing_alg: 1 },
  ])
    assert.match(refusalOf({ ...signed, ...more }), /^invalid_client_metadata: /, JSON.stringify(more))
})

test("REG-2: a client cannot register as verified, as a resource server, with a step-up, or under an id of its choice", () => {
  const { registration } = parsed({
    client_id: "mine",
    client_secret: "mine",
    verified: true,
    step_up: true,
    resource_server: true,
    enabled: false,
    owner: "ada",
    registered_by: "administrator",
    icon: true,
  })
  assert.deepEqual(
    [registration.verified, registration.stepUp, registration.resourceServer],
    [false, false, false],
  )
  assert.equal("clientId" in registration, false)
})

test("REG-2, REG-4, CLIENT-7: the ceiling is what is open, whatever part of it the scope names", () => {
  const ceiling = (scope: unknown, open: readonly string[] | null = null) =>
    parsed({ scope }, open).registration.ceiling.join(" ")
  for (const scope of ["files:read account:read account:read", "files:read no:such admin:accounts"])
    assert.equal(ceiling(scope), ORDINARY, scope)
  for (const nothing of [undefined, null, "", " ", "openid offline_access"])
    assert.equal(ceiling(nothing), ORDINARY, String(nothing))
  assert.equal(ceiling("workers:read", ["files:write"]), "files:write", "implied by what is open")
  assert.equal(ceiling("workers:read account:read", ["files:write"]), "files:write")
  assert.equal(ceiling(undefined, ["files:write", "gone:since"]), "files:write")
})

test("REG-2, PERM-2: what comes to nothing, or is administration, is refused", () => {
  const nothing = /^invalid_client_metadata: The scope has no permission that is open/
  for (const scope of ["admin:accounts", "no:such", "__proto__", "constructor toString"])
    assert.match(refusalOf({ scope }), nothing, scope)
  assert.match(refused({ redirect_uris: [LOOPBACK], scope: "account:read" }, ["files:read"]), nothing)
  assert.match(refused({ redirect_uris: [LOOPBACK] }, ["gone:since", "admin:accounts"]), nothing)
  assert.deepEqual(openCeiling(sampleCatalog, ["admin:hub", "files:read"]), ["files:read"])
  assert.deepEqual(openPermissions(sampleCatalog, ["files:write"]), [
    "files:read",
    "files:write",
    "workers:read",
  ])
  for (const scope of ["a  b", 'a"b', "a\tb", "\u00e9", 5, ["files:read"], { a: 1 }, true])
    assert.match(refusalOf({ scope }), /^invalid_client_metadata: /, JSON.stringify(scope))
})

test("REG-2, REDIR-3: one bad address fails the request, and the answer says which one and why", () => {
  const of = (uri: unknown, type = "none") =>
    refused({ redirect_uris: [LOOPBACK, uri], token_endpoint_auth_method: type })
  assert.equal(
    of("http://a.example/"),
    "invalid_redirect_uri: redirect_uris[1] (http://a.example/) cannot be registered: Only loopback may use http; any other host needs https.",
  )
  for (const uri of [
    "",
    "callback",
    "//a.example/",
    "https://",
    "https://a.example/#",
    "https://a.example/#x",
    "https://u:p@a.example/",
    "https://*.example/",
    "https://a.example/*",
    "https://a.example\\b",
    "https://a.example/ b",
    "https://a.example/\u0000",
    "https://a.example/\n",
    "https://\u0430pple.example/",
    "https://a.example/%00",
    "https://a.example/%zz",
    "https://a.example/a/../b",
    "https://a.example/%2e%2e/b",
    "https://a.example/?code=1",
    "https://a.example/?%63ode=1",
    "https://a.example:0/",
    "https://a.example:70000/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://127.0.0.2/",
    "http://LOCALHOST/",
    "http://localhost.:80/",
    "http://app.localhost/",
    "http://169.254.169.254/latest/meta-data",
    "HTTPS://a.example/",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "jAvAsCrIpT://a.example/%0aalert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    " javascript:alert(1)",
    "javascript&colon;alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "DATA:text/html;base64,AAAA",
    "file:///etc/passwd",
    "blob:https://a.example/x",
    "about:blank",
    "view-source:https://a.example/",
    "filesystem:https://a.example/",
    "ftp://a.example/",
    "ws://a.example/",
    "urn:ietf:wg:oauth:2.0:oob",
    "com.example.app:callback",
    `https://a.example/${"a".repeat(2000)}`,
    "cursors://x/y",
    "app:/callback",
    "SMB://share/x",
    `${"a".repeat(1900)}:/x`,
    "\ud83d\udd11://x/",
    "__proto__",
    "constructor:",
    5,
    null,
    true,
    {},
    [LOOPBACK],
  ])
    assert.match(of(uri), /^invalid_redirect_uri: redirect_uris\[1\]/, JSON.stringify(uri))
  assert.match(of("cursor://anysphere/callback", "client_secret_basic"), /confidential app is a server/)
})

test("REG-2: addresses that real clients register get in", () => {
  for (const redirect_uris of [
    ["http://127.0.0.1/", "http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:8787/callback"],
    ["http://localhost:3118/callback"],
    ["http://127.0.0.1"],
    ["com.example.app:/callback"],
  ])
    assert.deepEqual(parsed({ redirect_uris }).registration.redirectUris, redirect_uris)
  const claude = { redirect_uris: ["https://claude.ai/api/mcp/auth_callback"] }
  assert.equal(parse({ ...claude, token_endpoint_auth_method: "client_secret_post" }).ok, true)
})

test("REG-2, LIM: a list is a list, with at most twenty addresses, each kept once", () => {
  for (const redirect_uris of ["https://a.example/", 5, true, { 0: LOOPBACK }])
    assert.match(refusalOf({ redirect_uris }), /^invalid_redirect_uri: redirect_uris is not a list/)
  const many = (count: number) => Array.from({ length: count }, (_, i) => `https://a.example/${i}`)
  assert.match(refusalOf({ redirect_uris: many(21) }), /^invalid_redirect_uri: .* at most 20/)
  assert.match(refusalOf({ redirect_uris: many(1000) }), /at most 20/)
  assert.equal(
    parsed({ redirect_uris: Array.from({ length: 1000 }, () => LOOPBACK) }).registration.redirectUris.length,
    1,
  )
  const long = (bytes: number, path: number) => `https://a.example/${path}`.padEnd(bytes, "a")
  const full = [...[1, 2, 3, 4].map((path) => long(2000, path)), long(192, 5)]
  assert.equal(parsed({ redirect_uris: full }).registration.redirectUris.length, 5)
  assert.match(
    refusalOf({ redirect_uris: [...full.slice(0, 4), long(193, 5)] }),
    /^invalid_redirect_uri: .* more than 8192 bytes together/,
  )
  for (const redirect_uris of [[], null, undefined])
    assert.match(refusalOf({ redirect_uris }), /^invalid_redirect_uri: /)
})

test("REG-2: grant types beside those that are served are passed over; what is of no use is refused", () => {
  const device = "urn:ietf:params:oauth:grant-type:device_code"
  parsed({ grant_types: ["authorization_code", "implicit", "password"], response_types: ["code", "token"] })
  parsed({ grant_types: null, response_types: [] })
  assert.deepEqual(parsed({ grant_types: [device], redirect_uris: [] }).registration.redirectUris, [])
  for (const grant_types of [[], ["client_credentials"], ["__proto__"], "authorization_code", [5], {}])
    assert.match(
      refusalOf({ grant_types }),
      /^invalid_client_metadata: grant_types/,
      JSON.stringify(grant_types),
    )
  for (const response_types of [["token"], ["id_token"], ["toString"]])
    assert.match(refusalOf({ response_types }), /^invalid_client_metadata: The only response type/)
  for (const response_types of ["code", [null], 5])
    assert.match(refusalOf({ response_types }), /^invalid_client_metadata: response_types is not a list/)
  const all = ["authorization_code", "refresh_token", device]
  assert.deepEqual(servedTypes({ redirectUris: [LOOPBACK] }, all), {
    grant_types: all,
    response_types: ["code"],
  })
  assert.deepEqual(servedTypes({ redirectUris: [] }, all), { grant_types: all.slice(1), response_types: [] })
})

test("REG-2, CLIENT-4: a name is seen, and does not pass for another; without one there is a plain one", () => {
  const name = (client_name: unknown, redirect_uris = [LOOPBACK]) =>
    parsed({ client_name, redirect_uris }).registration.name
  assert.equal(name("  Cafe\u0301 "), "Caf\u00e9")
  for (const kept of ["__proto__", "constructor", "<b>&\"'", "Ноутс", "\u{1F469}\u200d\u{1F52C} Lab"])
    assert.equal(name(kept), kept)
  for (const none of [undefined, null, "", " "]) {
    assert.equal(name(none), "An app without a name")
    assert.equal(
      name(none, ["https://notes.example/a", "https://notes.example:8443/b"]),
      "App at notes.example",
    )
    assert.equal(name(none, ["https://notes.example/a", LOOPBACK]), "An app without a name")
    assert.equal(name(none, ["https://a.example/", "https://b.example/"]), "An app without a name")
  }
  for (const client_name of [
    "a\u202eb",
    "\u2066a\u2069",
    "a\u200bb",
    "a\u00adb",
    "a\u0000b",
    "a\nb",
    "\u3164",
    "\u115f",
    "a\ufeff b",
    "\u{E0041}",
    "a".repeat(101),
    "P\u0430ypal",
    "\u0391pple",
    "Micr\u043es\u03bfft",
    5,
    true,
    ["Notes"],
    { name: "Notes" },
  ])
    assert.match(refusalOf({ client_name }), /^invalid_client_metadata: /, JSON.stringify(client_name))
  assert.equal(
    name(undefined, [`https://${"a".repeat(60)}.${"b".repeat(60)}.example/`]),
    "An app without a name",
  )
})

test("OIDC-10: a registration does not choose what administrators set for OpenID Connect", () => {
  const { registration } = parsed({
    id_token_signed_response_alg: "ES256",
    post_logout_redirect_uris: ["https://app.example/bye"],
    remember_consent: true,
  })
  const { idTokenAlgorithm, postLogoutRedirectUris, rememberConsent } = registration
  assert.deepEqual([idTokenAlgorithm, postLogoutRedirectUris, rememberConsent], ["RS256", [], false])
})

test("REG-2: members that are not known are dropped, whatever is in them", () => {
  const { registration, logo } = parsed({
    client_uri: "http://127.0.0.1:1/",
    jwks_uri: "https://169.254.169.254/",
    sector_identifier_uri: ["x"],
    "client_name#ja": 5,
    constructor: { prototype: { verified: true } },
    "": null,
    contacts: { deep: [[[[1]]]] },
  })
  assert.deepEqual(
    Object.keys(registration).toSorted(),
    [
      ...["ceiling", "groups", "keys", "name", "redirectUris", "type"],
      ...Object.keys({ ...defaultSwitches, ...defaultOpenid }),
    ].toSorted(),
  )
  assert.equal(logo, null)
})

test("REG-2, CLIENT-5: of the logo only a data: address is looked at", () => {
  assert.equal(parsed({ logo_uri: "data:image/png;base64,AAAA" }).logo, "data:image/png;base64,AAAA")
  for (const logo_uri of ["https://a.example/logo.png", "http://169.254.169.254/", "file:///x", "", null])
    assert.equal(parsed({ logo_uri }).logo, null)
  assert.match(refusalOf({ logo_uri: 5 }), /^invalid_client_metadata: logo_uri is not a string/)
})

test("REG-2: a body that is no object is refused", () => {
  for (const body of [null, [], [1], "x", 5, true] satisfies Json[])
    assert.match(refused(body), /^invalid_client_metadata: The body is not a JSON object/)
})

test("REG-2: the same registration has the same facts, however it is written", () => {
  const facts = (members: Record<string, unknown>) => registrationFacts(parsed(members).registration, null)
  const scoped = facts({ client_name: "Notes", scope: "files:read account:read" })
  assert.equal(facts({ scope: "account:read  ".trim() + " files:read", client_name: " Notes " }), scoped)
  assert.equal(facts({ client_name: "Notes", scope: "account:read files:read", software_id: 1 }), scoped)
  assert.equal(facts({ client_name: "Notes" }), scoped, "no scope narrows the ceiling")
  for (const other of [
    { client_name: "Note", scope: "files:read account:read" },
    { client_name: "Notes", scope: "files:read account:read", redirect_uris: ["http://localhost/callback"] },
  ])
    assert.notEqual(facts(other), scoped)
  assert.notEqual(registrationFacts(parsed({}).registration, "data:a"), facts({}))
})
