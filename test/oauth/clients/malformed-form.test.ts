/** What `curl -d 'scope=a b'` sends: a form with a character that is not encoded. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { assertRefused } from "../../support/answers.ts"
import { send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { recordLog } from "../../support/record-log.ts"

const ENDPOINTS = ["/oauth/token", "/oauth/device-authorization", "/oauth/revoke", "/oauth/introspect"]

test("ERR-4, HELP-1 the answer says where the form is malformed, and the log names app and parameter", async (t) => {
  const { log, lines } = recordLog()
  const { testServer, app } = await fixture({ log, span: t, apps: { app: {} } })
  const begin = `client_id=${app.clientId}&scope=account:read`
  for (const path of ENDPOINTS) {
    lines.length = 0
    const answer = await send(testServer, path, `${begin} files:read&token=secret`)
    assertRefused(answer, 400, "invalid_request", path)
    assert.equal(
      answer.body["error_description"],
      `The body is not well-formed application/x-www-form-urlencoded: character ${begin.length + 1}, in scope, is not encoded correctly. A form encodes a space as + or %20.`,
    )
    const [line] = lines.filter(({ refusal }) => refusal === "bodyNotForm")
    assert.deepEqual([line?.["client_id"], line?.["parameter"]], [app.clientId, "scope"], path)
    assert.equal(JSON.stringify(lines).includes("secret"), false)
  }
})
