/** Groups that a sign-in provider gives and takes, with real requests. */
import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { removeAccountOfId } from "../../../src/accounts/account-by-id.ts"
import { removeGroup } from "../../../src/accounts/groups/groups.ts"
import { unlinkAccount } from "../../../src/accounts/providers/link.ts"
import { endMarks } from "../../../src/admin/upkeep/group-rules.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { newId } from "../../../src/kernel/random.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { account } from "../../support/core-sample.ts"
import { grant } from "../../support/grant.ts"
import { joinGroups } from "../../support/join-groups.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { recordLog } from "../../support/record-log.ts"
import { introspected } from "../../support/signed-in.ts"
import { OPERATOR, PASSWORD } from "../../support/test-server.ts"
import { accountWithTotp, codeAt } from "../factors/factors.ts"

const rule = (map: Readonly<Record<string, string>>, name = "groups") => ({
  groups: { name, map: new Map(Object.entries(map)) },
})
const RULE = rule({ Staff: "staff", "on call": "on-call" })

const { log, lines } = recordLog("warn")
const visits = await ProviderVisits.open({ admins: ["chief"], log })
const { server } = visits
await joinGroups(server.store, await server.addAccount("keeper"), "staff", "on-call", "by-hand")

/** Adds an account that is linked to the provider with the rule. The subject is its name. */
async function member(t: TestContext) {
  visits.restoreAfter(t)
  const { name, userId, browser } = await visits.person()
  await visits.link(name, name, visits.offer(RULE))
  const marks = async () => {
    const { memberships } = await server.store.read({ memberships: userId as UserId })
    return (memberships ?? []).map(({ group, provider }) => `${group} ${provider ?? "by hand"}`)
  }
  const groups = async () => (await server.store.read({ account: userId as UserId })).account?.groups
  const events = async () => {
    const kinds = ["groups-joined", "groups-left"] as const
    const found = await server.store.events({ kinds, userId: userId as UserId }, { limit: 9 })
    return found.map(({ kind, detail }) => `${kind}: ${detail}`)
  }
  return { name, userId, browser, marks, groups, events }
}

test("GROUP-14 a sign-in gives and takes exactly what the claim says, and the audit trail has each change", async (t) => {
  const { name, groups, events } = await member(t)
  await visits.arrive({ sub: name, groups: ["Staff", "on call", "staff", "guests"] })
  assert.deepEqual(await groups(), ["on-call", "staff"])
  await visits.arrive({ sub: name, groups: ["on call", "Staff"] })
  assert.equal((await events()).length, 1, "the same again changes nothing")
  await visits.arrive({ sub: name, groups: "Staff" })
  assert.deepEqual(await groups(), ["staff"])
  await visits.arrive({ sub: name })
  assert.deepEqual(await groups(), [])
  assert.deepEqual(await events(), [
    "groups-left: staff, by the rule of corp",
    "groups-left: on-call, by the rule of corp",
    "groups-joined: on-call staff, by the rule of corp",
  ])
})

test("GROUP-8, GROUP-14 what the provider took away is gone from the held token's introspection after the sign-in", async (t) => {
  const { name } = await member(t)
  const api = await server.addApp({
    type: "confidential",
    resourceServer: true,
    permissions: [],
    redirectUris: [],
  })
  const { browser } = await visits.arrive({ sub: name, groups: ["Staff"] })
  const held = await grant(server, browser, await server.addApp())
  const groups = async () => (await introspected(server, api, held.access_token)).body["groups"]
  assert.deepEqual(await groups(), ["staff"])
  await visits.arrive({ sub: name, groups: [] })
  assert.deepEqual(await groups(), [])
})

test("GROUP-14 what was given by hand or by another provider stays", async (t) => {
  const { name, userId, marks } = await member(t)
  await joinGroups(server.store, userId, "staff", "by-hand")
  visits.offer(rule({ Staff: "staff" }), "other")
  await visits.arrive({ sub: name, groups: ["Staff"] }, undefined, "other")
  await visits.arrive({ sub: name, groups: ["Staff", "on call"] })
  assert.deepEqual(await marks(), [
    "by-hand by hand",
    "on-call corp",
    "staff by hand",
    "staff corp",
    "staff other",
  ])
  await visits.arrive({ sub: name, groups: [] })
  assert.deepEqual(await marks(), ["by-hand by hand", "staff by hand", "staff other"])
  visits.offer()
  await visits.arrive({ sub: name, groups: ["on call"] })
  assert.deepEqual(await marks(), ["by-hand by hand", "staff by hand", "staff other"], "without a rule")
})

