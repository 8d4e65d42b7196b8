import { test } from "node:test"
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../src/accounts/email/email.ts"
import { MailSender } from "../../src/platform/mail/sender.ts"
import { fixture } from "../support/fixture.ts"
import { MailServer } from "../support/mail-server.ts"
import { needsPostgres } from "../support/postgres.ts"
import { OPERATOR } from "../support/test-server.ts"

test(
  "MAIL-6 three nodes on one database send each mail once, and take over from a node that died",
  needsPostgres,
  async (t) => {
    const mails = await MailServer.open()
    t.after(() => mails.close())
    const { testServer } = await fixture({ engine: "postgres", mail: mails.config(), span: t })
    const { latchkey, clock } = testServer
    const stores = await Promise.all([testServer.database.open(), testServer.database.open()])
    t.after(() => Promise.all(stores.map((store) => store.close())))
    const nodes = stores.map((store, n) => {
      const ahead = { ...clock, now: () => clock.now() + (n === 0 ? -2 : 3) }
      return new MailSender({ ...latchkey, store, clock: ahead }, mails.config())
    })
    for (let n = 0; n < 24; n++) {
      await testServer.addAccount(`person${n}`)
      await setEmailByOperator(latchkey, `person${n}`, `p${n}@example.org`, OPERATOR)
    }
    // A node claims four mails and dies.
    const now = clock.now()
    assert.equal((await testServer.store.claimMails(now, now + 120, 4)).length, 4)
    clock.advance(3)
    const send = async () => {
      const attempts = await Promise.all([testServer.sendMails(), ...nodes.map((node) => node.deliver())])
      return attempts.reduce((sum, count) => sum + count, 0)
    }
    assert.equal(await send(), 20)
    assert.equal(await send(), 0)
    clock.advance(130)
    assert.equal(await send(), 4)
    const received = mails.mails.map(({ recipients: [to = ""] }) => to)
    assert.equal(received.length, 24)
    assert.equal(new Set(received).size, 24)
    assert.equal((await testServer.store.mailBacklog()).waiting, 0)
  },
)
