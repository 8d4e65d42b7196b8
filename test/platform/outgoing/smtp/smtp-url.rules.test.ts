import { test } from "node:test"
import assert from "node:assert/strict"
import { parseSmtpUrl } from "../../../../src/platform/outgoing/smtp/smtp-url.rules.ts"

test("MAIL-1 smtp_url says host, port, TLS and login", () => {
  const read = (text: string) => {
    const parsed = parseSmtpUrl(text)
    return parsed.ok ? parsed.value : assert.fail(parsed.error)
  }
  assert.deepEqual(read("smtps://mail.example"), {
    host: "mail.example",
    port: 465,
    tls: "from-the-start",
    login: null,
  })
  assert.deepEqual(read("smtp://id%40example.org:p%2Fss%3Aw@Mail.example:2525"), {
    host: "mail.example",
    port: 2525,
    tls: "required",
    login: { user: "id@example.org", password: "p/ss:w" },
  })
  assert.equal(read("smtp://mail.example").port, 587)
  assert.equal(read("smtp://mail.example?tls=off").tls, "off")
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.equal(read(`smtp://${host}:25`).tls, "if-offered", host)
  assert.deepEqual(read("smtp://user:pw@localhost:25?tls=off").login, { user: "user", password: "pw" })
})

test("MAIL-1 another smtp_url is refused, and the sentence does not repeat its password", () => {
  for (const text of [
    "",
    "mail.example",
    "https://mail.example",
    "smtp://",
    "smtp://secret@mail.example",
    "smtp://user:secret@mail.example:99999",
    "smtp://user:secret@mail.example:0",
    "smtp://user:sec%ret@mail.example",
    "smtp://user:secret@mail.example/path",
    "smtp://user:secret@mail.example?x=1",
    "smtps://user:secret@mail.example?tls=off",
    "smtp://user:secret@mail.example?tls=off",
    "smtp://user:secret@mail.example\r\nDATA",
  ]) {
    const parsed = parseSmtpUrl(text)
    assert.ok(!parsed.ok && !parsed.error.includes("secret"), text)
  }
})
