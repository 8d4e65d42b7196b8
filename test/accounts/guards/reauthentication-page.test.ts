/** A form of the pages that is interrupted because it needs a recent proof. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { FRESH_PROOF_SECONDS } from "../../../src/kernel/account-limits.ts"
import { type Browser, hiddenFields } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"

const { testServer } = await fixture({ admins: ["ada"] })
const csrfOf = async (browser: Browser) => hiddenFields((await browser.get("/account")).text, "/sign-out")

test("a form that waits for a proof belongs to its session and its address", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const other = await signedInBrowser(testServer, "ada")
  const id = await testServer.addAccount("eve")
  testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
  const path = "/console/account/act"
  const page = await ada.post(path, { ...(await csrfOf(ada)), id, do: "remove" })
  const { interrupted = "" } = hiddenFields(page.text, path)
  assert.notEqual(interrupted, "")
  const proof = { interrupted, password: PASSWORD }
  assert.equal((await other.post(path, { ...(await csrfOf(other)), ...proof })).status, 404)
  const elsewhere = await ada.post("/console/app/act", { ...(await csrfOf(ada)), ...proof })
  assert.equal(elsewhere.status, 404)
  assert.equal((await ada.post(path, { ...proof, csrf: "x" })).status, 403)
  assert.equal((await ada.get(`/console/account?id=${id}`)).status, 200, "the account is still there")
  assert.equal(
    (await ada.submit(page, path, { password: PASSWORD })).location,
    "/console/accounts?done=removed",
  )
})
