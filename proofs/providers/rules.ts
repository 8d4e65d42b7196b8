/** Who gets an account, who is connected by an address, and who is an administrator. */
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../src/accounts/email/email.ts"
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
