/** Tests the Node kit with the vectors that define every kit. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { jwtVerify } from "jose"
import { presentedBy } from "../../packages/resource-server/src/bearer-header.ts"
import { EventParser } from "../../packages/resource-server/src/event-parser.ts"
import { metadataAnswer } from "../../packages/resource-server/src/metadata-answer.ts"
import { refusalOf } from "../../packages/resource-server/src/refusal.ts"
import {
  createResourceServer,
  needsNewSignIn,
  requireElevation,
  requirePermission,
  type SignInOptions,
  type SignInPerson,
  SignInRequestError,
  signInUrl,
} from "../../packages/resource-server/src/resource-server.ts"
import { combine } from "../../packages/resource-server/src/requirement.ts"
import { isAccessTokenForm } from "../../packages/resource-server/src/token-form.ts"
import { readAccessToken } from "../../src/oauth/credential/token.ts"
import { readJwt } from "../../src/oauth/jwt/compact-form.ts"
import { type Conduct, play } from "./conduct.ts"
import { invalidations } from "./event-conduct.ts"
import { ScriptedService, type ScriptedResponse } from "./scripted-service.ts"
import {
  accessOf,
  type Case,
  optionsOf,
  type OptionsVector,
  reasonOf,
  type RequirementVector,
  vectors,
} from "./vector-files.ts"

const tokenForm = vectors<{ cases: (Case & { token: string; valid: boolean })[] }>("token-form.json")

test("JWT-4 token-form.json: the kit agrees with it, and the service reads every valid token", () => {
  for (const { name, token, valid } of tokenForm.cases) {
    assert.equal(isAccessTokenForm(token), valid, name)
    if (valid) assert.ok(readAccessToken(token) ?? readJwt(token), name)
  }
})

test("bearer-header.json", () => {
  type HeaderCase = Case & { authorization: string[]; expect: { token: string } | "missing" | "malformed" }
  for (const { name, authorization, expect } of vectors<{ cases: HeaderCase[] }>("bearer-header.json")
    .cases) {
    const expected = typeof expect === "string" ? { kind: expect } : { kind: "token", ...expect }
    const [first] = authorization
    const rawHeaders = authorization.flatMap((value) => ["Authorization", value])
    const headers = first === undefined ? {} : { authorization: first }
    assert.deepEqual(presentedBy({ headers, rawHeaders }), expected, name)
    const entries = authorization.map((value) => ["authorization", value] as [string, string])
    assert.deepEqual(presentedBy({ headers: new Headers(entries) }), expected, `${name}: Fetch API`)
  }
})

const conduct = vectors<Conduct>("conduct.json")
const token = Object.values(conduct.tokens)[0] ?? ""
const bearer = { headers: { authorization: `Bearer ${token}` } }
const active = { ...(conduct.answers["alice"] as object) }

/** The gate observes checks. The answers are the same. */
const OBSERVED = { onCheck: () => undefined }

/** Returns a kit whose service gives one response to every introspection. */
function kitWith(options: OptionsVector, response: ScriptedResponse) {
  const service = new ScriptedService(() => response)
  const clock = { now: () => conduct.now, monotonic: () => 0 }
  const kit = createResourceServer({
    ...optionsOf({ ...options, stream: false }),
    ...OBSERVED,
    clock,
    fetch: service.fetch,
  })
  return { kit, service }
}

test("MCP-2, RES-1 audience.json", async () => {
  type AudienceCase = Case & {
    resource: string
    require_audience?: boolean
    aud?: string | string[]
    accepted: boolean
  }
  for (const { name, aud, accepted, ...options } of vectors<{ cases: AudienceCase[] }>("audience.json")
    .cases) {
    const refused = (aud ?? []).length === 0 ? "audienceMissing" : "audienceOther"
    const body = { ...active, ...(aud !== undefined && { aud }) }
    const { kit } = kitWith(options, { status: 200, body })
    const checked = await kit.verify(bearer)
    assert.equal(checked.ok ? "ok" : checked.refusal.reason, accepted ? "ok" : refused, name)
  }
})

test("challenges.json: the answers of the kit", () => {
  type ChallengeCase = Case & {
    resource: string
    requirement: Required<RequirementVector>
    outcome: string
    retry_after?: number
    kit: object
  }
  const { cases } = vectors<{ cases: ChallengeCase[] }>("challenges.json")
  for (const { name, resource, requirement, outcome, retry_after: retryAfter, kit } of cases) {
    const { metadataUrl } = createResourceServer(optionsOf({ resource }))
    const elevation = requirement.elevation ? [requireElevation()] : []
    const { permissions } = combine([requirePermission(...requirement.permissions), ...elevation])
    const { reason, ...answer } = refusalOf(reasonOf(outcome), {
      needed: permissions,
      metadataUrl,
      ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
    })
    assert.deepEqual(answer, kit, name)
    assert.equal(reason, reasonOf(outcome))
  }
})

