import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { decided } from "../../../src/model/change.rules.ts"
import { Browser } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { MailServer } from "../../support/mail-server.ts"
import { wholeFile } from "../../support/spawn.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { textOf } from "../../platform/ui/markup.ts"

const file = wholeFile()
const mails = await MailServer.open()
file.after(() => mails.close())
const { testServer, ada } = await fixture({ span: file, admins: ["ada"], browsers: ["ada"] })
const mailing = await fixture({ span: file, mail: mails.config(), admins: ["root"], browsers: ["root"] })

const NEW = "/console/invitation/new"

describe("the console invites people", () => {
  test("INVITE-5 where an administrator looks for it: the list of accounts leads to the form and the list", async () => {
    const { text } = await ada.get("/console/accounts")
    assert.match(text, /href="\/console\/invitation\/new">Invite a person</)
    assert.match(text, /href="\/console\/invitations">Open invitations</)
  })

  test("INVITE-1, INVITE-3 the link is shown once, and gives the groups that are still there", async () => {
    for (const name of ["staff", "night"])
      await testServer.store.change({}, () =>
        decided(null, { change: "groupSet", group: { name, title: null, createdAt: 1 } }),
      )
    const form = await ada.get(NEW)
    const page = await ada.submit(form, NEW, { name: "grace", days: "2", group: ["staff", "night"] })
    assert.equal(page.status, 200)
    const [, url = ""] =
      /<input id="link" value="([^"]+\/invitation\?link=[\w-]{43})" readonly/.exec(page.text) ?? []
    assert.ok(url.startsWith(testServer.issuer), page.text)
    const reloaded = await ada.submit(form, NEW, { name: "grace", days: "2", group: ["staff", "night"] })
    assert.equal(reloaded.location, "/console/invitations", "a reload makes no second one")
    assert.equal((await testServer.store.invitations({ limit: 9 })).length, 1)
    const list = textOf((await ada.get("/console/invitations")).text)
    assert.match(list, /grace .*Handed over .*night, staff .*ada/)
    assert.ok(!list.includes("link="))
    await testServer.store.change({}, () => decided(null, { change: "groupRemoved", name: "night" }))
    const guest = new Browser(testServer.url)
    const invitation = await guest.get(url.slice(testServer.issuer.length))
    await guest.submit(invitation, "/invitation", { username: "grace", password: PASSWORD })
    const { accountByName } = await testServer.store.read({ accountByName: "grace" })
    const { account, memberships } = await testServer.store.read({
      account: accountByName?.userId ?? null,
      memberships: accountByName?.userId ?? null,
    })
    assert.deepEqual(account?.groups, ["staff"])
    assert.deepEqual(memberships, [{ group: "staff", provider: null }])
    const [joined] = await testServer.store.events({ kinds: ["groups-joined"] }, { limit: 1 })
    assert.equal(joined?.detail, "staff")
    assert.match((await ada.get("/console/invitations")).text, /No invitation is open/)
  })

  test("INVITE-1 what was typed stays beside the problem", async () => {
    const answer = await ada.submit(await ada.get(NEW), NEW, { name: "ADA", days: "3", admin: "on" })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /There is an account of that name/)
    assert.match(answer.text, /name="name"[^>]* value="ADA"/)
    assert.match(answer.text, /name="admin"[^>]* checked/)
    for (const [fields, problem] of [
      [{ days: "0" }, /1 to 90 days/],
      [{ days: "many" }, /1 to 90 days/],
      [{ days: "3", group: "x" }, /There is no group &quot;x&quot;/],
    ] as const)
      assert.match((await ada.submit(await ada.get(NEW), NEW, fields)).text, problem)
  })

  test("INVITE-4, INVITE-5 a mailed link is shown nowhere, and the invitation is withdrawn", async () => {
    const { root } = mailing
    const form = await root.get(NEW)
    const sent = await root.submit(form, NEW, { email: "grace@example.org", days: "7", language: "fr" })
    assert.equal(sent.location, "/console/invitations?done=invited")
    const list = await root.get(sent.location)
    assert.match(textOf(list.text), /grace@example\.org .*Mailed/)
    assert.ok(!list.text.includes("link="))
    await mailing.testServer.sendMails()
    assert.match(mails.mails.at(-1)?.subject ?? "", /^Vous avez reçu une invitation/)
    const [, revoke = ""] = /href="(\/console\/invitation\/revoke\?id=\w+)"/.exec(list.text) ?? []
    const ask = await root.get(revoke)
    assert.match(textOf(ask.text), /grace@example\.org: the link stops working at once/)
    const done = await root.submit(ask, "/console/invitation/revoke", {})
    assert.equal(done.location, "/console/invitations?done=uninvited")
    assert.match((await root.get(done.location)).text, /No invitation is open/)
    assert.equal((await root.get(revoke)).status, 404)
  })
})
