import { test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { selfSigned } from "../../support/certificate.ts"
import { MailServer, smtpError } from "../../support/mail-server.ts"
import { latchkey, newDirectory } from "../../support/spawn.ts"

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

test("MAIL-2 mail test over TLS: from the start and by STARTTLS, with an authority of ca_file or not at all", async (t) => {
  const { key, cert } = selfSigned("localhost")
  const onAuth: NonNullable<Parameters<typeof MailServer.open>[0]>["onAuth"] = ({ username }, _, answer) =>
    answer(null, { user: username ?? "" })
  for (const scheme of ["smtps", "smtp"]) {
    const mails = await MailServer.open({ key, cert, secure: scheme === "smtps", onAuth })
    t.after(() => mails.close())
    const dir = newDirectory(t)
    writeFileSync(join(dir, "ca.pem"), cert)
    const send = (mail: string) => {
      writeFileSync(join(dir, "latchkey.yaml"), `mail: { from: id@example.org${mail} }\n`)
      const args = [
        "mail",
        "test",
        "alice@example.org",
        "--data",
        dir,
        "--base-url",
        "https://id.example.org",
      ]
      const url = `${scheme}://id:hidden@localhost:${mails.port}`
      return latchkey(args, { environment: { LATCHKEY_SMTP_URL: url } })
    }
    const unknown = await send("")
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /self-signed certificate/)
    assert.ok(!(unknown.stderr + unknown.stdout).includes("hidden"))
    assert.equal(mails.mails.length, 0)
    const known = await send(", ca_file: ca.pem")
    assert.equal(known.code, 0, known.stderr)
    assert.deepEqual([mails.mails[0]?.isEncrypted, mails.mails[0]?.user], [true, "id"])
  }
})
