import { test } from "node:test"
import assert from "node:assert/strict"
import {
  type AuthorizationRequest,
  clientOf,
  decideAuthorization,
  parseAuthorizationRequest,
} from "../../../src/oauth/authorize/authorization-request.rules.ts"
import { wireError } from "../../../src/model/refusals/reasons.rules.ts"
import { matchRedirectUri } from "../../../src/oauth/clients/redirect-uri.rules.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import type { Refusal } from "../../../src/model/refusals/refusal.rules.ts"
import { parseQuery } from "../../../src/kernel/form.ts"
import { CLIENT_ID, permissions, publicClient, sampleCatalog } from "../../support/core-sample.ts"

const REDIRECT_URI = "http://127.0.0.1:5000/callback"
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
const good = {
  client_id: CLIENT_ID,
  response_type: "code",
  redirect_uri: REDIRECT_URI,
  state: "opaque",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
}

/** Returns a correct query with some parameters changed. Null removes a parameter. `more` is appended as raw text. */
function query(changes: Record<string, string | null> = {}, more = ""): string {
  const all = Object.entries<string | null>({ ...good, ...changes })
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== null)
  return `${new URLSearchParams(kept).toString()}${more}`
}

function parse(text: string): AuthorizationRequest | Refusal {
  const redirectUri = matchRedirectUri(REDIRECT_URI, publicClient.redirectUris) ?? assert.fail()
  const parsed = parseAuthorizationRequest(parseQuery(text), publicClient, redirectUri, sampleCatalog)
  return parsed.ok ? parsed.value : parsed.error
}

function refusedAs(text: string, reason: Refusal["reason"], parameter?: string): void {
  assert.deepEqual(parse(text), parameter === undefined ? { reason } : { reason, parameter }, text)
}

test("AUTHZ-1…AUTHZ-8 a whole request, with nothing lost or added", () => {
  const text = query({
    scope: "files:read",
    installation_name: " Ada's laptop ",
    resource: "https://api.example/",
  })
  assert.deepEqual(parse(text), {
    clientId: CLIENT_ID,
    redirectUri: REDIRECT_URI,
    state: "opaque",
    codeChallenge: CHALLENGE,
    scope: ["files:read"],
    asked: ["files:read", "workers:read"],
    resources: ["https://api.example/"],
    installationName: "Ada's laptop",
  })
})

test("AUTHZ-1, AUTHZ-3, AUTHZ-12 client_id and redirect_uri come first, each once", () => {
  const named = clientOf(parseQuery(query()))
  assert.deepEqual(named, { ok: true, value: { clientId: CLIENT_ID, redirectUri: REDIRECT_URI } })
  const refusals: readonly [string, Refusal][] = [
    [query({ client_id: null }), { reason: "parameterMissing", parameter: "client_id" }],
    [query({ client_id: "" }), { reason: "parameterMissing", parameter: "client_id" }],
    [query({ redirect_uri: null }), { reason: "parameterMissing", parameter: "redirect_uri" }],
    [query({}, `&client_id=${CLIENT_ID}`), { reason: "parameterRepeated", parameter: "client_id" }],
    [query({}, "&redirect_uri="), { reason: "parameterRepeated", parameter: "redirect_uri" }],
    [query({ client_id: "some one" }), { reason: "clientUnknown" }],
    [query({ client_id: `${CLIENT_ID}\u0000` }), { reason: "clientUnknown" }],
  ]
  for (const [text, refusal] of refusals)
    assert.deepEqual(clientOf(parseQuery(text)), { ok: false, error: refusal }, text)
})

test("AUTHZ-2 the response type is code", () => {
  refusedAs(query({ response_type: null }), "parameterMissing", "response_type")
  for (const other of ["token", "id_token", "code token", "Code", "none"]) {
    refusedAs(query({ response_type: other }), "responseTypeUnsupported")
  }
  assert.equal(wireError("responseTypeUnsupported").error, "unsupported_response_type")
})

test("AUTHZ-4, ERR-13 the state is required, opaque, and may be long", () => {
  for (const state of [null, ""]) refusedAs(query({ state }), "parameterMissing", "state")
  for (const state of ["x".repeat(4096), " a&b=c#d ", "é💻\u0000\r\n", "0"]) {
    const parsed = parse(query({ state }))
    assert.equal("state" in parsed && parsed.state, state)
  }
  refusedAs(query({ state: "x".repeat(4097) }), "parameterMalformed", "state")
})

test("AUTHZ-5 the challenge is required and has the shape of a digest", () => {
  refusedAs(query({ code_challenge: null }), "parameterMissing", "code_challenge")
  for (const bad of [CHALLENGE.slice(1), `${CHALLENGE}a`, `${CHALLENGE}=`, CHALLENGE.replace("E", "+")]) {
    refusedAs(query({ code_challenge: bad }), "parameterMalformed", "code_challenge")
  }
})

