import { test } from "node:test"
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { Browser } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { ScriptedMailServer } from "../../support/scripted-mail-server.ts"
import { OPERATOR } from "../../support/test-server.ts"

test("MAIL-5 a mail server that never answers holds four connections, and no request waits for it", async (t) => {
  const server = await ScriptedMailServer.open(() => null)
  const { testServer } = await fixture({ mail: server.config(), span: t })
  for (let n = 0; n < 9; n++) {
    await testServer.addAccount(`person${n}`)
    await setEmailByOperator(testServer.latchkey, `person${n}`, `p${n}@example.org`, OPERATOR)
  }
  const sending = testServer.sendMails()
  await server.connected(4)
  const browser = new Browser(testServer.url)
  const asked = await browser.submit(await browser.get("/recover"), "/recover", { name: "person0" })
  assert.equal(asked.status, 200)
  await testServer.latchkey.background.idle()
  assert.equal((await (await signedInBrowser(testServer, "person1")).get("/account")).status, 200)
  assert.deepEqual(await testServer.store.mailBacklog(), {
    waiting: 11,
    failing: 0,
    oldestAt: testServer.clock.now(),
    sent: 0,
    dropped: 0,
  })
  assert.equal(server.mostOpen, 4)
  // The rest finds no server.
  await server.close()
  assert.equal(await sending, 11)
  assert.equal((await testServer.store.mailBacklog()).failing, 11)
})
