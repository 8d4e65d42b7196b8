/**
 * Tests the console in a real browser. axe must find nothing, no page may be wider than a small phone, no text may be
 * too small, and no page may violate its policy. One test uses only the keyboard.
 *
 * LATCHKEY_SCREENSHOTS=DIR stores a picture of each page, at 360 and 1280 px, light and dark.
 */
import assert from "node:assert/strict"
import { before, test } from "node:test"
import type { Page } from "playwright-core"
import { decided } from "../../src/model/change.rules.ts"
import { bucketAt, type Tally } from "../../src/model/tally.rules.ts"
import { gauges, refusedNames } from "../../src/model/tally-names.rules.ts"
import { DAY, MINUTE } from "../../src/kernel/time.ts"
import { Chromium, fillSignIn, needsChromium, untilTrue } from "../support/chromium.ts"
import { connect, own, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { joinGroups } from "../support/join-groups.ts"
import { flawsOf, widthsOf } from "../support/look.ts"
import { watched } from "../support/person.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()
let page: Page
let complaints: readonly string[] = []
/** A service account that ada owns, the app that acts as it, and the credential of this app. */
const service = { userId: "", clientId: "", tokenId: "" }

const long = "An app whose name goes on and on, as far as a name may go at all, and then some more"
const {
  testServer,
  userIds: { bob: bobId },
  longNamed,
} = await fixture({
  admins: ["ada"],
  accounts: ["bob"],
  apps: { longNamed: { name: long, type: "confidential", stepUp: true, verified: true } },
  span: file,
})
const { clientId } = longNamed
const tokenId = (await connect(testServer, longNamed, "bob", { installation_name: "Bob’s laptop" })).token_id
await joinGroups(testServer.store, bobId, "sales", `partners:${"x".repeat(50)}`)
await addService()
await count()
before(async () => {
  if ("skip" in needsChromium) return
  page = await new Chromium(file).page()
  complaints = watched(page)
  await page.goto(`${testServer.url}/console`)
  await fillSignIn(page, "ada")
  await page.waitForURL(`${testServer.url}/console`)
})

async function addService(): Promise<void> {
  const username = "build-and-deploy-to-production"
  service.userId = await testServer.addServiceAccount(username, false, "ada")
  const app = await testServer.addBoundApp(username, { name: "Deploys" })
  service.clientId = app.clientId
  const answer = await send(testServer, "/oauth/token", { ...own(app), grant_type: "client_credentials" })
  service.tokenId = String(answer.body["token_id"])
}

/** Records an hour in which every kind of event happened. Some samples are missing. */
async function count(): Promise<void> {
  const now = bucketAt("minute", testServer.clock.now())
  const tallies: Tally[] = []
  const add = (ago: number, name: string, times: number) => {
    if (times > 0)
      tallies.push({ grain: "minute", at: now - ago * MINUTE, name, clientId: null, count: times })
  }
  for (let ago = 0; ago < 60; ago++) {
    add(ago, "credential.issued", 1 + (ago % 7))
    add(ago, "credential.refreshed", 100 + 13 * (ago % 9))
    add(ago, "credential.repeated", 3)
    for (const [i, name] of Object.values(refusedNames).slice(0, 9).entries())
      add(ago, name, 1 + ((ago + i) % 5))
    for (const name of ["device.approved", "device.refused", "device.expired"]) add(ago, name, ago % 4)
    if (ago < 20 || ago > 30) {
      add(ago, gauges.installations, 950 + ago)
      add(ago, gauges.looks, 1)
    }
  }
  const day = bucketAt("day", testServer.clock.now())
  const ofApp = (ago: number, name: string, times: number) =>
    tallies.push({ grain: "day", at: day - ago * DAY, name, clientId: clientId as never, count: times })
  ofApp(0, "credential.refreshed", 1000)
  ofApp(1, "credential.repeated", 400)
  ofApp(2, "credential.reused", 3)
  ofApp(3, refusedNames.verifierWrong, 12)
  await testServer.store.change({}, () => decided(null, { change: "tallied", tallies }))
}

const pages = (): Readonly<Record<string, string>> => ({
  "console-overview": "/console?period=hour",
  "console-overview-empty": "/console?period=month",
  "console-accounts": "/console/accounts",
  "console-accounts-none": "/console/accounts?name=unknown",
  "console-account": `/console/account?id=${bobId}&done=renamed`,
  "console-account-new": "/console/account/new",
  "console-account-groups": `/console/account/groups?id=${bobId}`,
  "console-groups": "/console/groups",
  "console-group": "/console/group?name=sales",
  "console-group-new": "/console/group/new",
  "console-group-remove": "/console/group/remove?name=sales",
  "console-invitations": "/console/invitations",
  "console-invitation-new": "/console/invitation/new",
  "console-account-rename": `/console/account/rename?id=${bobId}`,
  "console-account-password": `/console/account/password?id=${bobId}`,
  "console-account-remove": `/console/account/act?id=${bobId}&do=remove`,
  "console-apps": "/console/apps",
  "console-app": `/console/app?id=${clientId}`,
  "console-app-new": "/console/app/new",
  "console-app-edit": `/console/app/edit?id=${clientId}`,
  "console-app-icon": `/console/app/icon?id=${clientId}`,
  "console-app-disable": `/console/app/act?id=${clientId}&do=disable`,
  "console-credentials": "/console/credentials",
  "console-credential": `/console/credential?id=${tokenId}`,
  "console-service-account": `/console/account?id=${service.userId}`,
  "console-accounts-service": "/console/accounts?only=service",
  "console-app-bound": `/console/app?id=${service.clientId}`,
  "console-app-bound-edit": `/console/app/edit?id=${service.clientId}`,
  "console-credential-service": `/console/credential?id=${service.tokenId}`,
  "console-credential-revoke": `/console/credential/revoke?id=${tokenId}`,
  "console-events": "/console/events",
  "console-events-problem": "/console/events?account=unknown&since=2026-02-30",
  "console-health": "/console/health",
  "console-settings": "/console/settings",
  "console-setting": "/console/setting?key=token.access_seconds",
  "console-setting-switch": "/console/setting?key=registration.open",
})

test(
  "Every page of the console: axe finds nothing, none is wider than a phone, no text is too small",
  needsChromium,
  async () => {
    const found: string[] = []
    for (const [name, path] of Object.entries(pages())) {
      const answer = await page.goto(testServer.url + path)
      assert.equal(answer?.status(), 200, path)
      found.push(...(await flawsOf(page, name)), ...(await widthsOf(page, name)))
      const small = await page.evaluate<string[]>(SMALL_TEXT)
      for (const text of small) found.push(`${name}: small text ${text}`)
    }
    assert.deepEqual(found, [])
    assert.deepEqual(complaints, [])
  },
)

/** Finds visible texts that are smaller than twelve pixels. */
const SMALL_TEXT = `
  [...document.querySelectorAll("main *")]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
    .filter((element) => element.closest(".unseen") === null && !["TITLE", "DESC"].includes(element.tagName.toUpperCase()))
    .filter((element) => element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) < 12)
    .map((element) => element.outerHTML.slice(0, 80))`

test(
  "A plot stays within its frame, from its first bar to its last, and its bars stand on the zero line",
  needsChromium,
  async () => {
    await page.goto(`${testServer.url}/console?period=hour`)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 720 })
      const out = await page.evaluate<string[]>(`
      [...document.querySelectorAll(".plot")].flatMap((plot) => {
        const frame = plot.getBoundingClientRect()
        return [...plot.querySelectorAll("svg.area rect, svg.area text, svg.scale text, svg.area path")]
          .filter((mark) => { const { left, right } = mark.getBoundingClientRect(); return left < frame.left - 1 || right > frame.right + 1 })
          .map((mark) => mark.outerHTML.slice(0, 80))
      })`)
      assert.deepEqual(out, [], `at ${width}`)
      const bottoms = await page.evaluate<number[]>(`
      [...document.querySelectorAll(".plot svg.area")].map((svg) => {
        const zero = svg.querySelector(".zero").getBoundingClientRect().bottom
        return Math.max(...[...svg.querySelectorAll("g rect:nth-of-type(2)")].map((bar) => Math.abs(bar.getBoundingClientRect().bottom - zero)), 0)
      })`)
      assert.ok(bottoms.length === 5 && bottoms.every((distance) => distance < 1.5), bottoms.join(" "))
    }
  },
)

