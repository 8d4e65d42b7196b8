/** The part of the tour through the pages of an account: its installations, its own apps and its activity. */
import type { Page } from "playwright-core"
import { signedInBrowser } from "../support/connect.ts"
import type { TestServer } from "../support/test-server.ts"
import type { Stop } from "./tour.ts"

const APPS = "/account/apps"

/** `page` is signed in as `username`. The account already has credentials of apps. */
export function accountTour(testServer: TestServer, page: Page, username: string): readonly Stop[] {
  const to = async (address: string): Promise<Page> => {
    await page.goto(testServer.url + address)
    return page
  }
  const follow = async (name: string | RegExp): Promise<Page> => {
    await page.getByRole("link", { name }).first().click()
    await page.waitForLoadState()
    return page
  }
  const press = async (name: string): Promise<Page> => {
    const shown = page.waitForEvent("domcontentloaded")
    await page.getByRole("button", { name, exact: true }).click()
    await shown
    return page
  }
  const from = (address: string, link: string | RegExp) => async () => {
    await to(address)
    return follow(link)
  }
  let app = ""
  const below = (path: string) => () => to(`${APPS}/${path}?id=${app}`)
  return [
    { name: "end-access", visit: from("/account", /^End access of/) },
    { name: "end-access-all", visit: from("/account", "End the access of all apps") },
    {
      name: "browsers",
      visit: async () => {
        await signedInBrowser(testServer, username)
        return to("/account/security/browsers")
      },
    },
    { name: "own-apps-none", visit: () => to(APPS) },
    { name: "own-app-new", visit: () => follow("Register an app") },
    {
      name: "own-app-new-problems",
      visit: async () => {
        await page.getByLabel("Name", { exact: true }).fill("Нotebook")
        await page.getByLabel("Redirect URIs").fill("https://a.example/\njavascript:x")
        await page.getByLabel("Confidential").check()
        return press("Register the app")
      },
    },
    {
      name: "own-app-secret",
      visit: async () => {
        await page.getByLabel("Name", { exact: true }).fill("Notebook")
        await page.getByLabel("Redirect URIs").fill("https://a.example/")
        for (const title of ["Change files", "See workers"]) await page.getByLabel(title).check()
        await press("Register the app")
        app = (await page.locator("code.copied:not(.secret)").first().innerText()).trim()
        return page
      },
    },
    { name: "own-app", visit: () => follow("I have copied it") },
    { name: "own-apps", visit: () => follow("All my apps") },
    { name: "own-app-edit", visit: below("edit") },
    {
      name: "own-app-preview",
      visit: async () => {
        await page.getByLabel("Change files").uncheck()
        return press("Save")
      },
    },
    { name: "own-app-secret-ask", visit: below("secret") },
    { name: "own-app-disable", visit: below("disable") },
    {
      name: "own-app-disabled",
      visit: async () => {
        await press("Disable")
        return page
      },
    },
    { name: "own-app-remove", visit: below("remove") },
    { name: "own-app-icon", visit: below("icon") },
    {
      name: "own-app-icon-stored",
      visit: async () => {
        const { default: sharp } = await import("sharp")
        const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: "#7a4a9e" } })
        const buffer = await picture.png().toBuffer()
        await page.getByLabel("A picture").setInputFiles({ name: "a.png", mimeType: "image/png", buffer })
        return press("Store the icon")
      },
    },
    { name: "activity", visit: () => to("/account/activity") },
    { name: "security", visit: () => to("/account/security") },
    {
      name: "prove",
      visit: async () => {
        testServer.clock.advance(301)
        return to(`${APPS}/remove?id=${app}`)
      },
    },
  ]
}