describe("metadata.json", () => {
  type DocumentCase = Case & { options: OptionsVector; path: string; url: string; document: object }
  type RequestCase = Case & { method: string; status: number; headers: object; body: "document" | null }
  const file = vectors<{
    cases: DocumentCase[]
    invalid_options: (Case & { options: OptionsVector })[]
    invalid_permissions: (Case & { permission: string })[]
    requests: RequestCase[]
  }>("metadata.json")

  test("the document, its path and its URL", () => {
    for (const { name, options, path, url, document } of file.cases) {
      const { metadata, metadataPath, metadataUrl } = createResourceServer(optionsOf(options))
      assert.deepEqual([metadata, metadataPath, metadataUrl], [document, path, url], name)
    }
  })

  test("wrong options and wrong permissions throw", () => {
    for (const { name, options } of file.invalid_options)
      assert.throws(() => createResourceServer(optionsOf(options)), TypeError, name)
    for (const { name, permission } of file.invalid_permissions)
      assert.throws(() => requirePermission(permission), TypeError, name)
  })

  test("the answers to requests for it", () => {
    const kit = createResourceServer(optionsOf({}))
    for (const { name, method, status, headers, body } of file.requests) {
      const expected = { status, headers, body: body === null ? "" : JSON.stringify(kit.metadata) }
      assert.deepEqual(metadataAnswer(kit, method), expected, name)
    }
  })
})

describe("introspection.json", () => {
  type Expected = { access: Record<string, unknown> } | { unavailable: { retry_after: number } } | "inactive"
  type RequestCase = Case & {
    issuer: string
    client_id: string
    client_secret: string
    token: string
    method: string
    url: string
    headers: Record<string, string>
    form: Record<string, string>
  }
  const file = vectors<{
    issuer: string
    requests: RequestCase[]
    cases: (Case & { response: ScriptedResponse; expect: Expected })[]
  }>("introspection.json")

  test("what the kit sends", async () => {
    for (const { name, issuer, client_id, client_secret, ...expected } of file.requests) {
      const { kit, service } = kitWith({ issuer, client_id, client_secret }, { status: 500, text: "" })
      await kit.verify({ headers: { authorization: `Bearer ${expected.token}` } })
      const [sent] = service.introspections
      const { method, headers, body } = sent?.init ?? {}
      assert.deepEqual([sent?.url, method, headers], [expected.url, expected.method, expected.headers], name)
      assert.deepEqual(Object.fromEntries(new URLSearchParams(String(body))), expected.form, name)
    }
  })

  for (const { name, response, expect } of file.cases)
    test(name, async () => {
      const { kit } = kitWith({ issuer: file.issuer, resource: "https://api.example/mcp" }, response)
      const checked = await kit.verify(bearer)
      if (expect === "inactive") assert.equal(checked.ok ? "ok" : checked.refusal.reason, "tokenInvalid")
      else if ("access" in expect) assert.deepEqual(checked, { ok: true, access: accessOf(expect.access) })
      else {
        assert.ok(!checked.ok && checked.refusal.reason === "serviceUnavailable")
        assert.equal(checked.refusal.headers["retry-after"], String(expect.unavailable.retry_after))
      }
    })
})

describe("events.json", () => {
  const { streams } = vectors<{ streams: (Case & { stream: string; events: object[] })[] }>("events.json")

  test("a stream, cut after every number of bytes", () => {
    for (const { name, stream, events } of streams) {
      const bytes = new TextEncoder().encode(stream)
      for (let size = 1; size <= bytes.length; size++)
        assert.deepEqual(parsed(bytes, size), events, `${name}, pieces of ${size}`)
    }
  })

  for (const sequence of invalidations().sequences)
    test(`the answers that an event drops: ${sequence.name}`, () => play(invalidations(), sequence))

  function parsed(bytes: Uint8Array, size: number): readonly object[] {
    const parser = new EventParser()
    const decoder = new TextDecoder()
    const events: object[] = []
    for (let at = 0; at < bytes.length; at += size)
      events.push(...parser.take(decoder.decode(bytes.subarray(at, at + size), { stream: true })))
    return events
  }
})

describe("conduct.json", () => {
  for (const sequence of conduct.sequences) test(sequence.name, () => play(conduct, sequence))
})

