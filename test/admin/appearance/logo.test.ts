/** Tests GET /appearance/logo and /appearance/logo-dark: who gets which response, and what counts. */
import { beforeEach, test } from "node:test"
import assert from "node:assert/strict"
import { changeAppearance } from "../../../src/admin/appearance/appearance.ts"
import { drawIcon } from "../../../src/apps/icon/icon.ts"
import { fixture } from "../../support/fixture.ts"
import { png } from "../../support/picture.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer } = await fixture()
const services = testServer.latchkey

async function drawn(width: number) {
  const icon = await drawIcon(png(width, 20), "logo")
  assert.ok(icon.ok)
  return icon.value
}
const first = await drawn(40)
const second = await drawn(60)

const get = (query: string, path = "/appearance/logo") => fetch(testServer.url + path + query)

beforeEach(async () => void (await changeAppearance(services, { logo: first }, OPERATOR)))

async function assertUnknown(answer: Response): Promise<void> {
  assert.equal(answer.status, 404)
  assert.equal(answer.headers.get("cache-control"), "no-store")
}

test("LOOK-4 the logo with its digest is immutable, and without one it is revalidated", async () => {
  for (const [query, cacheControl] of [
    [`?v=${first.hash}`, "public, max-age=31536000, immutable"],
    ["", "no-cache"],
  ] as const) {
    const answer = await get(query)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get("cache-control"), cacheControl)
    assert.equal(answer.headers.get("content-type"), "image/png")
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff")
    assert.equal(answer.headers.get("content-security-policy"), "default-src 'none'; sandbox")
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(first.png))
  }
})

test("LOOK-4 another digest, a missing logo and a logo in the other's place are not found", async () => {
  for (const query of [`?v=${second.hash}`, "?v=", `?v=${first.hash}&v=${first.hash}`])
    await assertUnknown(await get(query))
  await assertUnknown(await get(`?v=${first.hash}`, "/appearance/logo-dark"))
  await assertUnknown(await get("", "/appearance/logo-dark"))
})

test("LOOK-4 a logo that another node has just stored is served at once, and the former one is gone", async () => {
  await get(`?v=${first.hash}`)
  await changeAppearance(services, { logo: second }, OPERATOR)
  assert.equal((await get(`?v=${second.hash}`)).status, 200)
  await assertUnknown(await get(`?v=${first.hash}`))
})

test("LOOK-4 wrong digests count against the anonymous budget", async () => {
  await testServer.set("rate_limit.oauth_anonymous", "3/60")
  testServer.clock.advance(100_000)
  for (const status of [404, 404, 404, 429]) assert.equal((await get("?v=wrong")).status, status)
})
