import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { isClientId, isDocumentUrl } from "../../../src/kernel/identifier.ts"
import { type Json, parseJson } from "../../../src/kernel/json.ts"
import { DOCUMENT_BYTES_AT_MOST } from "../../../src/kernel/limits.ts"
import { parseDocument } from "../../../src/oauth/clients/document.rules.ts"
import { chatGpt, knownDocuments } from "./known-documents.ts"

const URL_OF_APP = "https://app.example/oauth/client.json" as ClientId

const plain = {
  client_id: URL_OF_APP,
  client_name: "App",
  redirect_uris: ["https://app.example/callback"],
}

function read(document: object, url: ClientId = URL_OF_APP) {
  return parseDocument(parseJson(JSON.stringify(document)) as Json, url, [])
}

test("CD-1 a client_id is an identifier or the URL of a document, and the URL has a path", () => {
  for (const id of [
    URL_OF_APP,
    "https://a.example/c",
    "https://a.example:8443/c?d=e",
    "01mcc5rnypehseqhsmcba3pnsq",
  ])
    assert.ok(isClientId(id), id)
  const others = ["https://a.example", "https://a.example/", "https://a.example/?c", "http://a.example/c"]
  for (const id of [
    ...others,
    "https://a.example/c#",
    "https://A.example/c",
    "https://127.0.0.1/c",
    "",
    "x y",
  ])
    assert.ok(!isClientId(id), id)
  assert.ok(isDocumentUrl(`https://a.example/${"c".repeat(482)}`))
  assert.ok(!isDocumentUrl(`https://a.example/${"c".repeat(483)}`))
})

for (const document of knownDocuments)
  test(`CD-3, CD-4 the document of ${String(document["client_name"])} is accepted (${document.client_id})`, () => {
    const parsed = read(document, document.client_id as ClientId)
    assert.deepEqual(parsed, {
      ok: true,
      value: {
        type: "public",
        keys: null,
        name: document["client_name"],
        redirectUris: document["redirect_uris"],
      },
    })
    assert.ok(isClientId(document.client_id))
    assert.ok(JSON.stringify(document).length < DOCUMENT_BYTES_AT_MOST)
  })

test("CD-4 ChatGPT's list of methods is negotiated to the key that it prefers", () => {
  const parsed = read(chatGpt, chatGpt.client_id as ClientId)
  assert.ok(parsed.ok)
  assert.equal(parsed.value.type, "confidential")
  const jwksUri = "https://chatgpt.com/oauth/jwks.json"
  assert.deepEqual(parsed.value.keys, { jwks: null, jwksUri, algorithm: "RS256", workload: null })
  const { jwks_uri: _, ...without } = chatGpt
  const keyless = read(without, chatGpt.client_id as ClientId)
  assert.ok(keyless.ok)
  assert.equal(keyless.value.type, "public")
})

test("CD-4 a key in the document makes the client confidential; a broken one refuses it, unless none is listed", () => {
  const x = "A".repeat(43)
  const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x, kid: "a" }] }
  const method = { token_endpoint_auth_method: "private_key_jwt" }
  const parsed = read({ ...plain, ...method, jwks })
  assert.ok(parsed.ok)
  assert.equal(parsed.value.type, "confidential")
  const choices = { token_endpoint_auth_methods_supported: ["none"] }
  for (const broken of [
    {},
    { jwks: { keys: [] } },
    { jwks: { keys: [{ kty: "OKP", crv: "Ed25519", x, d: x }] } },
    { jwks, jwks_uri: "https://app.example/keys" },
    { jwks_uri: "http://app.example/keys" },
    { jwks_uri: "https://127.0.0.1/keys" },
    { jwks, token_endpoint_auth_signing_alg: "RS256" },
    { jwks, token_endpoint_auth_signing_alg: "none" },
  ]) {
    assert.ok(!read({ ...plain, ...method, ...broken }).ok, JSON.stringify(broken))
    const lesser = read({ ...plain, ...method, ...choices, ...broken })
    assert.ok(lesser.ok)
    assert.equal(lesser.value.type, "public")
  }
  const unasked = read({ ...plain, jwks, token_endpoint_auth_methods_supported: ["private_key_jwt"] })
  assert.ok(unasked.ok)
  assert.equal(unasked.value.type, "public")
})

test("CD-2 client_id equals the URL byte for byte", () => {
  for (const client_id of [
    undefined,
    null,
    7,
    [URL_OF_APP],
    `${URL_OF_APP}/`,
    `${URL_OF_APP}?`,
    "https://app.example:443/oauth/client.json",
    "https://APP.example/oauth/client.json",
    "https://app.example/oauth/client%2ejson",
    "https://other.example/oauth/client.json",
  ]) {
    const parsed = read({ ...plain, client_id })
    assert.ok(!parsed.ok)
    assert.match(parsed.error, /byte for byte/)
  }
})

