import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { IncomingMessage } from "node:http"
import { Callers } from "../../src/gate/caller.ts"

const SECRET = "a-secret-that-the-proxy-and-gate-share"
const RANGES = ["10.0.0.0/8", "2001:db8::/32"]

function requestFrom(remoteAddress: string, ...secrets: readonly string[]): IncomingMessage {
  const rawHeaders = secrets.flatMap((secret) => ["latchkey-gate-secret", secret])
  return { socket: { remoteAddress }, rawHeaders } as unknown as IncomingMessage
}

describe("GATE-1 a caller is at a trusted address, or has the secret; where both are configured, both", () => {
  type CallerCase = readonly [
    ranges: readonly string[],
    secret: string | null,
    IncomingMessage,
    string | null,
  ]
  const cases: Readonly<Record<string, CallerCase>> = {
    "address alone": [RANGES, null, requestFrom("10.1.2.3"), null],
    "IPv4 in IPv6": [RANGES, null, requestFrom("::ffff:10.1.2.3"), null],
    IPv6: [RANGES, null, requestFrom("2001:db8::1"), null],
    "another address": [RANGES, null, requestFrom("192.0.2.1"), "addressNotTrusted"],
    "another address that has the secret": [
      RANGES,
      SECRET,
      requestFrom("192.0.2.1", SECRET),
      "addressNotTrusted",
    ],
    "secret alone": [[], SECRET, requestFrom("192.0.2.1", SECRET), null],
    both: [RANGES, SECRET, requestFrom("10.1.2.3", SECRET), null],
    "no secret": [RANGES, SECRET, requestFrom("10.1.2.3"), "secretMissing"],
    "an empty secret": [[], SECRET, requestFrom("10.1.2.3", ""), "secretMissing"],
    "the secret twice": [[], SECRET, requestFrom("10.1.2.3", SECRET, SECRET), "secretMissing"],
    "a wrong secret": [[], SECRET, requestFrom("10.1.2.3", `${SECRET}x`), "secretWrong"],
    "an unknown address": [RANGES, null, requestFrom(""), "addressNotTrusted"],
  }
  for (const [name, [ranges, secret, request, problem]] of Object.entries(cases))
    test(name, () => assert.equal(new Callers(ranges, secret).problemOf(request), problem))

  test("without both, there is no gate", () => {
    assert.throws(() => new Callers([], null), /needs trusted addresses or a shared secret/)
  })
})
