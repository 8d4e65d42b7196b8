/** The API and the console say which groups a reach lacks, while a person leaves and comes back. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { connectIn } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import { call } from "../../support/signed-in.ts"
import { textOf } from "../../platform/ui/markup.ts"

const { testServer, root, bob, app, userIds } = await fixture({
  permissions: { "crew:rota": { title: "See the rota", for_groups: ["crew", "ops"] } },
  admins: ["root"],
  accounts: ["bob"],
  browsers: ["root", "bob"],
  apps: { app: { permissions: ["credentials:read", "crew:rota", "admin:credentials"] } },
})

type Row = {
  readonly permission: string
  readonly reached: boolean
  readonly for_groups: readonly string[]
  readonly blockers: readonly string[]
  readonly sentence: string
}
type Explained = {
  readonly reach: string
  readonly blockers: readonly string[]
  readonly for_groups: readonly string[]
  readonly permissions: readonly Row[]
}

const ROTA = "Not reached: it is for the groups crew and ops, and the account is in none of them."
const APP = "The app is for the group crew, and the account is not in it."

test("GROUP-1, GROUP-2 an explanation names the groups of a permission, and of an app that reaches nothing", async () => {
  await setGroups(testServer, userIds.bob, "ops")
  const held = await connectIn(bob, testServer, app)
  const { access_token } = await connectIn(root, testServer, app, { scope: "admin:credentials" })
  const path = `credentials/${held.token_id}/explanation`
  const explain = async () =>
    (await call(testServer, `/api/admin/${path}`, access_token)).body as unknown as Explained
  const rota = ({ permissions }: Explained) =>
    permissions.find(({ permission }) => permission === "crew:rota") ?? assert.fail()
  const page = async () => textOf((await root.get(`/console/credential?id=${held.token_id}`)).text)

  const reached = await explain()
  assert.deepEqual([rota(reached).reached, reached.reach], [true, "credentials:read crew:rota"])
  assert.ok(!(await page()).includes("in none of them"))

  await setGroups(testServer, userIds.bob)
  const left = await explain()
  const { blockers, for_groups, sentence } = rota(left)
  assert.deepEqual([blockers, for_groups, sentence], [["not-in-groups"], ["crew", "ops"], ROTA])
  assert.deepEqual([left.reach, left.blockers, left.for_groups], ["credentials:read", [], []])
  assert.ok((await page()).includes(`${ROTA} Put the account into one of the groups crew and ops.`))
  const own = await call(testServer, `/api/${path}`, held.access_token)
  assert.equal(rota(own.body as unknown as Explained).sentence, ROTA)

  await setAppGroups(testServer, app, "crew")
  const nothing = await explain()
  assert.equal(nothing.reach, undefined, "root is not in the group either")
  assert.ok((await page()).includes(`${APP} Put the account into the group crew.`))
  await setGroups(testServer, userIds.root, "crew")
  const forCrew = await explain()
  assert.deepEqual([forCrew.reach, forCrew.blockers, forCrew.for_groups], ["", ["app-for-groups"], ["crew"]])

  await setGroups(testServer, userIds.bob, "crew")
  const back = await explain()
  assert.deepEqual([back.reach, back.blockers], ["credentials:read crew:rota", []])
  await setAppGroups(testServer, app)
})
