/**
 * Tests what a developer learns about a refused request: the line in the log, the id in the response, and the app's
 * page.
 */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier, own } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { recordLog } from "../../support/record-log.ts"

type Line = Readonly<Record<string, unknown>>

const SECRET = "lkr_a-token-that-was-not-issued"

const { log, lines } = recordLog<Line>()
const {
  testServer,
  ada: owner,
  app,
} = await fixture({
  log,
  admins: ["ada"],
  browsers: ["ada"],
  apps: { app: { ownerName: "ada" } },
})

async function token(fields: Record<string, string>): Promise<{ id: string; line: Line; exposed: string }> {
  const answer = await fetch(`${testServer.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(fields),
  })
  await answer.arrayBuffer()
  const id = answer.headers.get("x-request-id") ?? ""
  const line = lines.find(({ request_id, refusal }) => request_id === id && refusal !== undefined) ?? {}
  return { id, line, exposed: answer.headers.get("access-control-expose-headers") ?? "" }
}

describe("HELP-1: a refusal in the log", () => {
  test("names the client, the parameter and the reason, with the number that the answer carries", async () => {
    const { line, exposed } = await token({ ...own(app), grant_type: "refresh_token" })
    assert.equal(line["client_id"], app.clientId)
    assert.equal(line["refusal"], "parameterMissing")
    assert.equal(line["parameter"], "refresh_token")
    assert.ok(exposed.split(", ").includes("X-Request-Id"), exposed)
  })

  test("holds nothing that was sent but the name of the app", async () => {
    const { line } = await token({ ...own(app), grant_type: "refresh_token", refresh_token: SECRET })
    assert.equal(line["client_id"], app.clientId)
    assert.equal(line["refusal"], "refreshTokenUnknown")
    assert.equal(JSON.stringify(lines).includes(SECRET), false)
  })

  test("of a body that is too large is logged and counted as well", async () => {
    const { line } = await token({ ...own(app), grant_type: "x".repeat(70_000) })
    assert.equal(line["refusal"], "bodyTooLarge")
  })

  test("of the authorization endpoint names the same", async () => {
    const challenge = newVerifier().challenge
    const answer = await new Browser(testServer.url).get(
      authorizePath(app, challenge, { scope: "files:nothing" }),
    )
    const line = lines.find(({ request_id }) => request_id === answer.headers.get("x-request-id"))
    assert.deepEqual(
      [line?.["client_id"], line?.["refusal"], line?.["parameter"]],
      [app.clientId, "scopeUnknown", "scope"],
    )
  })
})

describe("HELP-1: the page of an app", () => {
  const refused = /<ol class="refusals">.*?<\/ol>/s
  const pageOf = async (path: string) => (await owner.get(`${path}?id=${app.clientId}`)).text

  test("shows the latest twenty refusals in words, newest first, to its owner and in the console", async () => {
    const ids: string[] = []
    for (let n = 0; n < 21; n++) ids.push((await token({ ...own(app), grant_type: "refresh_token" })).id)
    const { id } = await token({ ...own(app), grant_type: "authorization_code", code: "x" })
    for (const path of ["/account/apps/app", "/console/app"]) {
      const list = refused.exec(await pageOf(path))?.[0] ?? assert.fail(path)
      const shown = [...list.matchAll(/request <code>([0-9a-f]{16})<\/code>/g)].map(([, number]) => number)
      assert.deepEqual(shown, [id, ...ids.slice(2).toReversed()])
      assert.match(list, /The required parameter <code>refresh_token<\/code> is missing\./)
      assert.match(list, /<time datetime="/)
    }
  })

  test("shows nothing of what strangers call themselves", async () => {
    const unknown = "0".repeat(26)
    await token({ client_id: unknown, grant_type: "refresh_token", refresh_token: SECRET })
    const page = await pageOf("/account/apps/app")
    assert.equal(page.includes(unknown) || page.includes(SECRET), false)
  })
})
