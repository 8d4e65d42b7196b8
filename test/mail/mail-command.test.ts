import { test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { MailServer, smtpError } from "../support/mail-server.ts"
import { latchkey, newDirectory } from "../support/spawn.ts"

test("MAIL-3 mail test sends one mail at once, and repeats what a server says that refuses", async (t) => {
  const mails = await MailServer.open()
  t.after(() => mails.close())
  const dir = newDirectory(t)
  const url = `smtp://127.0.0.1:${mails.port}`
  const file = `mail: { smtp_url: ${url}, from: id@example.org, name: Example Club }\n`
  writeFileSync(join(dir, "latchkey.yaml"), file)
  const run = () =>
    latchkey([
      "mail",
      "test",
      "alice@example.org",
      "--data",
      dir,
      "--base-url",
      "https://id.example.org",
      "--json",
    ])
  const sent = await run()
  assert.equal(sent.code, 0, sent.stderr)
  const json = { sent: true, to: "alice@example.org", server: `127.0.0.1:${mails.port}` }
  assert.deepEqual(JSON.parse(sent.stdout), json)
  const [mail] = mails.mails
  assert.equal(mail?.subject, "Test – Example Club")
  assert.match(mail.text ?? "", /https:\/\/id\.example\.org\/account/)
  mails.refuse = () => smtpError(550, "we know no such mailbox")
  const refused = await run()
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /did not take the mail: EENVELOPE at RCPT TO \(550\): .*we know no such mailbox/,
  )
})
