/** oidc-client-ts on a page of another origin, in a real browser. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { needsNginx } from "../../deploy/nginx.ts"
import { Chromium, fillSignIn, needsChromium } from "../../support/chromium.ts"
import { press } from "../../support/person.ts"
import { openSite } from "../../support/site.ts"
import { within } from "../../support/spawn.ts"
import { BUNDLE, needsPackages } from "./node.ts"
import { openService, PERSON } from "./service.ts"

const SCRIPT = join(import.meta.dirname, "node/oidc-client-ts.js")

type User = {
  readonly profile: Readonly<Record<string, unknown>>
  readonly id_token: string
  readonly access_token: string
}

test(
  "ERR-10, OIDC-2, OIDC-3, SIGN-2: oidc-client-ts signs in, reads userinfo and refreshes across origins",
  { ...needsNginx, ...needsChromium, ...needsPackages },
  () =>
    within(async (span) => {
      const service = await openService(span)
      const { clientId } = await service.register("http://127.0.0.1/callback", "public")
      const known = `data-base="${service.url}" data-client-id="${clientId}"`
      const [library, script] = [BUNDLE, SCRIPT].map((path) => readFileSync(path, "utf8"))
      const html = `<title>My page</title><script>${library}</script><script ${known}>${script}</script>`
      const port = await openSite(span, { "/": html, "/callback": html })
      const site = `http://127.0.0.1:${port}`

      const page = await new Chromium(span).page({ ignoreHTTPSErrors: true })
      await page.goto(site)
      await page.evaluate("void users.signinRedirect()")
      await fillSignIn(page, PERSON.username)
      await press(page, "Authorize")
      await page.waitForURL(`${site}/callback?*`)
      const signedIn = await userOf(page, "users.signinCallback()")
      assert.equal(signedIn.profile["email"], PERSON.email)
      assert.equal(signedIn.profile["preferred_username"], PERSON.username)

      const refreshed = await userOf(page, "users.signinSilent()")
      assert.notEqual(refreshed.access_token, signedIn.access_token)
      assert.equal(refreshed.profile["sub"], signedIn.profile["sub"])
    }),
)

function userOf(page: Page, expression: string): Promise<User> {
  return page.evaluate<User>(`${expression}.then(({ profile, id_token, access_token }) =>
    ({ profile, id_token, access_token }))`)
}