describe("sign-in.json", () => {
  type Person = Record<string, unknown> & { groups?: string[] | "many" }
  type SignInCase = Case & {
    issuer?: string
    provider?: string
    secret?: string | null
    private_key?: string
    query?: Record<string, string>
    person?: Person
  }
  const file = vectors<{
    now: number
    secret: string
    issuer: string
    provider: string
    query: Record<string, string>
    cases: (SignInCase & { claims: object; callback?: string })[]
    refused_requests: SignInCase[]
    refused_calls: SignInCase[]
    max_age: (Case & { query: Record<string, string>; auth_time: number | null; needs: boolean })[]
  }>("sign-in.json")
  const now = () => file.now

  const called = ({ query = file.query, person, secret, private_key: privateKey, ...more }: SignInCase) => {
    const key = {
      ...(secret !== null && { secret: secret ?? file.secret }),
      ...(privateKey !== undefined && { privateKey }),
    }
    const { issuer = file.issuer, provider = file.provider } = more
    return signInUrl(query, signInPersonOf(person), { ...key, issuer, provider, now } as SignInOptions)
  }

  test("LOGIN-25 sign-in.json: the claims, and where the browser goes with them", async () => {
    const callback = `${file.issuer}/sign-in/with/${file.provider}/callback`
    for (const one of file.cases) {
      const url = await called(one)
      const [page, assertion = ""] = url.split("?assertion=")
      assert.equal(page, one.callback ?? callback, one.name)
      const { payload, protectedHeader } = await jwtVerify(assertion, new TextEncoder().encode(file.secret), {
        currentDate: new Date(file.now * 1000),
      })
      const { jti, ...claims } = payload
      assert.deepEqual(claims, one.claims, one.name)
      assert.deepEqual(protectedHeader, { alg: "HS256", typ: "JWT" })
      assert.match(jti ?? "", /^.{22,}$/)
      assert.notEqual(await called(one), url, "each has another jti")
    }
  })

  test("LOGIN-26 sign-in.json: a request that is not of the service, and a call that is wrong", async () => {
    for (const one of file.refused_requests) {
      await assert.rejects(called(one), SignInRequestError, one.name)
      const query = new URLSearchParams(one.query)
      await assert.rejects(called({ ...one, query: query as never }), SignInRequestError, one.name)
    }
    for (const one of file.refused_calls) await assert.rejects(called(one), TypeError, one.name)
    const both = { ...file.query, challenge: ["a", "b"] }
    await assert.rejects(called({ name: "", because: "", query: both as never }), { status: 400 })
    const keys = { secret: file.secret, private_key: "-----BEGIN PRIVATE KEY-----" }
    await assert.rejects(called({ name: "", because: "", ...keys }), /either/)
  })

  test("LOGIN-27 sign-in.json: whether the product must ask again", () => {
    for (const { name, query, auth_time: authTime, needs } of file.max_age)
      assert.equal(needsNewSignIn(query, authTime, now), needs, name)
    assert.equal(needsNewSignIn({ max_age: "0" }, Date.now() / 1000), false)
    assert.equal(needsNewSignIn({ max_age: "0" }, Date.now() / 1000 - 3600), true)
  })

  test("LOGIN-25 sign-in.json: private keys of every kind, which the public key verifies", async () => {
    const kinds = [
      ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
      ["EdDSA", generateKeyPairSync("ed25519")],
      ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
    ] as const
    for (const [algorithm, { privateKey, publicKey }] of kinds) {
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
      const options = { issuer: file.issuer, provider: file.provider, privateKey: pem }
      const assertionOf = async (keyId?: string) =>
        (
          await signInUrl(file.query, { sub: "4711" }, { ...options, ...(keyId !== undefined && { keyId }) })
        ).split("=")[1] ?? ""
      const { payload, protectedHeader } = await jwtVerify(await assertionOf("k1"), publicKey)
      assert.deepEqual(protectedHeader, { alg: algorithm, typ: "JWT", kid: "k1" })
      assert.equal(payload.sub, "4711")
      assert.deepEqual((await jwtVerify(await assertionOf(), publicKey)).protectedHeader, {
        alg: algorithm,
        typ: "JWT",
      })
    }
  })

  function signInPersonOf({ groups, ...person }: Person = { sub: "4711" }): SignInPerson {
    const { email_verified: emailVerified, auth_time: authTime, ...rest } = person
    const list = groups === "many" ? Array.from({ length: 1000 }, (_, at) => `group-${at}`) : groups
    return { ...rest, emailVerified, authTime, groups: list } as never
  }
})
