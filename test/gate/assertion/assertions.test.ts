/** The assertion and the directory of its keys, with real files. */
import { after, test } from "node:test"
import assert from "node:assert/strict"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { Assertions } from "../../../src/gate/assertion/assertions.ts"
import { testClock } from "../../support/clock.ts"
import { DAY } from "../../../src/kernel/time.ts"

const RESOURCE = "https://api.example/notes"
const access = {
  accountId: "account-1",
  username: "bob",
  accountType: "person",
  clientId: "app-1",
  tokenId: "credential-1",
  permissions: ["files:read", "files:write"],
  groups: ["billing", "staff:on-call"],
  audience: [],
  issuedAt: 1_800_000_000,
  expiresAt: 1_800_003_600,
  elevatedUntil: null,
  identities: [],
} as const

const made: string[] = []
after(() => made.forEach((directory) => rmSync(directory, { recursive: true })))

function newDirectory(): string {
  const one = mkdtempSync(join(tmpdir(), "latchkey-keys-"))
  made.push(one)
  return join(one, "keys")
}

const optionsIn = (keys: string, algorithm = "EdDSA") => ({
  issuer: "https://gate.example",
  keys,
  algorithm,
  rotateDays: 30,
})

function verify(jwt: string, jwks: string, at: number) {
  const keys = createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet)
  return jwtVerify(jwt, keys, {
    issuer: "https://gate.example",
    audience: RESOURCE,
    currentDate: new Date(at * 1000),
  })
}

for (const algorithm of ["EdDSA", "RS256"])
  test(`GATE-11 an assertion with ${algorithm} says who called, for at most a minute`, async () => {
    const clock = testClock()
    const assertions = await Assertions.open(optionsIn(newDirectory(), algorithm), clock)
    const { jwt, until } = await assertions.sign(access, RESOURCE)
    const { payload, protectedHeader } = await verify(jwt, assertions.jwks, clock.now())
    const { jti, ...claims } = payload
    assert.deepEqual(claims, {
      iss: "https://gate.example",
      aud: RESOURCE,
      sub: "account-1",
      client_id: "app-1",
      scope: "files:read files:write",
      groups: ["billing", "staff:on-call"],
      iat: clock.now(),
      exp: clock.now() + 60,
    })
    assert.match(String(jti), /^[\w-]{22}$/)
    assert.equal(protectedHeader.alg, algorithm)
    assert.equal(until, clock.monotonic() + 30_000)
    const short = await assertions.sign({ ...access, expiresAt: clock.now() + 10 }, RESOURCE)
    assert.equal((await verify(short.jwt, assertions.jwks, clock.now())).payload.exp, clock.now() + 10)
    await assert.rejects(verify(jwt, assertions.jwks, clock.now() + 61))
  })

test("GATE-12 replicas that start together agree on one key, and only its owner can read it", async () => {
  const shared = newDirectory()
  const clock = testClock()
  const replicas = await Promise.all([1, 2, 3].map(() => Assertions.open(optionsIn(shared), clock)))
  assert.deepEqual(readdirSync(shared), ["0-EdDSA.json"])
  assert.equal(statSync(join(shared, "0-EdDSA.json")).mode & 0o777, 0o600)
  const [one, other] = replicas
  assert.equal(one?.jwks, other?.jwks)
  const { d } = (JSON.parse(readFileSync(join(shared, "0-EdDSA.json"), "utf8")) as { key: { d: string } }).key
  assert.ok(one?.jwks.includes(d) === false)
})

test("GATE-12 a rotation is published before and after, and then the old file goes", async () => {
  const shared = newDirectory()
  const clock = testClock()
  const one = await Assertions.open(optionsIn(shared), clock)
  const other = await Assertions.open(optionsIn(shared), clock)
  const before = await one.sign({ ...access, expiresAt: Infinity }, RESOURCE)
  clock.advance(29 * DAY + 60)
  await one.refresh()
  await other.refresh()
  assert.equal(readdirSync(shared).length, 2)
  clock.advance(DAY)
  const later = await other.sign({ ...access, expiresAt: 1e10 }, RESOURCE)
  const { kid } = (await verify(later.jwt, one.jwks, clock.now())).protectedHeader
  const earlier = (await verify(before.jwt, one.jwks, 1_800_000_000)).protectedHeader
  assert.notEqual(kid, earlier.kid)
  clock.advance(DAY)
  await one.refresh()
  await other.refresh()
  assert.equal(readdirSync(shared).length, 1)
  assert.equal(one.jwks, other.jwks)
})

test("GATE-12 a key that others can read, or that is not a key, stops the start without showing it", async () => {
  const shared = newDirectory()
  await Assertions.open(optionsIn(shared), testClock())
  const file = join(shared, "0-EdDSA.json")
  chmodSync(file, 0o644)
  await assert.rejects(Assertions.open(optionsIn(shared), testClock()), /can be read by other users/)
  chmodSync(file, 0o600)
  writeFileSync(file, '{"created_at": 1, "key": {"kty": "OKP", "d": "private-part"}}')
  await assert.rejects(Assertions.open(optionsIn(shared), testClock()), (error: Error) => {
    assert.match(error.message, /is not a key of the gate/)
    return !error.message.includes("private-part")
  })
})
