import { test } from "node:test"
import assert from "node:assert/strict"
import { samplePage } from "../../support/page-input.ts"
import { type ConsentInput, renderConsent } from "../../../src/oauth/authorize/consent.view.ts"
import { formsOf, tagsOf, textOf, valueOf } from "../../platform/ui/markup.ts"
import { app, consent, HOSTILE, permission } from "../../platform/ui/sample.ts"

const shown = (more: Partial<ConsentInput>) => textOf(renderConsent({ ...consent, ...more }))
const consentForm = (page: string) => formsOf(page).find(({ action }) => action.endsWith("/oauth/consent"))
const decisions = (page: string) =>
  consentForm(page)?.buttons.map(({ attributes }) => [attributes.get("name"), attributes.get("value")])

test("CONSENT-1 one form posts the decision, with Authorize before Refuse", () => {
  const page = renderConsent(consent)
  assert.deepEqual(
    formsOf(page).map(({ action, method }) => [action, method]),
    [
      ["/sign-out", "post"],
      ["/oauth/consent", "post"],
    ],
  )
  assert.deepEqual(decisions(page), [
    ["decision", "authorize"],
    ["decision", "refuse"],
  ])
})

test("CONSENT-1 the form carries the ticket and the anti-forgery value, and nothing else", () => {
  const form = consentForm(renderConsent({ ...consent, ticket: HOSTILE, csrf: `c${HOSTILE}` }))
  assert.deepEqual([...(form?.inputs.keys() ?? [])], ["ticket", "csrf"])
  assert.equal(valueOf(form, "ticket"), HOSTILE)
  assert.equal(valueOf(form, "csrf"), `c${HOSTILE}`)
})

test("CONSENT-1 the base path stands before every address", () => {
  const actions = formsOf(renderConsent({ ...consent, ...samplePage("/auth") })).map(({ action }) => action)
  assert.deepEqual(actions, ["/auth/sign-out", "/auth/oauth/consent"])
})

test("AUTHZ-9, SVC-10 the page says who asks, for which account, and where the browser goes", () => {
  const text = shown({})
  for (const part of ["Notebook Sync wants to use your account", "as ada", "Registered by an administrator"])
    assert.ok(text.includes(part), part)
  assert.ok(text.includes("You’ll return to notebook.example.com"))
})

test("SVC-10 every name of a stranger is isolated from the words around it", () => {
  const page = renderConsent({
    ...consent,
    app: { ...consent.app, name: "\u202eAPP", registeredBy: "user", ownerName: "OWNER" },
    username: "USER",
    installationName: "LABEL\u2067",
  })
  for (const name of ["APP", "USER", "LABEL", "OWNER", "notebook.example.com"])
    assert.match(page, new RegExp(`<bdi[^>]*>${name.replaceAll(".", "\\.")}</bdi>`), name)
  assert.doesNotMatch(page, /[\u202e\u2067]/)
})

test("SVC-10 hostile names stay text, wherever the page shows them", () => {
  const hostile = permission(HOSTILE, { title: HOSTILE, description: HOSTILE, group: HOSTILE })
  const page = renderConsent({
    ...samplePage(HOSTILE),
    app: {
      clientId: HOSTILE,
      name: HOSTILE,
      registeredBy: "user",
      ownerName: HOSTILE,
      verified: true,
      iconUrl: `/${HOSTILE.replaceAll(/[^\x21-\x7e]/g, "")}`,
    },
    username: HOSTILE,
    installationName: HOSTILE,
    granted: [hostile, { ...hostile, admin: true }],
    refusedToAccount: [hostile],
    origin: { from: "browser", returnsTo: { kind: "web", host: HOSTILE } },
    lastsSeconds: 1,
    continueTo: HOSTILE,
    ticket: HOSTILE,
    csrf: HOSTILE,
  })
  assert.ok(tagsOf(page).length > 40)
  assert.equal(tagsOf(page).filter(({ name }) => name === "img").length, 1)
})

test("SVC-10 the page says who registered the app", () => {
  const by = (registeredBy: "administrator" | "user" | "itself", ownerName: string | null) =>
    shown({ app: { ...consent.app, registeredBy, ownerName } })
  assert.ok(by("administrator", "grace").includes("Registered by an administrator"))
  assert.ok(by("user", "grace").includes("Registered by a user: grace"))
  assert.ok(by("user", null).includes("Registered by a user"))
  assert.ok(by("itself", null).includes("This app registered itself and has not been checked"))
})

test("AUTHZ-8 the label is shown where there is one", () => {
  assert.ok(shown({ installationName: "Ada's laptop" }).includes("Label Ada's laptop"))
  assert.ok(!shown({ installationName: null }).includes("Label"))
})

test("PERM-3 every permission is in view, implied ones too, and they are marked", () => {
  const granted = Array.from({ length: 40 }, (_, n) =>
    permission(`p${n}x`, { implied: n % 2 === 1, group: `Group ${n % 3}` }),
  )
  const page = renderConsent({ ...consent, granted })
  const text = textOf(page)
  for (const { title, description, implied } of granted)
    assert.ok(text.includes(`${title} ${implied ? "Included " : ""}${description}`), title)
  // tagsOf accepts no element that collapses and no attribute that hides.
  assert.ok(tagsOf(page).every(({ attributes }) => attributes.get("class") !== "unseen"))
  assert.equal(page.split("<h3>").length - 1, 3)
})

test("PERM-3 without an implied permission nothing speaks of any", () => {
  assert.ok(!shown({ granted: [permission("files:write")] }).includes("Included"))
})

