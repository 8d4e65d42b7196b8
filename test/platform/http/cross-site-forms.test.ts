/** A page of another site must not be able to do anything with a form, not even change cookies. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"

const { testServer } = await fixture({ admins: ["ada"] })

/** Sends a form as a browser does from another site. `SameSite=Lax` cookies are not sent. */
function fromElsewhere(path: string, fields: Record<string, string>) {
  return fetch(testServer.url + path, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: "https://elsewhere.example",
      "sec-fetch-site": "cross-site",
    },
  })
}

for (const [path, fields] of Object.entries({
  "/sign-in": { username: "ada", password: PASSWORD },
  "/sign-out": {},
  "/language": { language: "en" },
  "/setup": { link: "x", username: "eve", password: PASSWORD },
  "/oauth/consent": { decision: "authorize" },
  "/account/end-access": { token_id: "x" },
})) {
  test(`CONSENT-1 a form of another site to ${path} is refused and sets no cookie`, async () => {
    const answer = await fromElsewhere(path, fields)
    assert.equal(answer.status, 403)
    assert.deepEqual(answer.headers.getSetCookie(), [])
    await answer.text()
  })
}
