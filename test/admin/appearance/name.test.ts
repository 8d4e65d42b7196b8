/** Tests that the name of the service is in what authenticators show. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { changeAppearance } from "../../../src/admin/appearance/appearance.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { passkeyOptions } from "../../accounts/factors/factors.ts"
import { fixture } from "../../support/fixture.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer, ada } = await fixture({ accounts: ["ada"], browsers: ["ada"] })
assert.ok((await changeAppearance(testServer.latchkey, { name: "Acme: Club" }, OPERATOR)).ok)
testServer.clock.advance(1)

const issuerOf = (uri: string) => new URL(uri).searchParams.get("issuer")

test("LOOK-5 passkeys have the name alone", async () => {
  const page = await ada.get("/account/security/passkey")
  const { rp } = JSON.parse(passkeyOptions(page.text)) as { readonly rp: unknown }
  assert.deepEqual(rp, { id: "localhost", name: "Acme: Club" })
})

test("LOOK-5 one-time passwords have the name without its colon, and the host, by page and by command", async () => {
  const page = await ada.get("/account/security/totp")
  const href = /href="(otpauth:[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const added = await addTotp(testServer.latchkey, "ada", OPERATOR)
  assert.ok(added.ok)
  assert.deepEqual(
    [issuerOf(href), issuerOf(added.value.uri)],
    ["Acme Club (localhost)", "Acme Club (localhost)"],
  )
})