test(
  "CONSOLE-6: the form of an app folds what few need, and its type hides what it excludes, without a script",
  needsChromium,
  async () => {
    await page.goto(`${testServer.url}/console/app/new`)
    const rare = page.getByText("Keys and service account")
    const resourceServer = page.getByLabel("Resource server", { exact: true })
    assert.deepEqual([await rare.isVisible(), await resourceServer.isVisible()], [false, false])
    await page.getByLabel("Confidential", { exact: true }).check()
    assert.deepEqual([await rare.isVisible(), await resourceServer.isVisible()], [true, true])
    assert.equal(await page.getByLabel("Public keys", { exact: true }).isVisible(), false)
    await rare.click()
    assert.equal(await page.getByLabel("Public keys", { exact: true }).isVisible(), true)
    await page.getByLabel("Public", { exact: true }).check()
    assert.equal(await rare.isVisible(), false)
    assert.equal(await page.locator('input[value="admin:settings"]').isVisible(), false)

    await page.goto(`${testServer.url}/console/app?id=${clientId}`)
    const named = await page.locator(".named > li").allInnerTexts()
    assert.ok(named.length > 0 && named.every((text) => / \S+:\S+$/.test(text)), named.join(", "))
  },
)

test("The navigation of the console takes one line on a phone", needsChromium, async () => {
  await page.setViewportSize({ width: 360, height: 720 })
  await page.goto(`${testServer.url}/console/settings`)
  const height = await page.evaluate<number>(
    'document.querySelector(".places").getBoundingClientRect().height',
  )
  assert.ok(height < 56, `${height} px`)
})

