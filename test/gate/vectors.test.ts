/** Drives the gate with the vectors that define every kit. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { connect } from "../../packages/resource-server/src/connection.ts"
import { refusalOf } from "../../packages/resource-server/src/refusal.ts"
import { combine } from "../../packages/resource-server/src/requirement.ts"
import type { Incoming, ResourceServerOptions } from "../../packages/resource-server/src/resource-server.ts"
import { answerOfRefusal, type GateAnswer } from "../../src/gate/answer.rules.ts"
import { Guard } from "../../src/gate/guard.ts"
import { IDENTITY_HEADERS } from "../../src/gate/identity.rules.ts"
import { publishedBy } from "../../src/gate/published.ts"
import { routeTable } from "../../src/gate/routes/match.rules.ts"
import type { GateHost } from "../../src/gate/routes/route.rules.ts"
import { type Conduct, play, type PlayedKit } from "../kit/conduct.ts"
import { invalidations } from "../kit/event-conduct.ts"
import { ScriptedService, type ScriptedResponse } from "../kit/scripted-service.ts"
import {
  type Case,
  optionsOf,
  type OptionsVector,
  reasonOf,
  type RequirementVector,
  vectors,
} from "../kit/vector-files.ts"
import { templateOf } from "./routes/routes.ts"

const conduct = vectors<Conduct>("conduct.json")
const [token = ""] = Object.values(conduct.tokens)

function hostOf(
  resource: string,
  requireAudience: boolean,
  { permissions = [], elevation = false }: RequirementVector,
): GateHost {
  const route = {
    source: { file: "gate.yaml", line: 1 },
    methods: ["GET"],
    template: templateOf("/"),
    isPublic: false,
    permissions,
    elevation,
    allow: [],
    closed: null,
  }
  const table = routeTable([route])
  return { name: "api.example", resource, requireAudience, routes: [route], table, uncovered: [] }
}

function headersOf({ headers }: GateAnswer): Record<string, string> {
  const entries: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2)
    entries.push([(headers[at] ?? "").toLowerCase(), headers[at + 1] ?? ""])
  return Object.fromEntries(entries)
}

/** A gate with one route, whose service gives `response` to every question. */
function gateWith(options: OptionsVector, response: ScriptedResponse, needed: RequirementVector = {}) {
  const service = new ScriptedService(() => response)
  const clock = { now: () => conduct.now, monotonic: () => 0 }
  const { resource, requireAudience = false, ...rest } = optionsOf({ ...options, stream: false })
  const connection = connect({ ...rest, clock, fetch: service.fetch })
  const guard = new Guard({
    connection,
    hosts: [hostOf(resource, requireAudience, needed)],
    assert: null,
    monotonic: clock.monotonic,
  })
  const ask = async (incoming: Incoming) =>
    (await guard.decide({ method: "GET", target: "/", host: "api.example" }, incoming)).answer
  return { guard, service, ask }
}

const carrying = (one: string): Incoming => ({ headers: { authorization: `Bearer ${one}` } })

test("GATE-6 challenges.json: the answers of the gate", () => {
  type ChallengeCase = Case & {
    resource: string
    requirement: Required<RequirementVector>
    outcome: string
    retry_after?: number
    kit: object
    gate?: object
  }
  for (const one of vectors<{ cases: ChallengeCase[] }>("challenges.json").cases) {
    const { guard } = gateWith({ resource: one.resource }, { status: 500 }, one.requirement)
    const [host] = guard.kits
    const refusal = refusalOf(reasonOf(one.outcome), {
      needed: one.requirement.permissions,
      metadataUrl: host?.kit.metadataUrl ?? "",
      ...(one.retry_after !== undefined && { retryAfterSeconds: one.retry_after }),
    })
    const answer = answerOfRefusal(refusal)
    const { status, body } = answer
    const sent = { status, headers: headersOf(answer), body: JSON.parse(body) as object }
    assert.deepEqual(sent, one.gate ?? one.kit, one.name)
    assert.ok([401, 403, 503].includes(status))
  }
})

test("GATE-6 bearer-header.json", async () => {
  type HeaderCase = Case & { authorization: string[]; expect: { token: string } | "missing" | "malformed" }
  for (const { name, authorization, expect } of vectors<{ cases: HeaderCase[] }>("bearer-header.json")
    .cases) {
    const { ask } = gateWith({}, { status: 200, body: { active: false } })
    const [first] = authorization
    const headers = first === undefined ? {} : { authorization: first }
    const rawHeaders = authorization.flatMap((value) => ["Authorization", value])
    const answer = await ask({ headers, rawHeaders })
    assert.equal(answer.status, 401, name)
    const reasons = { missing: "tokenMissing", malformed: "tokenMalformed" }
    assert.equal(answer.reason, typeof expect === "string" ? reasons[expect] : "tokenInvalid", name)
  }
})

