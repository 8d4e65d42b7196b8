/** PostgreSQL is stopped, fails or is paused. Every request soon gets a 503, and the service recovers automatically. */
import { before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { connectIn, refresh } from "../support/connect.ts"
import { postgresAt } from "../support/database.ts"
import { StallMeter } from "../support/stall-meter.ts"
import { needsPostgres, startPostgres } from "../support/postgres.ts"
import type { PostgresServer, StopMode } from "../support/postgres-server.ts"
import { done, type Span, wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { type Answered, EveryRequest } from "./every-request.ts"
import { type Node, Nodes } from "./nodes.ts"

/** The service has this long to respond. A slow machine may take more time. */
const ANSWER_MILLISECONDS = 2000
const MACHINE_MILLISECONDS = 2000

/** After the database is back, the service must respond within this time. */
const RECOVERY_MILLISECONDS = 5000

const file = wholeFile()
const stalls = new StallMeter(file)

/** The database comes back after each test. */
describe("PostgreSQL is away", needsPostgres, () => {
  let server: PostgresServer
  let nodes: Nodes
  let every: EveryRequest

  before(async () => {
    ;({ server, nodes, every } = await world(file))
  })

  for (const mode of ["fast", "immediate"] satisfies StopMode[])
    test(`stopped (${mode}), every kind of request is answered 503 within two seconds, and resumes by itself`, async () => {
      const held = await connectIn(every.alice, nodes, every.app)
      await server.stop(mode)
      for (const node of nodes.each) await assertUnavailable(node, every)
      // Later requests, when the outage is known, also get a 503.
      for (const node of nodes.each) await assertUnavailable(node, every)

      await server.start()
      for (const node of nodes.each) {
        const took = await until(
          async () => (await fetch(`${node.url}/health`)).status === 200,
          "it serves again",
        )
        assert.ok(took < RECOVERY_MILLISECONDS, `${took} ms`)
        assert.equal((await refresh(node, every.app, held.refresh_token)).status, 200)
      }
      for (const { name, status, text } of await every.send(nodes.at(1)))
        assert.ok(status < 500, `${name}: ${status} ${text}`)
      assert.deepEqual(await done(nodes.dir, ["verify"]), [])
    })

  test("paused, every kind of request is answered 503 within two seconds, and what was under way is one thing", async () => {
    const held = await Promise.all(Array.from({ length: 20 }, () => connectIn(every.alice, nodes, every.app)))
    await server.pause()
    const sent = held.map(({ refresh_token }, n) => refresh(nodes.at(n), every.app, refresh_token))
    for (const node of nodes.each) await assertUnavailable(node, every)
    for (const { status } of await Promise.all(sent)) assert.equal(status, 503)
    server.resume()

    for (const [n, { refresh_token }] of held.entries()) {
      const pair = await untilRefreshed(nodes.at(n), every, refresh_token)
      const again = await refresh(nodes.at(n + 1), every.app, refresh_token)
      assert.deepEqual(
        [again.body["access_token"], again.body["refresh_token"]],
        [pair["access_token"], pair["refresh_token"]],
        "one successor, on every node",
      )
      const next = await refresh(nodes.at(n), every.app, String(pair["refresh_token"]))
      assert.equal(next.status, 200)
    }
    assert.deepEqual(await done(nodes.dir, ["verify"]), [])
  })
})

async function world(t: Span) {
  const server: PostgresServer = await startPostgres(t, { durable: true })
  const nodes = await Nodes.start(t, {
    count: 2,
    database: postgresAt(server.url()),
    // At this level, the log contains every response with its duration.
    environment: { LATCHKEY_LOG_LEVEL: "debug" },
  })
  return { server, nodes, every: await EveryRequest.prepare(nodes) }
}

async function assertUnavailable(node: Node, every: EveryRequest): Promise<void> {
  const loggedBefore = tookWhenAway(node).length
  const [begun, own] = [performance.now(), stalls.stopwatch()]
  const answers = await every.send(node)
  for (const answer of answers) {
    const { name, status, headers, text, milliseconds } = answer
    assert.equal(status, 503, `${name}: ${text}`)
    assert.match(headers.get("retry-after") ?? "", /^[1-9]\d?$/, name)
    assert.ok(milliseconds < ANSWER_MILLISECONDS + MACHINE_MILLISECONDS, `${name}: ${milliseconds} ms`)
    assertTells(answer)
  }
  // The log is written shortly after the responses.
  await until(() => tookWhenAway(node).length >= loggedBefore + answers.length, "the log has them")
  // If the machine was busy, this process was delayed too. Its delay is added to the limit for the node.
  const inTime = ANSWER_MILLISECONDS + (performance.now() - begun - own())
  const late = tookWhenAway(node)
    .slice(loggedBefore)
    .filter((milliseconds) => milliseconds > inTime)
  assert.deepEqual(late, [], "as the service measures it")
}

/** Checks the response. A program gets an error in its format, and a person gets a page that explains the problem. */
function assertTells({ name, reader, headers, text }: Answered): void {
  const type = headers.get("content-type") ?? ""
  if (reader === "person") {
    assert.match(type, /^text\/html/, name)
    assert.match(text, /<h1>Not available right now<\/h1>/, name)
    return
  }
  assert.match(type, /^application\/json/, name)
  const body = JSON.parse(text) as { error: string | { status: string } }
  const error = typeof body.error === "string" ? body.error : body.error.status
  assert.equal(error, reader === "api" ? "UNAVAILABLE" : "temporarily_unavailable", name)
}

/** Reads from the node's log how long the responses took that report the outage. */
function tookWhenAway(node: Node): number[] {
  const lines = node.server.stderr.split("\n").filter((line) => /"status":503.*\}$/.test(line))
  return lines.map((line) => (JSON.parse(line) as { milliseconds: number }).milliseconds)
}

async function untilRefreshed(
  node: Node,
  every: EveryRequest,
  token: string,
): Promise<Record<string, unknown>> {
  let body: Record<string, unknown> = {}
  await until(async () => {
    const answer = await refresh(node, every.app, token)
    body = answer.body
    assert.ok(answer.status === 200 || answer.status === 503, JSON.stringify(body))
    return answer.status === 200
  }, "it refreshes again")
  return body
}