test("GROUP-14 a forged or unverified claim gives no group", async (t) => {
  const { name, groups } = await member(t)
  visits.offer(rule({ [`${name}@corp.example`]: "staff" }, "email"))
  const email = `${name}@corp.example`
  for (const mark of [undefined, false, "true"])
    await visits.arrive({ sub: name, email, ...(mark !== undefined && { email_verified: mark }) })
  assert.deepEqual(await groups(), [])
  await visits.arrive({ sub: name, email, email_verified: true })
  assert.deepEqual(await groups(), ["staff"])
  await visits.arrive({ sub: name, email: `other.${email}`, email_verified: true })
  assert.deepEqual(await groups(), [])
  visits.offer(RULE)
  visits.upstream.sign = (claims) => visits.upstream.swapped(claims)
  const { page } = await visits.arrive({ sub: name, groups: ["Staff"] })
  assert.notEqual(page.status, 303)
  assert.deepEqual(await groups(), [])
})

test("GROUP-14 groups come and go only when the second step is done", async (t) => {
  visits.restoreAfter(t)
  const name = visits.newName()
  const secret = await accountWithTotp(server, name)
  await visits.link(name, name, visits.offer(RULE))
  const groups = async () => (await server.store.read({ accountByName: name })).accountByName?.groups
  const first = await visits.arrive({ sub: name, groups: ["Staff", "on call"] })
  assert.deepEqual(await groups(), [])
  visits.offer(rule({ Staff: "staff" }))
  const done = await first.browser.submit(first.page, "/sign-in/code", { code: codeAt(server, secret) })
  assert.equal(done.status, 303)
  assert.deepEqual(
    await groups(),
    ["staff"],
    "a page that is older than the configuration gives only what its map has",
  )
  visits.clock.advance(60)
  const back = await visits.arrive({ sub: name, groups: [] })
  assert.deepEqual(await groups(), ["staff"])
  await back.browser.submit(back.page, "/sign-in/code", { code: codeAt(server, secret) })
  assert.deepEqual(await groups(), [])
})

test("GROUP-14 a new account has its groups at once, also one that chose its name", async (t) => {
  visits.restoreAfter(t)
  const createAccounts = { domains: [], claim: null }
  visits.offer({ ...RULE, createAccounts })
  const name = visits.newName()
  const groupsOf = async (of: string) =>
    (await server.store.read({ accountByName: of })).accountByName?.groups
  await visits.arrive({ sub: `${name} new`, preferred_username: name, groups: ["Staff"] })
  assert.deepEqual(await groupsOf(name), ["staff"])
  const taken = await visits.arrive({ sub: `${name} other`, preferred_username: name, groups: ["on call"] })
  const username = visits.newName()
  await taken.browser.submit(taken.page, "/sign-in/with/corp/username", { username })
  assert.deepEqual(await groupsOf(username), ["on-call"])
})

test("GROUP-15 beyond fifty groups the first by name count, and the log names no value of the claim", async (t) => {
  const { name, groups } = await member(t)
  const names = Array.from({ length: 60 }, (_, at) => `many-${String(at).padStart(2, "0")}`)
  await joinGroups(server.store, await server.addAccount("of-many"), ...names.slice(0, 30))
  visits.offer(rule(Object.fromEntries(names.map((group) => [`secret ${group}`, group]))))
  await server.restart()
  lines.length = 0
  await visits.arrive({ sub: name, groups: names.map((group) => `secret ${group}`) })
  assert.deepEqual(await groups(), names.slice(0, 50))
  assert.deepEqual(
    lines.map(({ provider, given }) => [provider, given]),
    [["corp", 60]],
  )
  assert.doesNotMatch(JSON.stringify(lines), /secret|many-/)
})