test("PERM-2, PERM-4 admin permissions stand in a section of their own", () => {
  const page = renderConsent({
    ...consent,
    granted: [permission("admin:settings"), permission("files:read")],
  })
  const box = page.slice(page.indexOf('<section class="administration"'))
  const section = box.slice(0, box.indexOf("</section>"))
  assert.ok(section.includes("Administration of this service"))
  assert.ok(section.includes("Title of admin:settings"))
  assert.ok(!section.includes("Title of files:read"))
  assert.equal(page.split("Title of admin:settings").length, 2)
  assert.ok(!renderConsent(consent).includes("Administration of this service"))
})

test("PERM-5 what the account cannot give is listed with the reason, apart from what it gives", () => {
  const page = renderConsent({ ...consent, refusedToAccount: [permission("admin:accounts")] })
  const box = page.slice(page.indexOf('<section class="refused"'))
  assert.match(textOf(`<body>${box}`), /^Not granted .*not an administrator.* Title of admin:accounts/)
  assert.ok(!page.includes("Administration of this service"))
  assert.deepEqual(decisions(page)?.length, 2)
})

test("CONSENT-1, PERM-5 where nothing is left to grant, only Refuse is offered", () => {
  const page = renderConsent({ ...consent, granted: [], refusedToAccount: [permission("admin:accounts")] })
  assert.deepEqual(decisions(page), [["decision", "refuse"]])
  assert.ok(textOf(page).includes("Notebook Sync cannot use your account"))
  assert.ok(!textOf(page).includes("It will be able to"))
})

test("GROUP-4 what the account's groups do not give is named apart, with whom to ask", () => {
  const look = { ...consent.look, name: "Orchard" }
  const refusedByGroups = [permission("crew:read")]
  const page = renderConsent({ ...consent, look, refusedByGroups })
  const box = textOf(`<body>${page.slice(page.indexOf('<section class="refused"'))}`)
  assert.match(
    box,
    /^Not granted This is for certain people only, .* ask the administrator of Orchard\. Title of crew:read/,
  )
  assert.ok(!box.includes("not an administrator"))
  assert.equal(decisions(page)?.length, 2)
  const both = shown({ refusedByGroups, refusedToAccount: [permission("admin:accounts")] })
  assert.match(
    both,
    /Not granted .*not an administrator.* Title of admin:accounts .*certain people.* Title of crew:read/,
  )
})

test("GROUP-4 with nothing left, or an app for others, only Refuse is offered, with whom to ask", () => {
  const look = { ...consent.look, name: "Orchard" }
  const nothing = { ...consent, look, granted: [] }
  const of = {
    groups: { ...nothing, refusedByGroups: [permission("crew:read")] },
    both: {
      ...nothing,
      refusedByGroups: [permission("crew:read")],
      refusedToAccount: [permission("admin:apps")],
    },
    others: { ...nothing, isForAccount: false },
  }
  for (const [name, input] of Object.entries(of)) {
    const page = renderConsent(input)
    assert.deepEqual(decisions(page), [["decision", "refuse"]], name)
    assert.equal(textOf(page).split("ask the administrator of Orchard.").length, 2, name)
    assert.ok(!textOf(page).includes("needs an administrator"), name)
  }
  assert.ok(textOf(renderConsent(of.others)).includes("This app is for certain people only"))
  assert.ok(!renderConsent(of.others).includes("Not granted"))
})

test("AUTHZ-10 the page says what kind of place the browser returns to", () => {
  const to = (kind: "web" | "loopback" | "private", host: string) =>
    shown({ origin: { from: "browser", returnsTo: { kind, host } } })
  assert.ok(to("loopback", "127.0.0.1:5123").includes("an app on this computer ( 127.0.0.1:5123 )"))
  assert.ok(to("private", "cursor").includes("the app that opens cursor: links on this device"))
  assert.ok(to("private", "cursor:").includes("the app that opens cursor: links on this device"))
  const longest = `${"a".repeat(60)}.`.repeat(4) + "example"
  assert.ok(to("web", longest).includes(longest), "a host is never cut")
})

test("LIM-6 the page says how long the access lasts", () => {
  assert.ok(shown({}).includes("Access lasts up to a year."))
})

test("SVC-11, CLIENT-8 a verified app shows its stored icon, from here", () => {
  const iconUrl = "/oauth/apps/01client/icon"
  const icons = (verified: boolean) =>
    tagsOf(renderConsent({ ...consent, app: { ...consent.app, ...app, verified, iconUrl } }))
      .filter(({ name }) => name === "img")
      .map(({ attributes }) => attributes.get("src"))
  assert.deepEqual(icons(true), [iconUrl])
  assert.deepEqual(icons(false), [])
})

test("CONSENT-1 a lone group without a name of its own has no heading; beside another it has", () => {
  const headings = (...groups: string[]) =>
    [
      ...renderConsent({ ...consent, granted: groups.map((group) => permission(group, { group })) }).matchAll(
        /<h3>(.*?)</g,
      ),
    ].map(([, heading]) => heading)
  assert.deepEqual(headings("Other"), [])
  assert.deepEqual(headings("Files"), ["Files"])
  assert.deepEqual(headings("Files", "Other"), ["Files", "Other"])
})

test("DPAGE-2 on the page of a device, Refuse looks like Authorize, and the page names where and when it began", () => {
  const origin = {
    from: "device",
    userCode: "WDJB-MJHT",
    address: "203.0.113.7",
    askedAt: 1_767_225_600,
    askedSecondsAgo: 95,
  } as const
  const page = renderConsent({ ...consent, origin })
  const looks = consentForm(page)?.buttons.map(({ attributes }) => attributes.get("class"))
  assert.deepEqual(looks, ["quiet", "quiet"])
  const text = textOf(page)
  assert.match(
    text,
    /began 1 minute ago, on 1 January 2026, 00:00:00 UTC ?, at the network address 203\.0\.113\.7/,
  )
  assert.match(text, /If you did not start this, refuse/)
})