test("GATE-6 token-form.json: only a valid form reaches the service", async () => {
  type FormCase = Case & { token: string; valid: boolean }
  for (const { name, token: one, valid } of vectors<{ cases: FormCase[] }>("token-form.json").cases) {
    // In a header, white space around a token is no part of it.
    if (one.trim() !== one) continue
    const { ask, service } = gateWith({}, { status: 200, body: { active: false } })
    assert.equal((await ask(carrying(one))).status, 401, name)
    assert.equal(service.introspections.length, valid ? 1 : 0, name)
  }
})

test("GATE-6 audience.json", async () => {
  type AudienceCase = Case & {
    resource: string
    require_audience?: boolean
    aud?: string | string[]
    accepted: boolean
  }
  for (const { name, aud, accepted, ...options } of vectors<{ cases: AudienceCase[] }>("audience.json")
    .cases) {
    const refused = (aud ?? []).length === 0 ? "audienceMissing" : "audienceOther"
    const body = { ...(conduct.answers["alice"] as object), ...(aud !== undefined && { aud }) }
    const { ask } = gateWith(options, { status: 200, body })
    assert.equal((await ask(carrying(token))).reason, accepted ? "passed" : refused, name)
  }
})

describe("GATE-6 introspection.json", () => {
  type Expected = { access: Record<string, unknown> } | { unavailable: { retry_after: number } } | "inactive"
  const file = vectors<{
    issuer: string
    cases: (Case & { response: ScriptedResponse; expect: Expected })[]
  }>("introspection.json")
  for (const { name, response, expect } of file.cases)
    test(name, async () => {
      const { ask } = gateWith({ issuer: file.issuer, resource: "https://api.example/mcp" }, response)
      const answer = await ask(carrying(token))
      const headers = headersOf(answer)
      if (expect === "inactive") assert.equal(answer.reason, "tokenInvalid")
      else if ("unavailable" in expect)
        assert.deepEqual(
          [answer.status, headers["retry-after"]],
          [503, String(expect.unavailable.retry_after)],
        )
      else {
        const { account_id, username, client_id, token_id, permissions, groups } = expect.access
        assert.equal(answer.status, 200)
        assert.deepEqual(
          IDENTITY_HEADERS.map((header) => headers[header.toLowerCase()]),
          [
            account_id,
            encodeURIComponent(String(username)),
            client_id,
            token_id,
            (permissions as string[]).join(" "),
            (groups as string[]).join(" "),
            "",
          ],
        )
      }
    })
})

test("GATE-10 metadata.json: the document of each host is at its path", () => {
  type DocumentCase = Case & { options: OptionsVector; path: string; document: object }
  type RequestCase = Case & { method: string; status: number; headers: object; body: "document" | null }
  const { cases, requests } = vectors<{ cases: DocumentCase[]; requests: RequestCase[] }>("metadata.json")
  let count = 0
  for (const { name, options, path, document } of cases) {
    // A host of the gate has no name or documentation.
    if (options.resource_name !== undefined || options.resource_documentation !== undefined) continue
    const { guard } = gateWith(options, { status: 500 }, { permissions: options.permissions ?? [] })
    const published = publishedBy({ kits: guard.kits, keys: () => null, isLive: () => false })
    for (const { method, status, headers, body } of requests) {
      const expected = { status, headers, body: body === null ? "" : JSON.stringify(document) }
      assert.deepEqual(published(method, path, "API.example:443"), expected, name)
    }
    count++
  }
  assert.ok(count > 3)
})

describe("GATE-8 conduct.json and events.json, through the gate", () => {
  for (const sequence of [...conduct.sequences])
    test(sequence.name, () => play(conduct, sequence, playedGate))
  for (const sequence of invalidations().sequences)
    test(`an event: ${sequence.name}`, () => play(invalidations(), sequence, playedGate))
})

/** A gate in place of a kit: each requirement is a route of its own, and all share one connection. */
function playedGate({ resource, requireAudience = false, ...options }: ResourceServerOptions): PlayedKit {
  const connection = connect(options)
  const monotonic = options.clock?.monotonic ?? (() => 0)
  const guardOf = (needed: RequirementVector) =>
    new Guard({ connection, hosts: [hostOf(resource, requireAudience, needed)], assert: null, monotonic })
  const [kit] = guardOf({}).kits
  if (kit === undefined) throw new Error("no host")
  return {
    isLive: kit.kit.isLive,
    close: kit.kit.close,
    verify: async (request, ...requirements) => {
      const guard = guardOf(combine(requirements))
      const asked = { method: "GET", target: "/", host: "api.example" }
      const { answer } = await guard.decide(asked, request)
      const access = { permissions: [] } as never
      if (answer.status === 200) return { ok: true, access }
      const headers = headersOf(answer)
      const { error } = JSON.parse(answer.body) as ReturnType<typeof refusalOf>["body"]
      return {
        ok: false,
        refusal: { reason: answer.reason as "tokenInvalid", status: answer.status, headers, body: { error } },
      }
    },
  }
}
