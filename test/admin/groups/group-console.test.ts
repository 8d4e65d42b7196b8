/** Groups in the console: what an administrator sees and does, with a preview before. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { FRESH_PROOF_SECONDS } from "../../../src/kernel/account-limits.ts"
import type { ClientId, UserId } from "../../../src/kernel/ids.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { textOf } from "../../platform/ui/markup.ts"

const { testServer, userIds, ada } = await fixture({
  permissions: { "crew:rota": { title: "See the rota", for_groups: ["crew"] } },
  admins: ["ada"],
  accounts: ["bob"],
  browsers: ["ada"],
})
const bob = userIds.bob
const { store } = testServer

const fill = async (page: string, action: string, fields: Record<string, string | readonly string[]>) =>
  ada.submit(await ada.get(page), action, fields)
const textAt = async (path: string) => textOf((await ada.get(path)).text)
const groupsOf = async (userId: string) => (await store.read({ account: userId as UserId })).account?.groups

test("GROUP-18 a group is added, titled, listed and removed, and what is wrong is said", async () => {
  assert.match(await textAt("/console/groups"), /No groups yet/)
  const add = "/console/group/new"
  const wrong = await fill(add, add, { name: "Sales", title: "" })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /value="Sales"/)
  const added = await fill(add, add, { name: "sales", title: "Sales <b>" })
  assert.equal(added.location, "/console/group?name=sales&done=group-added")
  const page = await ada.get("/console/group?name=sales")
  assert.match(textOf(page.text), /0 accounts/)
  assert.ok(page.text.includes("Sales &lt;b&gt;") && !page.text.includes("<b>"))
  assert.equal((await ada.submit(page, "/console/group", { title: "\u0000" })).status, 400)
  const titled = await ada.submit(page, "/console/group", { title: "Sales team" })
  assert.equal(titled.location, "/console/group?name=sales&done=group-titled")
  assert.match(await textAt("/console/groups"), /sales\s+Title\s*Sales team/)
  const remove = "/console/group/remove"
  assert.match(await textAt(`${remove}?name=sales`), /No live credential loses or gains anything/)
  assert.equal(
    (await fill(`${remove}?name=sales`, remove, {})).location,
    "/console/groups?done=group-removed",
  )
  for (const path of ["/console/group?name=sales", `${remove}?name=sales`, "/console/group?name=%00"])
    assert.equal((await ada.get(path)).status, 404, path)
})

test("GROUP-11, GROUP-18 groups of an account are ticked, previewed and then changed; a provider’s mark stays", async () => {
  const add = "/console/group/new"
  for (const name of ["dev", "ops"]) await fill(add, add, { name })
  const path = "/console/account/groups"
  const choice = await ada.get(`${path}?id=${bob}`)
  const preview = await ada.submit(choice, path, { group: ["dev", "ops"] })
  assert.equal(preview.status, 200)
  assert.match(textOf(preview.text), /Joins dev, ops\./)
  assert.deepEqual(await groupsOf(bob), [], "nothing is done yet")
  const done = await ada.submit(preview, path, { group: ["dev", "ops"] })
  assert.equal(done.location, `/console/account?id=${bob}&done=grouped`)
  assert.deepEqual(await groupsOf(bob), ["dev", "ops"])
  assert.match(await textAt(`/console/account?id=${bob}`), /Groups\s*dev ?, ops/)
  assert.match(await textAt("/console/group?name=dev"), /bob/)
  const marks = [
    { group: "dev", provider: null },
    { group: "dev", provider: "corp" },
    { group: "ops", provider: null },
  ]
  await store.change({}, () =>
    decided(null, { change: "membershipsSet", userId: bob as UserId, memberships: marks }),
  )
  const again = await ada.get(`${path}?id=${bob}`)
  assert.match(textOf(again.text), /Given by corp/)
  const leaving = await ada.submit(again, path, { group: ["ops"] })
  assert.match(textOf(leaving.text), /Leaves, unless a sign-in provider gives it: dev\./)
  assert.match(textOf(leaving.text), /Nothing changes/)
  await ada.submit(leaving, path, { group: ["ops"] })
  assert.deepEqual(await groupsOf(bob), ["dev", "ops"])
  const { memberships } = await store.read({ memberships: bob as UserId })
  assert.deepEqual(memberships, marks.slice(1))
  assert.equal(
    (await ada.submit(again, path, { group: ["ops"] })).location,
    `/console/account?id=${bob}&done=unchanged`,
  )
})

test("GROUP-18 a confirmation covers only the change that it names", async () => {
  const path = "/console/account/groups"
  const choice = await ada.get(`${path}?id=${userIds.ada}`)
  const preview = await ada.submit(choice, path, { group: ["dev"] })
  const other = await ada.submit(preview, path, { group: ["ops"] })
  assert.equal(other.status, 200, "another change is previewed again")
  assert.deepEqual(await groupsOf(userIds.ada), [])
  const gone = await ada.submit(preview, path, { group: ["gone"], confirmed: "+gone" })
  assert.equal(gone.status, 400)
  assert.match(textOf(gone.text), /There is no group "gone"/)
})

test("GROUP-17 the form of an app sets its groups after a preview, and its page names them", async () => {
  const { clientId } = await testServer.addApp({ name: "Notebook", permissions: ["account:read"] })
  const edit = "/console/app/edit"
  const form = await ada.get(`${edit}?id=${clientId}`)
  const fields = { name: "Notebook", redirect_uris: "https://app.example/", permission: "account:read" }
  const wrong = await ada.submit(form, edit, { ...fields, groups: "dev opps" })
  assert.equal(wrong.status, 400)
  assert.match(textOf(wrong.text), /There is no group "opps"\. Did you mean ops\?/)
  const preview = await ada.submit(form, edit, { ...fields, groups: "ops dev" })
  assert.equal(preview.status, 200)
  const groups = async () => (await store.read({ client: clientId as ClientId })).client?.groups
  assert.deepEqual(await groups(), [])
  assert.equal((await ada.submit(preview, edit, {})).status, 303)
  assert.deepEqual(await groups(), ["dev", "ops"])
  assert.match(await textAt(`/console/app?id=${clientId}`), /Only for groups\s*dev ?, ops/)
  const add = "/console/group/new"
  await fill(add, add, { name: "crew" })
  const ofGroup = await ada.get("/console/group?name=ops")
  assert.match(textOf(ofGroup.text), /Apps for it\s*Notebook/)
  assert.ok(ofGroup.text.includes(`href="/console/app?id=${clientId}"`))
  assert.doesNotMatch(textOf(ofGroup.text), /Permissions for it/)
  assert.match(await textAt("/console/group?name=crew"), /Permissions for it\s*(?:\S+, )*crew:rota/)
  assert.match(await textAt("/console/group/remove?name=ops"), /Apps for it: Notebook/)
  assert.match(await textAt("/console/group/remove?name=crew"), /Permissions for it: (?:\S+, )*crew:rota/)
})

test("GROUP-18 the pages that change something ask for a recent factor, and other accounts find none of them", async () => {
  testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
  for (const path of [
    `/console/account/groups?id=${bob}`,
    "/console/group/remove?name=dev",
    "/console/group/new",
  ])
    assert.match(await textAt(path), /Confirm that it’s you/)
  const stranger = await signedInBrowser(testServer, "bob")
  for (const path of ["/console/groups", "/console/group?name=dev"])
    assert.equal((await stranger.get(path)).status, 404)
})
