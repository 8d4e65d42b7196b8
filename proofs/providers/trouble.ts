/** What goes wrong at a provider: new keys, an outage, and another issuer. */
import assert from "node:assert/strict"
import { relinkProvider } from "../../src/admin/providers/relink.ts"
import { connect, refresh, signedInBrowser } from "../../test/support/connect.ts"
import { until } from "../../test/support/until.ts"
import type { World } from "./world.ts"

const SLOWEST_MILLISECONDS = 6_000

/** Keycloak signs with a key that it did not have before. */
export async function newKeys(world: World): Promise<void> {
  const { id: parentId } = await world.keycloak.administer<{ readonly id: string }>("GET", "/realms/staff")
  await world.keycloak.administer("POST", "/realms/staff/components", {
    name: "newer",
    providerId: "rsa-generated",
    providerType: "org.keycloak.keys.KeyProvider",
    parentId,
    config: { priority: ["500"], keySize: ["2048"], active: ["true"], enabled: ["true"] },
  })
  assert.equal((await world.signIn("ada")).page.status, 303)
}

export async function outage(world: World): Promise<{ readonly slowest: number; readonly back: number }> {
  const app = await world.server.addApp()
  const { visitor } = await world.signIn("ada")
  const tokens = await connect(world.server, app, "chief")
  await world.keycloak.stop()
  // The configuration is read again, so that no copy of the metadata helps.
  world.offer()
  let slowest = 0
  for (let tries = 0; tries < 5; tries += 1) {
    const { here } = world.visitor()
    const page = await here.get("/sign-in")
    const begun = performance.now()
    const answer = await here.submit(page, "/sign-in/with/staff", {})
    slowest = Math.max(slowest, performance.now() - begun)
    assert.equal(answer.status, 503)
    assert.match(answer.text, /does not answer right now/)
  }
  assert.ok(slowest < SLOWEST_MILLISECONDS, `an answer took ${slowest} ms`)
  assert.equal((await visitor.here.get("/account")).status, 200)
  assert.equal((await refresh(world.server, app, tokens.refresh_token)).status, 200)
  await signedInBrowser(world.server, "chief")
  await world.keycloak.start()
  const begun = performance.now()
  const isBack = async () => {
    const { here } = world.visitor()
    return (await here.submit(await here.get("/sign-in"), "/sign-in/with/staff", {})).status === 200
  }
  await until(isBack, "sign-ins through Keycloak")
  const back = performance.now() - begun
  assert.equal((await world.signIn("ada")).page.status, 303)
  return { slowest, back }
}

/** The realm gets another name, and so another issuer. Returns the number of links that moved. */
export async function move(world: World): Promise<number> {
  const userId = (await world.accountOf("ada"))?.userId
  await world.keycloak.administer("PUT", "/realms/staff", { realm: "people" })
  world.realm = "people"
  const provider = world.offer()
  assert.match((await world.signIn("ada")).page.text, /No account here is connected/)
  const dry = await relinkProvider(world.server.latchkey, provider, true)
  assert.ok(dry.ok && dry.value.length > 0 && dry.value.every(({ isTaken }) => !isTaken))
  assert.match(
    (await world.signIn("ada")).page.text,
    /No account here is connected/,
    "a dry run changes nothing",
  )
  assert.ok((await relinkProvider(world.server.latchkey, provider, false)).ok)
  const { visitor, page } = await world.signIn("ada")
  assert.equal(page.status, 303, page.text)
  assert.match((await visitor.here.get("/account")).text, /ada/)
  assert.equal((await world.accountOf("ada"))?.userId, userId)
  return dry.value.length
}
