import { test } from "node:test"
import assert from "node:assert/strict"
import { EMAIL_ADDRESS_LENGTH } from "../../../src/kernel/account-limits.ts"
import { english } from "../../support/page-input.ts"
import { newEmailAddress, parseEmailAddress } from "../../../src/model/mail/email-address.rules.ts"

test("EMAIL-1 an address keeps the case of its local part, and its key is lower case", () => {
  assert.deepEqual(parseEmailAddress("Alice.B+x@Mail.EXAMPLE.org"), {
    ok: true,
    value: { address: "Alice.B+x@mail.example.org", addressKey: "alice.b+x@mail.example.org" },
  })
  assert.equal(parseEmailAddress("a@xn--bcher-kva.example").ok, true)
})

test("EMAIL-1 everything that is not exactly one plain mailbox is refused", () => {
  for (const text of [
    "",
    "alice",
    "@example.org",
    "alice@",
    "alice@localhost",
    "alice@example..org",
    "alice@-example.org",
    "alice@example.org.",
    "alice@192.0.2.7",
    "alice@[192.0.2.7]",
    ".alice@example.org",
    "al..ice@example.org",
    "alice@example.org,eve@example.org",
    "alice@example.org;eve@example.org",
    "Alice <alice@example.org>",
    '"alice"@example.org',
    "alice(comment)@example.org",
    "alice@eve@example.org",
    "alice @example.org",
    "alice@example.org ",
    "alice@example.org\r\nBcc: eve@example.org",
    "alice@example.org\0",
    "älice@example.org",
    "alice@exämple.org",
    "alice@EXAMPLE.orK\u212a",
    `${"a".repeat(65)}@example.org`,
    `a@${"b".repeat(64)}.org`,
    `a@${"b.".repeat(130)}org`,
  ])
    assert.equal(parseEmailAddress(text).ok, false, JSON.stringify(text))
})

test("EMAIL-1 an English page says the same of an address as the command line", () => {
  for (const bad of ["a".repeat(255), "älice@example.org", "alice"]) {
    const [named, said] = [newEmailAddress(bad), parseEmailAddress(bad)]
    assert.ok(!named.ok && !said.ok)
    const text = english.plain(`email.problem.${named.error}`, { most: EMAIL_ADDRESS_LENGTH.whole })
    assert.equal(text, said.error)
  }
})
