import { test } from "node:test"
import assert from "node:assert/strict"
import { type MessageFacts, messageOf, testMessage } from "../../../../src/platform/mail/messages/message.ts"
import { htmlOf, textOf } from "../../../../src/platform/mail/messages/render.ts"
import { english } from "../../../support/page-input.ts"
import { Texts } from "../../../../src/platform/languages/texts.ts"
import en from "../../../../src/platform/languages/texts/en.json" with { type: "json" }
import { mailKinds } from "../../../../src/model/mail/mail.rules.ts"

const FACTS: MessageFacts = {
  operator: "Example <Club>",
  baseUrl: "https://id.example.org/base",
  when: "25 November 2026, 04:25:00 UTC",
  networkAddress: "192.0.2.7",
  app: { known: "host", app: "app.example" },
  secret: "SECRET",
}

test("MAIL-8 every mail has plain text and HTML, the operator's name, and one link below the base URL", () => {
  for (const message of [...mailKinds.map((kind) => messageOf(english, kind, FACTS)), testMessage(FACTS)]) {
    const [text, page] = [textOf(message, FACTS.operator), htmlOf(message, FACTS.operator)]
    assert.ok(message.action.url.startsWith("https://id.example.org/base/"))
    assert.ok(message.subject.endsWith(" – Example <Club>"))
    for (const one of [text, page]) {
      assert.deepEqual([...new Set(one.match(/https?:[^\s"<]+/g))], [message.action.url], message.subject)
      assert.ok(one.includes(message.heading))
    }
    assert.ok(page.includes("Example &lt;Club&gt;") && !/<(?:img|script|link)|url\(/.test(page))
    assert.ok(text.split("\n").every((line) => line.length <= 78 || line.startsWith("https:")))
  }
})

test("MAIL-8 only mails with a one-time link contain its secret", () => {
  const withSecret = mailKinds.filter((kind) =>
    textOf(messageOf(english, kind, FACTS), "").includes("SECRET"),
  )
  assert.deepEqual(withSecret, [
    "confirm-address",
    "recover",
    "address-changed",
    "invited",
    "invited-administrator",
  ])
  const byOperator = messageOf(english, "address-changed", { ...FACTS, secret: null })
  assert.ok(!textOf(byOperator, "").includes("link="))
})

test("MAIL-8 a mail says of an app its verified name, or the host of its addresses, or nothing", () => {
  const said = (known: MessageFacts["app"]["known"], app: string) =>
    messageOf(english, "app-connected", { ...FACTS, app: { known, app } }).paragraphs[0]
  assert.match(said("name", "Paper{clip}") ?? "", /^You allowed Paper\{clip\} to use your account\./)
  assert.match(said("host", "app.example") ?? "", /^You allowed an app at app\.example to use your account\./)
  assert.match(said("nothing", "") ?? "", /^You allowed an app to use your account\./)
})

test("a mail is in the language of its texts, which its HTML says", () => {
  const own = { "mail.subject": "{operator}: {heading}", "mail.recover.heading": "كلمة مرور جديدة" }
  const arabic = new Texts({ tag: "ar", direction: "rtl", name: "العربية" }, [own, en])
  const message = messageOf(arabic, "recover", FACTS)
  assert.equal(message.subject, "Example <Club>: كلمة مرور جديدة")
  assert.match(htmlOf(message, FACTS.operator), /<html lang="ar" dir="rtl">/)
  assert.match(htmlOf(testMessage(FACTS), FACTS.operator), /<html lang="en" dir="ltr">/)
})
