import { test } from "node:test"
import assert from "node:assert/strict"
import {
  type MessageFacts,
  messageOf,
  testMessage,
} from "../../../../src/platform/mail/messages/message.rules.ts"
import { htmlOf, textOf } from "../../../../src/platform/mail/messages/render.ts"
import { mailKinds } from "../../../../src/model/mail/mail.rules.ts"

const FACTS: MessageFacts = {
  operator: "Example <Club>",
  baseUrl: "https://id.example.org/base",
  when: "25 November 2026, 04:25:00 UTC",
  networkAddress: "192.0.2.7",
  app: "an app at app.example",
  secret: "SECRET",
}

test("MAIL-8 every mail has plain text and HTML, the operator's name, and one link below the base URL", () => {
  for (const message of [...mailKinds.map((kind) => messageOf(kind, FACTS)), testMessage(FACTS)]) {
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
  const withSecret = mailKinds.filter((kind) => textOf(messageOf(kind, FACTS), "").includes("SECRET"))
  assert.deepEqual(withSecret, ["confirm-address", "recover", "address-changed"])
  const byOperator = messageOf("address-changed", { ...FACTS, secret: null })
  assert.ok(!textOf(byOperator, "").includes("link="))
})
