import assert from "node:assert/strict"
import { test } from "node:test"
import { addTotp, otpauthUri } from "../../../src/accounts/factors/totp.ts"
import { fixture } from "../../support/fixture.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer, ada } = await fixture({ accounts: ["ada"], browsers: ["ada"] })
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

/** Returns label and issuer as an authenticator app reads them. */
function shown(uri: string): readonly string[] {
  const { pathname, searchParams } = new URL(uri)
  return [decodeURIComponent(pathname.replace(/^\/*(totp\/)?/, "")), searchParams.get("issuer") ?? ""]
}

test("FACTOR-1, FACTOR-9: a one-time password has the same label and issuer by command and by page", async () => {
  const page = await ada.get("/account/security/totp")
  const added = await addTotp(testServer.latchkey, "ada", OPERATOR)
  assert.ok(added.ok)
  const href = /href="(otpauth:[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  assert.deepEqual(shown(href), shown(added.value.uri))
  assert.deepEqual(shown(href), ["Latchkey (localhost):ada", "Latchkey (localhost)"])
})

test("FACTOR-1: the host has no port and no colon, which would begin the name of the account", () => {
  for (const [baseUrl, name] of [
    ["https://id.example.org:8443/auth", "Latchkey (id.example.org)"],
    ["http://127.0.0.1:8787", "Latchkey (127.0.0.1)"],
    ["http://[::1]:8787", "Latchkey ([1])"],
  ] as const)
    assert.deepEqual(shown(otpauthUri("Latchkey", baseUrl, { username: "ada" }, SECRET)), [
      `${name}:ada`,
      name,
    ])
})
