import { test } from "node:test"
import assert from "node:assert/strict"
import { authorizePath, newVerifier, own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { recordLog } from "../../support/record-log.ts"
import { sendRaw } from "./raw.ts"

const OURS = /^[0-9a-f]{16}$/

const { log, lines } = recordLog("debug")
const { testServer, app } = await fixture({ log, apps: { app: {} } })

const idOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-request-id") ?? ""

test("every answer carries a number of its own: pages, JSON, preflights, and what no route answers", async () => {
  const preflight = { method: "OPTIONS" }
  const answers = await Promise.all([
    fetch(`${testServer.url}/sign-in`),
    fetch(`${testServer.url}/health`),
    fetch(`${testServer.url}/.well-known/oauth-authorization-server`),
    fetch(`${testServer.url}/oauth/token`, preflight),
    fetch(`${testServer.url}/oauth/token`),
    fetch(`${testServer.url}/nowhere`),
    fetch(`${testServer.url}/api/nowhere`),
    fetch(`${testServer.url}/%zz`),
    send(testServer, "/oauth/token", own(app)),
    sendRaw(testServer.url, ["GET / HTTP/1.1", "Host: x", "Content-Length: x"]),
  ])
  for (const answer of answers) assert.match(idOf(answer), OURS, String(answer.status))
  assert.equal(new Set(answers.map(idOf)).size, answers.length)
})

test("the log and the error page show the number of the answer", async () => {
  lines.length = 0
  const refused = await send(testServer, "/oauth/token", own(app))
  const noted = lines.filter((line) => line["request_id"] === idOf(refused))
  assert.deepEqual(
    noted.map(({ msg, refusal, path }) => msg ?? refusal ?? path),
    ["refused", "/oauth/token"],
  )
  const page = await fetch(`${testServer.url}/nowhere`)
  assert.ok((await page.text()).includes(`<code>${idOf(page)}</code>`))
})

test("a number that a stranger sends is not taken", async () => {
  const answer = await fetch(`${testServer.url}/health`, { headers: { "x-request-id": "chosen-by-me" } })
  assert.match(idOf(answer), OURS)
})

test("one of a trusted proxy is taken where it is short and plain", async (t) => {
  const { testServer: behind } = await fixture({ trustedProxies: ["127.0.0.0/8", "::1/128"], span: t })
  const answered = async (id: string) =>
    idOf(await fetch(`${behind.url}/health`, { headers: { "x-request-id": id } }))
  for (const id of ["7f3a-09.c1_D", "a", "x".repeat(64)]) assert.equal(await answered(id), id)
  for (const id of ["x".repeat(65), "a b", "a,b", "<b>", "é", '"']) assert.match(await answered(id), OURS)
})

test("a fault tells its number, in the answer and in the log", async (t) => {
  const { testServer: away } = await fixture({ log: testServer.latchkey.log, span: t })
  await away.store.close()
  lines.length = 0
  const answer = await send(away, "/oauth/token", {
    ...own(app),
    grant_type: "refresh_token",
    refresh_token: "x",
  })
  assert.deepEqual([answer.status, answer.body["request_id"]], [503, idOf(answer)])
  const logged = lines.filter(({ msg }) => msg === "the database cannot answer")
  assert.deepEqual(
    logged.map((line) => line["request_id"]),
    [idOf(answer)],
  )
  const page = await fetch(away.url + authorizePath(app, newVerifier().challenge))
  assert.equal(page.status, 503)
  assert.ok((await page.text()).includes(idOf(page)))
})