test("GROUP-14 groups of the map are made at a start; one that was removed meanwhile is left out", async (t) => {
  const { name, groups, events } = await member(t)
  visits.offer(rule({ Staff: "made", "on call": "on-call" }))
  await visits.arrive({ sub: name, groups: ["Staff"] })
  assert.deepEqual(await groups(), [], "before the start")
  await server.restart()
  await visits.arrive({ sub: name, groups: ["Staff"] })
  assert.deepEqual(await groups(), ["made"])
  await server.store
    .events({ kinds: ["group-changed"] }, { limit: 1 })
    .then(([event]) => assert.match(event?.detail ?? "", /^made added/))
  assert.ok((await removeGroup(server.latchkey, "made", OPERATOR)).ok)
  const before = await events()
  await visits.arrive({ sub: name, groups: ["Staff"] })
  assert.deepEqual(await groups(), [])
  assert.deepEqual(await events(), before, "a sign-in is no change")
})

test("GROUP-16 what the provider gave ends with the link, by the operator and by the account holder", async (t) => {
  for (const byOperator of [true, false]) {
    const { name, userId, browser, marks } = await member(t)
    await joinGroups(server.store, userId, "by-hand")
    await visits.arrive({ sub: name, groups: ["Staff"] })
    assert.deepEqual(await marks(), ["by-hand by hand", "staff corp"])
    if (byOperator)
      assert.ok((await unlinkAccount(server.latchkey, visits.provider, name, name, OPERATOR)).ok)
    else {
      visits.offer(RULE, "renamed")
      await visits.arrive({ sub: name, groups: ["on call"] }, undefined, "renamed")
      const page = await browser.get("/account/security")
      const gone = await browser.submit(page, "/account/security/disconnect", { password: PASSWORD })
      assert.equal(gone.status, 303, gone.text)
    }
    assert.deepEqual(await marks(), ["by-hand by hand"])
  }
})

test("GROUP-16 at a start, what a rule gave that the file no longer has ends: the rule, its provider, a group of its map", async (t) => {
  const { name, userId, marks, events } = await member(t)
  await joinGroups(server.store, userId, "by-hand")
  visits.offer(RULE, "other")
  const everything = ["Staff", "on call"]
  const fill = async () => {
    visits.offer(RULE)
    await visits.arrive({ sub: name, groups: everything })
    visits.offer(RULE, "other")
    await visits.arrive({ sub: name, groups: everything }, undefined, "other")
  }
  const others = ["by-hand by hand", "on-call other", "staff other"]
  await fill()
  const all = await marks()
  await endMarks(server.latchkey)
  assert.deepEqual(await marks(), all, "the rules are there")
  visits.offer(rule({ Staff: "staff" }))
  await endMarks(server.latchkey)
  assert.deepEqual(await marks(), ["by-hand by hand", "on-call other", "staff corp", "staff other"])
  visits.offer()
  await endMarks(server.latchkey)
  assert.deepEqual(await marks(), others)
  await fill()
  visits.withdraw("corp")
  await endMarks(server.latchkey)
  assert.deepEqual(await marks(), others)
  visits.withdraw("other")
  await endMarks(server.latchkey)
  assert.deepEqual(await marks(), ["by-hand by hand"])
  assert.equal((await events())[0], "groups-left: staff, by the rule of other")
})

test("GROUP-16 the marks of several pages of accounts end, and those of a removed account went with it", async (t) => {
  const { userId } = await member(t)
  const corp = [{ group: "staff", provider: "corp" }]
  const changes = Array.from({ length: 230 }, (_, at): readonly Change[] => {
    const of = { userId: newId<UserId>(visits.clock.now()), username: `bulk${at}`, usernameKey: `bulk${at}` }
    return [
      { change: "accountAdded", account: { ...account, ...of } },
      { change: "membershipsSet", userId: of.userId, memberships: corp },
    ]
  }).flat()
  await server.store.change({}, () => decided(null, ...changes))
  await server.store.change({}, () =>
    decided(null, { change: "membershipsSet", userId: userId as UserId, memberships: corp }),
  )
  const marks = () => server.store.marks({ provider: "", group: "", userId: "" as UserId }, 999)
  assert.equal((await marks()).length, 231)
  assert.ok((await removeAccountOfId(server.latchkey, userId as UserId, OPERATOR)).ok)
  assert.equal((await marks()).length, 230)
  visits.offer()
  await endMarks(server.latchkey)
  assert.deepEqual(await marks(), [])
  assert.deepEqual(await server.store.verify(), [])
})
