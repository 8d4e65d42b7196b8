/** Pairs about a forgotten password: whether there is such an account, and whether it has an e-mail address. */
import { setEmailByOperator } from "../../src/accounts/email/email.ts"
import { DAY } from "../../src/kernel/time.ts"
import type { MailConfig } from "../../src/platform/outgoing/smtp/send-mail.ts"
import type { TestServer } from "../../test/support/test-server.ts"
import { formOf, type Pair, SLOW } from "./pairs.ts"
import type { Request } from "./wire.ts"

/** Nothing is sent: mails wait in the outbox. */
export const MAIL: MailConfig = {
  server: { host: "127.0.0.1", port: 9, tls: "off", login: null },
  from: "id@example.org",
  name: "Example Club",
  certificates: null,
}

const ROWS = 1000

const recovery =
  (secret: string, second: string) =>
  async (testServer: TestServer): Promise<Pair> => {
    await testServer.addAccount("xanthippe")
    await testServer.addAccount("quetzalco")
    await setEmailByOperator(testServer.latchkey, "xanthippe", "xanthippe@example.org", { address: null })
    const { form, headers } = await formOf(testServer, "/recover")
    const post = async (name: string): Promise<Request> => {
      await testServer.latchkey.background.idle()
      return { method: "POST", path: "/recover", headers, fields: { ...form, name } }
    }
    return {
      secret,
      first: () => post("xanthippe@example.org"),
      second: () => post(second),
      times: SLOW,
      batch: 1,
      // Each request for the account must send a mail, so earlier ones are deleted.
      pause: async () => {
        await testServer.latchkey.background.idle()
        testServer.clock.advance(3 * DAY)
        await testServer.store.sweep(testServer.clock.now(), ROWS)
      },
    }
  }

export const recoveryPairs = [
  recovery("whether an account has this e-mail address (recovery)", "nemo.nusquam@example.org"),
  recovery("whether an account has any e-mail address (recovery)", "quetzalco"),
]
