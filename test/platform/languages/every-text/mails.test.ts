/** Mails and sentences about events have no text outside of the language's file. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { eventSentence } from "../../../../src/accounts/activity/activity-words.ts"
import { html } from "../../../../src/kernel/html.ts"
import { eventKinds } from "../../../../src/model/event.rules.ts"
import { mailKinds } from "../../../../src/model/mail/mail.rules.ts"
import { messageOf } from "../../../../src/platform/mail/messages/message.ts"
import { pseudoTexts as texts, textsOutside } from "../../../support/pseudo-language.ts"

const details = [
  null,
  "totp: Phone",
  "passkey",
  "through google, then totp",
  "through google",
  "code: 7 in a row",
  "first from 192.0.2.7",
]

test("LANG-7 every sentence about an event comes from the language's file", () => {
  for (const kind of eventKinds)
    for (const isByAdministrator of [true, false])
      for (const detail of details) {
        const sentence = eventSentence(texts, kind, { app: html`<bdi>A</bdi>`, isByAdministrator, detail })
        assert.match(String(sentence.text), /^⟦/)
        const shown = `${String(sentence.text)} ${String(sentence.more ?? "")}`
        assert.deepEqual(textsOutside(shown.replaceAll(/<bdi>[^<]*<\/bdi>/g, ""), []), [], kind)
      }
})

test("LANG-7 every text of a mail comes from the language's file", () => {
  for (const kind of mailKinds) {
    const app = { known: "name", app: "A" } as const
    const facts = { operator: "1", baseUrl: "", when: "2", networkAddress: "3", app, secret: null }
    const { subject, heading, paragraphs, facts: shown, action, last } = messageOf(texts, kind, facts)
    const all = [subject, heading, ...paragraphs, ...shown.map(([name]) => name), action.label, last]
    for (const text of all) {
      assert.match(text, /^⟦[^]*⟧$/)
      assert.deepEqual(textsOutside(text, ["A"]), [], kind)
    }
  }
})

test("a text outside of the language's file is found", () => {
  const title = "<title>⟦Sign in⟧ now · Latchkey</title>"
  const text = '<p>⟦Wait ⟧⟦a⟧⟦⟧ Hello <bdi>ada</bdi><b>adam</b></p><img alt="A picture" /><input value="B" />'
  const found = ["now", "Hello", "adam", "Foot", "A picture", "B"]
  assert.deepEqual(textsOutside(`${title}<main>${text}</main>Foot`, ["ada"]), found)
})