test("AUTHZ-6, ERR-13 the method is S256, and is never taken for granted", () => {
  const without = query({ code_challenge: null, code_challenge_method: null })
  refusedAs(without, "parameterMissing", "code_challenge")
  refusedAs(query({ code_challenge_method: null }), "parameterMissing", "code_challenge_method")
  for (const method of ["plain", "s256", "S512", "none"]) {
    refusedAs(query({ code_challenge_method: method }), "challengeMethodUnsupported")
  }
  assert.equal(wireError("challengeMethodUnsupported").error, "invalid_request")
})

test("AUTHZ-7, ERR-13 admin permissions have to be named", () => {
  const omitted = parse(query())
  assert.deepEqual("asked" in omitted && omitted.asked, ["account:read", "files:read", "workers:read"])
  const named = parse(query({ scope: "admin:events" }))
  assert.deepEqual("asked" in named && named.asked, ["admin:events"])
  refusedAs(query({ scope: "admin:apps" }), "scopeOverCeiling")
  refusedAs(query({ scope: "nowhere" }), "scopeUnknown")
  refusedAs(query({ scope: "a  b" }), "scopeMalformed")
})

test("AUTHZ-8, MISC-1 the installation name is short text that can be seen; an empty one counts as omitted", () => {
  for (const name of ["x", "x".repeat(100), "💻".repeat(100), "笔记本 é"]) {
    const parsed = parse(query({ installation_name: name }))
    assert.equal("installationName" in parsed && parsed.installationName, name)
  }
  for (const name of [null, "", " ", "   "]) {
    const parsed = parse(query({ installation_name: name }))
    assert.equal("installationName" in parsed && parsed.installationName, null)
  }
  for (const name of ["x".repeat(101), "a\nb", "a\u202eb", "a\u200bb", "\u0007x"]) {
    refusedAs(query({ installation_name: name }), "parameterMalformed", "installation_name")
  }
})

test("AUTHZ-2 resource may repeat, and each is an absolute address without a fragment", () => {
  const two = parse(query({}, "&resource=https://a.example/x?y&resource=urn:x:y&resource=urn:x:y&resource="))
  assert.deepEqual("resources" in two && two.resources, ["https://a.example/x?y", "urn:x:y"])
  for (const bad of [
    "/relative",
    "a.example",
    "https://a/%23#f",
    "https://a/#",
    "https://a b/",
    "https:",
    "https://a/é",
  ]) {
    refusedAs(query({ resource: bad }), "resourceMalformed")
  }
  refusedAs(query({ resource: `https://a/${"x".repeat(2000)}` }), "resourceMalformed")
  const many = (count: number) => Array.from({ length: count }, (_, i) => `&resource=urn:x:${i}`).join("")
  assert.ok("resources" in parse(query({}, many(8))))
  refusedAs(query({}, many(9)), "resourceMalformed")
  assert.equal(wireError("resourceMalformed").error, "invalid_target")
})

test("ERR-4 nothing else may be given twice, not even what is not known here", () => {
  for (const [name, value] of Object.entries({ state: "opaque", scope: "", nonce: "1" })) {
    refusedAs(query({ [name]: value }, `&${name}=${value}`), "parameterRepeated", name)
  }
})

test("SVC-1 what is not known here is ignored", () => {
  const more = "&nonce=1&prompt=none&response_mode=form_post&request_uri=https://x/&__proto__=1&max_age=0"
  assert.deepEqual(parse(query({}, more)), parse(query()))
})

test("ERR-12 of several errors the first in the order of the table is answered", () => {
  refusedAs(query({ state: null, response_type: "token", scope: "nowhere" }), "parameterMissing", "state")
  refusedAs(query({ response_type: "token", code_challenge_method: "plain" }), "responseTypeUnsupported")
  refusedAs(query({ code_challenge_method: "plain", code_challenge: "x" }), "challengeMethodUnsupported")
  refusedAs(query({ code_challenge: "x", scope: "nowhere" }), "parameterMalformed", "code_challenge")
})

type Pairs = readonly (readonly [name: string, raw: string])[]

type Fault = {
  /** The wrong parameter, or the row of the app. */
  readonly of: string
  readonly change?: (pairs: Pairs) => Pairs
  readonly row?: Client | null
  readonly refusal: Refusal
  /** The `client_id` that the error page names. */
  readonly clientId?: null
}

const set = (of: string, raw: string) => ({
  of,
  change: (pairs: Pairs) => [...pairs.filter(([name]) => name !== of), [of, raw] as const],
})
const drop = (of: string) => ({ of, change: (pairs: Pairs) => pairs.filter(([name]) => name !== of) })
const twice = (of: string) => ({
  of,
  change: (pairs: Pairs) => [...pairs, [of, "1"] as const, [of, "1"] as const],
})