test("An account is found, renamed and its page come back to, by keyboard alone", needsChromium, async () => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(`${testServer.url}/console`)
  const focusOn = async (selector: string) => {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press("Tab")
      if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    }
    assert.fail(`no Tab leads to ${selector}`)
  }
  await focusOn('a[href="/console/accounts"]')
  await page.keyboard.press("Enter")
  await page.waitForURL(`${testServer.url}/console/accounts`)
  await focusOn('input[name="name"]')
  await page.keyboard.type("BO")
  await page.keyboard.press("Enter")
  await page.waitForURL(/name=BO/)
  await focusOn(`a[href="/console/account?id=${bobId}"]`)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "bob", exact: true }).waitFor()
  await focusOn('a[href^="/console/account/rename"]')
  await page.keyboard.press("Enter")
  await page.getByLabel("New name").waitFor()
  await page.getByLabel("New name").press("ControlOrMeta+a")
  await page.keyboard.type("robert")
  await page.keyboard.press("Enter")
  await page.getByRole("status").getByText("The account was renamed.").waitFor()
  await page.getByRole("heading", { name: "robert", exact: true }).waitFor()
})

test(
  "A table that is wider than its window scrolls inside itself, by keyboard too",
  needsChromium,
  async () => {
    await page.setViewportSize({ width: 730, height: 720 })
    await page.goto(`${testServer.url}/console/credentials`)
    const region = page.getByRole("group", { name: "Credentials" })
    await region.focus()
    const wide = await page.evaluate<boolean>(
      `(() => { const region = document.activeElement; return region.scrollWidth > region.clientWidth })()`,
    )
    assert.ok(wide, "it is wider than its window")
    assert.equal(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowRight")
    await untilTrue(page, "document.activeElement.scrollLeft > 0")
  },
)
