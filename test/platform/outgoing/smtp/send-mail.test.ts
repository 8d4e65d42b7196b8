import { afterEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { mailerOf } from "../../../../src/platform/outgoing/smtp/send-mail.ts"
import { accepting, type Script, ScriptedMailServer } from "../../../support/scripted-mail-server.ts"

const MAIL = {
  id: "m1",
  to: "alice@example.org",
  sender: "Example Club",
  subject: "Subject",
  text: "Text",
  html: "<p>Text</p>",
}
const LIMITS = { connectMs: 100, silenceMs: 100, wholeMs: 400 }

describe("sending one mail", () => {
  const open: ScriptedMailServer[] = []
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close()
  })
  const serving = async (script: Script) => {
    const server = await ScriptedMailServer.open(script)
    open.push(server)
    return server
  }

  test("MAIL-2 a server that never answers ends the attempt, at every step", async () => {
    for (const verb of ["", "EHLO", "MAIL", "RCPT", "DATA", "."]) {
      const server = await serving(accepting({ [verb]: null }))
      const sent = await mailerOf(server.config(), LIMITS)(MAIL)
      assert.equal(sent.outcome, "failed", verb)
      assert.match(sent.problem, /TIMEDOUT|ECONNECTION|ESOCKET/, verb)
    }
  })

  test("MAIL-2 a server that answers a little at a time ends at the deadline", async () => {
    const answers = accepting({ ".": "250-a" })
    let drip: NodeJS.Timeout | undefined
    const server = await serving((command) => {
      if (command === ".") drip = setInterval(() => server.say("250-a"), 20)
      return answers(command)
    })
    const sent = await mailerOf(server.config(), LIMITS)(MAIL)
    clearInterval(drip)
    assert.ok(drip !== undefined)
    assert.deepEqual([sent.outcome, "problem" in sent && sent.problem], ["failed", "EABORT"])
  })

  test("MAIL-5 only a refused recipient or mail is given up; whatever an operator can repair is tried again", async () => {
    const outcomes: [Readonly<Record<string, string>>, "failed" | "refused"][] = [
      [{ "": "554 no service" }, "failed"],
      [{ "": "421 too busy" }, "failed"],
      [{ EHLO: "550 who are you", HELO: "550 who are you" }, "failed"],
      [{ MAIL: "530 5.7.0 Authentication required" }, "failed"],
      [{ MAIL: "553 5.7.1 sender is not yours" }, "failed"],
      [{ MAIL: "451 later" }, "failed"],
      [{ RCPT: "450 greylisted" }, "failed"],
      [{ RCPT: "550 no such mailbox" }, "refused"],
      [{ DATA: "451 later" }, "failed"],
      [{ ".": "452 no space" }, "failed"],
      [{ ".": "554 looks like spam" }, "refused"],
    ]
    for (const [answers, outcome] of outcomes) {
      const server = await serving(accepting(answers))
      const sent = await mailerOf(server.config(), LIMITS)(MAIL)
      assert.equal(sent.outcome, outcome, JSON.stringify(answers))
    }
  })

  test("MAIL-1 an error repeats no password, even if the server does, and names the cause", async () => {
    const login = { user: "id", password: "p/ss wörd" }
    const encoded = (text: string) => Buffer.from(text).toString("base64")
    for (const echo of [login.password, encoded(login.password), encoded(`\0id\0${login.password}`)]) {
      const server = await serving(accepting({ AUTH: `535 not known: AUTH PLAIN ${echo}` }))
      const sent = await mailerOf(server.config({ login }), LIMITS)(MAIL)
      assert.ok(server.commands.some((command) => command.startsWith("AUTH ")))
      assert.equal(sent.outcome, "failed")
      assert.match(sent.problem, /^EAUTH at AUTH PLAIN \(535\)$/)
      assert.match(sent.detail, /not known: AUTH PLAIN …/)
      assert.ok(!JSON.stringify(sent).includes(echo), echo)
    }
    const closed = await ScriptedMailServer.open(accepting({}))
    const config = closed.config()
    await closed.close()
    const dead = await mailerOf(config, LIMITS)(MAIL)
    assert.ok(dead.outcome === "failed" && /ECONNREFUSED/.test(dead.problem), JSON.stringify(dead))
  })

  test("MSG-1 a scheme that does not fit the port is named, in place of the text of OpenSSL", async () => {
    const server = await serving(accepting({}))
    const config = server.config()
    const sent = await mailerOf(
      { ...config, server: { ...config.server, tls: "from-the-start" } },
      LIMITS,
    )(MAIL)
    assert.equal(sent.outcome, "failed")
    assert.match(sent.detail, /^the server speaks no TLS at the start of a connection\. Use smtp:\/\//)
    assert.ok(!/ssl3|openssl/i.test(JSON.stringify(sent)))
  })
})