/** One fault for each check, in the order of the checks. A page of the service reports these. */
const pageFaults: readonly Fault[] = [
  { ...twice("client_id"), refusal: { reason: "parameterRepeated", parameter: "client_id" }, clientId: null },
  {
    ...set("client_id", "%ff"),
    refusal: { reason: "parameterMalformed", parameter: "client_id" },
    clientId: null,
  },
  {
    ...twice("redirect_uri"),
    refusal: { reason: "parameterRepeated", parameter: "redirect_uri" },
    clientId: null,
  },
  {
    ...set("redirect_uri", "%ff"),
    refusal: { reason: "parameterMalformed", parameter: "redirect_uri" },
    clientId: null,
  },
  { ...drop("client_id"), refusal: { reason: "parameterMissing", parameter: "client_id" }, clientId: null },
  {
    ...drop("redirect_uri"),
    refusal: { reason: "parameterMissing", parameter: "redirect_uri" },
    clientId: null,
  },
  { ...set("client_id", "not%20an%20id"), refusal: { reason: "clientUnknown" }, clientId: null },
  { of: "row", row: null, refusal: { reason: "clientUnknown" } },
  { of: "row", row: { ...publicClient, enabled: false }, refusal: { reason: "clientDisabled" } },
  {
    ...set("redirect_uri", "https://other.example/"),
    refusal: { reason: "redirectUriUnregistered", address: "https://other.example/" },
  },
]

/** The app receives these faults. */
const appFaults: readonly Fault[] = [
  { ...twice("unknown"), refusal: { reason: "parameterRepeated", parameter: "unknown" } },
  { ...set("other", "%ff"), refusal: { reason: "parameterMalformed", parameter: "other" } },
  { ...drop("state"), refusal: { reason: "parameterMissing", parameter: "state" } },
  { ...set("state", "x".repeat(4097)), refusal: { reason: "parameterMalformed", parameter: "state" } },
  { ...drop("response_type"), refusal: { reason: "parameterMissing", parameter: "response_type" } },
  { ...set("response_type", "token"), refusal: { reason: "responseTypeUnsupported" } },
  { ...drop("code_challenge"), refusal: { reason: "parameterMissing", parameter: "code_challenge" } },
  {
    ...drop("code_challenge_method"),
    refusal: { reason: "parameterMissing", parameter: "code_challenge_method" },
  },
  { ...set("code_challenge_method", "plain"), refusal: { reason: "challengeMethodUnsupported" } },
  { ...set("code_challenge", "x"), refusal: { reason: "parameterMalformed", parameter: "code_challenge" } },
  { ...set("resource", "relative"), refusal: { reason: "resourceMalformed" } },
  {
    ...set("installation_name", "%07"),
    refusal: { reason: "parameterMalformed", parameter: "installation_name" },
  },
  { ...set("scope", "a++b"), refusal: { reason: "scopeMalformed" } },
  { ...set("scope", "nowhere"), refusal: { reason: "scopeUnknown" } },
  { ...set("scope", "files:write"), refusal: { reason: "scopeOverCeiling" } },
  {
    of: "row",
    row: { ...publicClient, ceiling: permissions("admin:events") },
    refusal: { reason: "scopeEmpty" },
  },
]

const faults = [...pageFaults, ...appFaults]

function decide(...wrong: readonly Fault[]) {
  const start: Pairs = Object.entries(good).map(([name, value]) => [name, encodeURIComponent(value)])
  const pairs = wrong.reduce((all, { change }) => change?.(all) ?? all, start)
  const row = wrong.find(({ row: found }) => found !== undefined)?.row
  const text = pairs.map(([name, raw]) => `${name}=${raw}`).join("&")
  return decideAuthorization(sampleCatalog, parseQuery(text), row === undefined ? publicClient : row)
}

test("AUTHZ-1, AUTHZ-12 a request without a fault is shown, and stored nowhere", () => {
  const decision = decide()
  assert.ok(decision.outcome === "ask")
  assert.equal(decision.client, publicClient)
  assert.deepEqual(decision.request, parse(query()))
})

test("AUTHZ-3, AUTHZ-12 a fault of client or address stays on a page of the service; any other goes to the app", () => {
  for (const fault of pageFaults) {
    const clientId = fault.clientId === null ? null : CLIENT_ID
    assert.deepEqual(decide(fault), { outcome: "own-page", clientId, refusal: fault.refusal })
  }
  for (const fault of appFaults) {
    const decision = decide(fault)
    assert.ok(decision.outcome === "back-to-app", fault.refusal.reason)
    assert.deepEqual(decision.refusal, fault.refusal)
    assert.equal(decision.redirectUri, REDIRECT_URI)
    const state =
      fault.of !== "state" ? "opaque" : "parameterMissing" === fault.refusal.reason ? null : "x".repeat(4097)
    assert.equal(decision.state, state)
  }
})

test("ERR-12 of any two faults the one whose check comes first is answered", () => {
  let pairs = 0
  for (const [at, first] of faults.entries())
    for (const later of faults.slice(at + 1)) {
      if (first.of === later.of) continue
      const decision = decide(first, later)
      assert.ok(decision.outcome !== "ask")
      assert.deepEqual(decision.refusal, first.refusal, `${first.of} before ${later.of}`)
      assert.equal(decision.outcome, pageFaults.includes(first) ? "own-page" : "back-to-app")
      pairs++
    }
  assert.ok(pairs > 300, "the faults were not combined")
})
