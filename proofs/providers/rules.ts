/** Who gets an account, who is connected by an address, who is an administrator, and who is in which groups. */
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../src/accounts/email/email.ts"
import { endMarks, makeGroups } from "../../src/admin/upkeep/group-rules.ts"
import { introspected } from "../../test/support/signed-in.ts"
import { grant } from "../../test/support/grant.ts"
import type { World } from "./world.ts"

const createAccounts = { domains: ["example.org"], claim: null }

/** Returns the number of refused sign-ins. */
export async function newcomers(world: World): Promise<number> {
  assert.match((await world.signIn("ada")).page.text, /No account here is connected/)
  world.offer({ createAccounts })
  assert.match((await world.signIn("eve")).page.text, /which organization/, "email_verified is false")
  const first = await world.signIn("ada")
  assert.equal(first.page.location, "/account", first.page.text)
  const userId = (await world.accountOf("ada"))?.userId
  assert.equal((await world.signIn("ada")).page.status, 303)
  assert.equal((await world.accountOf("ada"))?.userId, userId, "the same account")

  await world.server.addAccount("grace-here")
  const set = await setEmailByOperator(world.server.latchkey, "grace-here", "Grace@example.org", {
    address: null,
  })
  assert.ok(set.ok)
  world.offer({ createAccounts, authoritativeDomains: ["example.org"] })
  const connected = await world.signIn("grace")
  assert.equal(connected.page.status, 303, connected.page.text)
  assert.match((await connected.visitor.here.get("/account")).text, /grace-here/)
  assert.equal(await world.accountOf("grace"), null, "no second account")
  return 2
}

/** The group gives administration, and its removal takes it back at the next sign-in. */
export async function administration(world: World): Promise<void> {
  world.offer({ administrators: { name: "groups", value: "admins" } })
  await world.signIn("ada")
  assert.equal((await world.accountOf("ada"))?.admin, true)
  type Named = { readonly id: string }
  const [ada] = await world.keycloak.administer<Named[]>("GET", "/realms/staff/users?username=ada&exact=true")
  const [group] = await world.keycloak.administer<Named[]>("GET", "/realms/staff/groups?search=admins")
  await world.keycloak.administer("DELETE", `/realms/staff/users/${ada?.id}/groups/${group?.id}`)
  await world.signIn("ada")
  assert.equal((await world.accountOf("ada"))?.admin, false)
  world.offer()
}

/** A group that is taken away at Keycloak is gone after the next sign-in, and an unverified address gives none. */
export async function groups(world: World): Promise<void> {
  const { server, keycloak } = world
  const find = async (path: string) =>
    (await keycloak.administer<readonly { id: string }[]>("GET", path))[0]?.id
  const users = "/realms/staff/users"
  world.offer({ groups: { name: "groups", map: new Map([["analysts", "their-analysts"]]) } })
  await makeGroups(server.latchkey)
  const permissions: readonly string[] = []
  const api = await server.addApp({
    type: "confidential",
    resourceServer: true,
    permissions,
    redirectUris: [],
  })
  const { visitor } = await world.signIn("ada")
  const { access_token: token } = await grant(server, visitor.here, await server.addApp())
  const felt = async () => (await introspected(server, api, token)).body["groups"]
  assert.deepEqual(await felt(), ["their-analysts"])
  const [ada, eve] = [
    await find(`${users}?username=ada&exact=true`),
    await find(`${users}?username=eve&exact=true`),
  ]
  const group = await find("/realms/staff/groups?search=analysts")
  await keycloak.administer("DELETE", `${users}/${ada}/groups/${group}`)
  await world.signIn("ada")
  assert.deepEqual(await felt(), [], "taken away there, and gone after the next sign-in")
  await keycloak.administer("PUT", `${users}/${ada}/groups/${group}`)
  await world.signIn("ada")
  assert.deepEqual(await felt(), ["their-analysts"], "back without a new consent")

  await server.addAccount("eve-here")
  await world.link("eve-here", eve ?? "")
  world.offer({ groups: { name: "email", map: new Map([["eve@example.org", "their-analysts"]]) } })
  const groupsOfEve = async () => (await world.accountOf("eve-here"))?.groups
  assert.equal((await world.signIn("eve")).page.status, 303)
  assert.deepEqual(await groupsOfEve(), [], "email_verified is false")
  for (const emailVerified of [true, false]) {
    await keycloak.administer("PUT", `${users}/${eve}`, { email: "eve@example.org", emailVerified })
    assert.equal((await world.signIn("eve")).page.status, 303)
    assert.deepEqual(await groupsOfEve(), emailVerified ? ["their-analysts"] : [])
  }
  world.offer()
  await endMarks(server.latchkey)
  assert.deepEqual(await felt(), [], "the rule left the file")
}
