import { test } from "node:test"
import assert from "node:assert/strict"
import { parseForm } from "../../../src/kernel/form.ts"
import { describedResource } from "../../../src/oauth/discovery/webfinger.rules.ts"

const REL = "http://openid.net/specs/connect/1.0/issuer"
const ISSUER = "https://login.example:8443/base"

function of(resource: string | null, more = "", issuer = ISSUER) {
  const query = resource === null ? more : `resource=${encodeURIComponent(resource)}${more}`
  return describedResource(parseForm(query), issuer)
}

test("OIDC-11 every address of the host, and the issuer, lead to the issuer", () => {
  const ours = ["acct:ada@login.example:8443", "acct:x%40y@LOGIN.example", ISSUER, `${ISSUER}/`]
  for (const subject of ours) assert.deepEqual(of(subject), { subject, links: [{ rel: REL, href: ISSUER }] })
  const spelled = [
    "ACCT:ada@LOGIN.EXAMPLE:8443",
    "aCCt:ada@login.example",
    "HTTPS://Login.Example:8443/base/",
  ]
  for (const subject of spelled)
    assert.deepEqual(of(subject), { subject, links: [{ rel: REL, href: ISSUER }] })
  for (const subject of ["https://login.example", "HTTPS://LOGIN.EXAMPLE/", "https://login.example:443"])
    assert.notEqual(of(subject, "", "https://login.example"), 404, subject)
  assert.deepEqual(of(ISSUER, "&rel=a&rel=b"), { subject: ISSUER, links: [] })
  assert.deepEqual(of(ISSUER, `&rel=a&rel=${encodeURIComponent(REL)}`), of(ISSUER))
})

test("OIDC-11 other hosts and other addresses lead nowhere, and other texts are malformed", () => {
  const others = [
    "acct:ada@evil.example",
    "acct:ada@login.example@evil.example",
    "https://login.example/x",
    "https://login.example:8443/BASE",
    "https://login.example:8443/base?x",
    "https://ada@login.example:8443/base",
    "mailto:a@b",
  ]
  for (const resource of others) assert.equal(of(resource), 404, resource)
  for (const resource of ["", "ada", "login.example", "acct:<b>@login.example", `acct:${"a".repeat(2000)}@x`])
    assert.equal(of(resource), 400, resource)
  assert.equal(of(`acct:${"a".repeat(255)}@login.example`), 404)
  assert.equal(of(null), 400)
  assert.equal(of(ISSUER, "&resource=x"), 400)
  assert.equal(of(ISSUER, "&a=%zz"), 400)
})