test("CD-2 what is not an object is no document", () => {
  for (const json of [null, true, 1, "x", []]) {
    const parsed = parseDocument(json, URL_OF_APP, [])
    assert.deepEqual(parsed, { ok: false, error: "The document is not a JSON object." })
  }
})

test("CD-3 a secret in any form refuses the document", () => {
  for (const secret of [
    { client_secret: "x" },
    { client_secret: null },
    { client_secret_expires_at: 0 },
    { token_endpoint_auth_method: "client_secret_basic" },
    { token_endpoint_auth_method: "client_secret_post", token_endpoint_auth_methods_supported: ["none"] },
    { token_endpoint_auth_method: "client_secret_jwt" },
  ])
    assert.ok(!read({ ...plain, ...secret }).ok, JSON.stringify(secret))
})

test("CD-4 methods are negotiated; without a supported one the document is refused", () => {
  for (const good of [
    {},
    { token_endpoint_auth_method: null },
    { token_endpoint_auth_method: "none" },
    { token_endpoint_auth_method: "tls_client_auth", token_endpoint_auth_methods_supported: ["none"] },
    { token_endpoint_auth_method: "none", token_endpoint_auth_methods_supported: ["client_secret_basic"] },
  ])
    assert.ok(read({ ...plain, ...good }).ok, JSON.stringify(good))
  for (const bad of [
    { token_endpoint_auth_method: "tls_client_auth" },
    { token_endpoint_auth_method: 7 },
    { token_endpoint_auth_method: "tls_client_auth", token_endpoint_auth_methods_supported: "none" },
    { token_endpoint_auth_method: "NONE" },
  ])
    assert.ok(!read({ ...plain, ...bad }).ok, JSON.stringify(bad))
})

test("CD-4 grant types, response types and every other member refuse nothing", () => {
  const odd = {
    grant_types: ["urn:example:other"],
    response_types: ["token"],
    scope: "admin:accounts",
    logo_uri: "http://127.0.0.1/logo.svg",
    client_uri: "javascript:alert(1)",
    sector_identifier_uri: "http://169.254.169.254/",
    request_uris: ["http://169.254.169.254/"],
    backchannel_logout_uri: "http://169.254.169.254/",
    post_logout_redirect_uris: ["http://169.254.169.254/"],
    verified: true,
    step_up: true,
    enabled: false,
    __proto__x: {},
  }
  assert.deepEqual(read({ ...plain, ...odd }), read(plain))
})

test("CD-5 redirect URIs pass the rules of every registration", () => {
  for (const redirect_uris of [
    undefined,
    null,
    [],
    "https://app.example/callback",
    [7],
    ["javascript:alert(1)"],
    ["http://app.example/callback"],
    ["https://app.example/*"],
    ["https://app.example/callback#"],
    ["https://app.example/callback?code=1"],
    ["cursor://callback"],
    ["https://app.example/callback", "data:text/html,x"],
    ["http://[::1]/callback"],
    Array.from({ length: 21 }, (_, at) => `https://app.example/${at}`),
  ])
    assert.ok(!read({ ...plain, redirect_uris }).ok, JSON.stringify(redirect_uris))
})

test("CD-5 a scheme that the operator allows is allowed to a document too", () => {
  const document = parseJson(JSON.stringify({ ...plain, redirect_uris: ["cursor://callback"] })) as Json
  assert.ok(parseDocument(document, URL_OF_APP, ["cursor"]).ok)
})

test("CD-5 loopback by IPv6 literal is left out beside other addresses, and repeated ones are kept once", () => {
  const uris = ["http://127.0.0.1/c", "http://[::1]/c", "http://[::1]:80/c", "http://127.0.0.1/c"]
  const parsed = read({ ...plain, redirect_uris: uris })
  assert.ok(parsed.ok)
  assert.deepEqual(parsed.value.redirectUris, ["http://127.0.0.1/c"])
})

test("CD-3 a name that is too long is cut; one that is missing or could deceive becomes the host", () => {
  const nameFor = (client_name: unknown) => {
    const parsed = read({ ...plain, client_name })
    assert.ok(parsed.ok)
    return parsed.value.name
  }
  assert.equal(nameFor("é".repeat(150)), "é".repeat(100))
  assert.equal(nameFor("  Padded  "), "Padded")
  for (const name of [undefined, null, 7, "", "   ", "A\u200bB", "P\u0430yPal"])
    assert.equal(nameFor(name), "app.example")
})
