import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId, MatchedRedirectUri } from "../../../src/kernel/ids.ts"
import { OPENID } from "../../../src/model/permissions/openid-permissions.rules.ts"
import type { AuthorizationRequest } from "../../../src/oauth/authorize/authorization-request.rules.ts"
import { requestPath } from "../../../src/oauth/authorize/request-path.rules.ts"
import { fixture } from "../../support/fixture.ts"

const { testServer } = await fixture({ settings: { "openid.enabled": "on" } })

const post = (body: string, type = "application/x-www-form-urlencoded") =>
  fetch(`${testServer.url}/oauth/authorize?ignored=1`, {
    method: "POST",
    body,
    headers: { "content-type": type },
    redirect: "manual",
  })

test("OIDC-6 a form leads to the same request by GET", async () => {
  const body = "client_id=a&state=%C3%A9+b&resource=x&resource=y"
  const answer = await post(body)
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get("location"), `/oauth/authorize?${body}`)
})

test("OIDC-6 each parameter that a request can have reaches the URL", async () => {
  // A new member does not compile until it is here.
  const request: Required<AuthorizationRequest> = {
    clientId: "a" as ClientId,
    redirectUri: "https://app.example/callback" as MatchedRedirectUri,
    state: "s",
    codeChallenge: "c",
    scope: [OPENID],
    asked: [OPENID],
    resources: ["https://api.example/"],
    installationName: "Laptop",
    uiLocale: "de",
    nonce: "n",
    prompt: ["login"],
    maxAge: 60,
    loginHint: "ada",
    idTokenHint: "a.b.c",
  }
  const path = requestPath(request)
  const [, query = ""] = path.split("?")
  const more = "request=r&request_uri=u&post_logout_redirect_uri=p"
  assert.equal((await post(`${query}&${more}`)).headers.get("location"), `${path}&${more}`)
})

test("OIDC-6 only the parameters of the request are in the URL", async () => {
  const answer = await post("token=lka_secret&client%5Fid=a&&token&prompt=none")
  assert.equal(answer.headers.get("location"), "/oauth/authorize?client%5Fid=a&prompt=none")
})

test("OIDC-6 what is not a short form leads nowhere", async () => {
  const wrong = [
    await post("a=%zz"),
    await post(`a=${"b".repeat(7_500)}`),
    await post("a=\r\nset-cookie: b"),
    await post("a=b", "text/plain"),
  ]
  for (const answer of wrong) assert.deepEqual([answer.status, answer.headers.get("location")], [400, null])
})

test("OIDC-6 while it is off, only GET is answered", async () => {
  await testServer.set("openid.enabled", "off")
  const answer = await post("client_id=a")
  assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "GET, HEAD"])
  await testServer.set("openid.enabled", "on")
})
