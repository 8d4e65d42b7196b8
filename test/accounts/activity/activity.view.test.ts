/** Tests that every kind of activity has a sentence. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { eventKinds } from "../../../src/model/event.rules.ts"
import { renderActivity } from "../../../src/accounts/activity/activity.view.ts"
import { eventSentence, usedAppSentence } from "../../../src/accounts/activity/activity-words.ts"
import { english } from "../../support/page-input.ts"
import { html } from "../../../src/kernel/html.ts"
import { tagsOf, textOf } from "../../platform/ui/markup.ts"
import { activity, HOSTILE } from "../../platform/ui/sample.ts"

const app = html`Notebook`

test("every kind of event has a sentence of its own, for every actor and every detail", () => {
  for (const isByAdministrator of [true, false]) {
    for (const detail of [null, "constructor", "__proto__", HOSTILE]) {
      const sentences = eventKinds.map((kind) =>
        String(html`${eventSentence(english, kind, { app, isByAdministrator, detail }).text}`),
      )
      for (const text of sentences) assert.match(text, /^(?:[A-Z]|<bdi>).+\.$/s)
      assert.equal(new Set(sentences).size, eventKinds.length)
    }
  }
})

test("an app that was removed keeps the name it had, where it is known", () => {
  const of = (detail: string | null) =>
    String(html`${eventSentence(english, "app-removed", { app, isByAdministrator: false, detail }).text}`)
  assert.match(of("Notes & more"), /^You removed\s+<bdi>Notes &amp; more<\/bdi>\.$/)
  assert.match(of(null), /^You removed\s+an app of yours\.$/)
})

test("PAGE-1 a sentence that ends with the name of an app has one period", () => {
  const inc = html`<bdi class="name">Acme Inc.</bdi>`
  for (const isByAdministrator of [true, false])
    for (const detail of [null, "account-holder", "administrator", "Acme Inc."])
      for (const kind of eventKinds) {
        const { text } = eventSentence(english, kind, { app: inc, isByAdministrator, detail })
        assert.doesNotMatch(String(html`${text}`), /\.<\/bdi>\./, kind)
      }
})

test("CRED-2, CRED-4 it says why a session ended, and what to do", () => {
  const of = (detail: string) =>
    String(
      html`${eventSentence(english, "credential-revoked", { app, isByAdministrator: false, detail }).text}`,
    )
  assert.equal(of("app"), "Notebook signed itself out.")
  assert.equal(of("account-holder"), "You ended the access of Notebook.")
  assert.equal(of("administrator"), "An administrator ended the access of Notebook.")
  for (const because of ["code-replayed", "refresh-token-reused", "account-removed", "app-removed"])
    assert.match(of(because), /^(The access of )?Notebook (was signed out|ended)/)
  assert.equal(of("something new"), "The access of Notebook was ended.")
  const text = textOf(renderActivity(activity))
  for (const part of [
    "Notebook Sync ( Ada's laptop ) was signed out: a key that it had replaced long ago was used again.",
    "What Notebook Sync may do was changed.",
    "an app that is gone ( Ada's laptop ) was signed out: the app was removed from this service.",
    "It has to register again",
    "Network address 192.0.2.7",
  ])
    assert.ok(text.includes(part), part)
})

test("LOGIN-6 an address that an application set is its word, by its label, and no reason to worry", () => {
  const of = (detail: string | null, label: string) =>
    eventSentence(english, "email-changed", {
      app,
      isByAdministrator: false,
      detail,
      providers: new Map([["shop", { label }]]),
    })
  const set = of("through shop", "The shop")
  assert.equal(String(set.text), "<bdi>The shop</bdi> set your e-mail address.")
  assert.equal(set.more, undefined)
  assert.equal(String(of("through former", "").text), "<bdi>former</bdi> set your e-mail address.")
  assert.match(String(of(null, "").text), /^You changed/)
  assert.match(String(of(null, "").more), /change your password/)
})

test("activity calls a refused proof what it was", () => {
  const refusedProof = (detail: string | null) =>
    String(html`${eventSentence(english, "factor-refused", { app, isByAdministrator: false, detail }).text}`)
  assert.match(refusedProof("password"), /^The password, /)
  assert.match(refusedProof("code"), /^A code /)
  assert.match(refusedProof("passkey: its count went back"), /^A passkey /)
  assert.match(refusedProof(null), /^A proof /)
})

test("FACTOR-11 activity says how many wrong codes came in a row", () => {
  const sentence = (detail: string) =>
    eventSentence(english, "factor-refused", { app, isByAdministrator: false, detail })
  assert.equal(String(sentence("code: 1 in a row").text), "A code for your account was not right.")
  assert.equal(String(sentence("code: 7 in a row").text), "7 codes in a row for your account were not right.")
  assert.match(String(sentence("code: 7 in a row").more), /those of the first/)
  const known = "code from a known browser: "
  assert.match(String(sentence(`${known}1 in a row`).text), /^A code .* from a browser .* was not right\.$/)
  assert.match(
    String(sentence(`${known}12 in a row`).text),
    /^12 codes .* from a browser .* were not right\.$/,
  )
})

test("SVC-7, SVC-8 it says who registered an app", () => {
  const by = (isByAdministrator: boolean) =>
    String(html`${eventSentence(english, "app-registered", { app, isByAdministrator, detail: null }).text}`)
  assert.equal(by(false), "You registered Notebook.")
  assert.equal(by(true), "An administrator registered Notebook in your name.")
})

test("PERM-5 a change of an app that the account uses is described by its effect on the account", () => {
  const texts = (["app-changed", "app-disabled", "app-enabled"] as const).map((kind) =>
    String(html`${usedAppSentence(english, kind, app).text}`),
  )
  assert.deepEqual(texts, [
    "What Notebook may do was changed.",
    "Notebook was disabled.",
    "Notebook was enabled again.",
  ])
})

test("activity stands day by day, each moment in UTC, and leads on and back", () => {
  const page = renderActivity(activity)
  const text = textOf(page)
  assert.ok(text.includes("12 March 2026 07:20"), text)
  assert.ok(text.includes("11 March 2026 03:33"))
  const links = tagsOf(page).flatMap(({ attributes }) => attributes.get("href") ?? [])
  assert.ok(links.includes("/account/activity?after=7&before=9"))
  assert.ok(textOf(renderActivity({ ...activity, rows: [], isAnyAppGone: false })).includes("Nothing yet."))
})
