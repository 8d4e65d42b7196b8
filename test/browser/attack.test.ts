/**
 * Tests what a page of another site can do to a signed-in person, in a real browser. One attacker is on another site,
 * whose requests carry no cookies. The other is on another port of the same host, whose requests carry them.
 */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { loadAllRoutes } from "../support/routes.ts"
import { Chromium, needsChromium, signIn } from "../support/chromium.ts"
import { authorizePath, connect, newVerifier } from "../support/connect.ts"
import { ENGINE } from "../support/database.ts"
import { PASSWORD, type TestApp, type TestServer } from "../support/test-server.ts"
import { fixture } from "../support/fixture.ts"
import { press } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { everything } from "../support/stored.ts"

const MARKUP = `"><script>alert(1)</script><img src=x onerror=alert(2)><a href="javascript:alert(3)">x</a>`
const EVIL_HOST = "evil.example"

const file = wholeFile()
let testServer: TestServer
let chromium: Chromium
let app: TestApp
/** The attacker's pages are on another site and on the service's own host. */
let attackers: readonly string[] = []
let tokenId = ""

/** These tests concern the browser and its responses. They do not depend on the database, so one engine is enough. */
function attack(title: string, body: () => Promise<void>): void {
  if (ENGINE === "sqlite") test(title, needsChromium, body)
}

before(async () => {
  if ("skip" in needsChromium || ENGINE !== "sqlite") return
  ;({ testServer, app } = await fixture({
    admins: ["ada"],
    accounts: ["bob"],
    apps: { app: { name: MARKUP.slice(0, 80) } },
    span: file,
  }))
  tokenId = (await connect(testServer, app, "ada", { installation_name: MARKUP.slice(0, 100) })).token_id
  const port = await openSite(file, { "/": "<title>Evil</title><h1>Evil</h1>" })
  attackers = [`http://${EVIL_HOST}`, `http://localhost:${port}`]
  chromium = new Chromium(file, { [`${EVIL_HOST}:80`]: port })
})

attack("CONSENT-2: a form of another site to any address of the service changes nothing", async () => {
  const page = await signedIn("ada")
  const earlier = await everything(testServer)
  const targets = (await loadAllRoutes())
    .filter((route) => route.family === "page" && route.post !== undefined)
    .map(({ path }) => path.replace("*", "nothing"))
  assert.ok(targets.length > 30, "the table of routes was read")
  const answers: string[] = []
  page.on("response", (response) => {
    if (response.request().method() === "POST") answers.push(`${response.status()} ${response.url()}`)
  })
  const [elsewhere = "", neighbour = ""] = attackers
  const some = ["/oauth/consent", "/sign-out", "/console/setting", "/console/account/act"]
  // Only requests from the neighbor carry cookies. It tries all addresses and every way of sending a form.
  for (const [place, type, chosen] of [
    [neighbour, "application/x-www-form-urlencoded", targets],
    [neighbour, "multipart/form-data", some],
    [neighbour, "text/plain", some],
    [elsewhere, "application/x-www-form-urlencoded", some],
  ] as const) {
    await page.goto(place)
    await page.evaluate(FORGE, { base: testServer.url, targets: chosen, type, fields: fields() })
  }
  const sent = targets.length + 3 * some.length
  await until(() => answers.length >= sent, "every answer has arrived, maybe after its frame has loaded")
  assert.equal(answers.length, sent)
  assert.deepEqual(
    answers.filter((line) => !/^4\d\d /.test(line)),
    [],
  )
  // A refused sign-in would leave an event. This one was not even processed.
  assert.deepEqual(await everything(testServer), earlier)
})

attack(
  "CONSENT-2: what scripts of another site may send with cookies changes nothing and is not read",
  async () => {
    const page = await signedIn("ada")
    const earlier = await everything(testServer)
    for (const attacker of attackers) {
      await page.goto(attacker)
      const read = await page.evaluate<string[]>(
        `(async ([base, body]) => {
          const read = []
          const paths = ["/account", "/console", "/console/settings", "/oauth/device", "/api/openapi.json"]
          for (const path of paths)
            await fetch(base + path, { credentials: "include" }).then(
              async (answer) => read.push(path + ": " + (await answer.text()).slice(0, 40)),
              () => undefined,
            )
          for (const path of ["/sign-out", "/account/end-access", "/console/setting", "/console/account/act"]) {
            await fetch(base + path, { method: "POST", mode: "no-cors", credentials: "include", body })
            navigator.sendBeacon(base + path, body)
          }
          return read
        })(${JSON.stringify([testServer.url, new URLSearchParams(fields()).toString()])})`,
      )
      assert.deepEqual(read, [])
    }
    assert.deepEqual(await everything(testServer), earlier)
  },
)

attack("SVC-2: cookies that were planted before a sign-in open nothing afterwards", async () => {
  const [attacker = "", neighbour = ""] = attackers
  const planted = await chromium.page()
  await planted.goto(`${testServer.url}/sign-in`)
  const browserCookie = (await planted.context().cookies(testServer.url)).find(
    ({ name }) => name === "latchkey_browser",
  )
  const csrf = await planted.locator("input[name=csrf]").first().getAttribute("value")
  assert.ok(browserCookie !== undefined && csrf !== null)

  const victim = await chromium.page()
  // A neighbor on the same host can set cookies for the host. It cannot overwrite an HttpOnly cookie.
  await victim.goto(neighbour)
  await victim.evaluate(
    `document.cookie = "latchkey_browser=${browserCookie.value}; path=/";
       document.cookie = "latchkey_session=${"A".repeat(43)}; path=/"`,
  )
  await signIn(victim, testServer, "bob")

  await planted.goto(`${testServer.url}/account`)
  assert.match(planted.url(), /\/sign-in/, "the one who planted them is not signed in")
  const earlier = await everything(testServer)
  for (const place of [attacker, neighbour]) {
    await victim.goto(place)
    await victim.evaluate(FORGE, {
      base: testServer.url,
      targets: ["/sign-out", "/sign-in", "/account/security/password"],
      type: "application/x-www-form-urlencoded",
      fields: { ...fields(), csrf, username: "ada", password: PASSWORD },
    })
  }
  assert.deepEqual(await everything(testServer), earlier)
  await victim.goto(`${testServer.url}/account`)
  await victim.getByText("bob", { exact: true }).first().waitFor()
})

attack("AUTHZ-10: after a sign-in the browser stays here, whatever the address asked for", async () => {
  const page = await chromium.page()
  const tricks = [
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "/%2f/evil.example",
    "\t//evil.example",
  ]
  const names = ["continue", "return_to", "next", "redirect", "redirect_uri", "url"]
  for (const [i, trick] of tricks.entries()) {
    const query = new URLSearchParams(names.map((name): [string, string] => [name, trick])).toString()
    await page.context().clearCookies()
    await page.goto(`${testServer.url}/sign-in?${query}`)
    await page.evaluate(
      `for (const name of ["continue", "next"]) {
        const field = document.querySelector("input[name=" + name + "]") ?? document.createElement("input")
        Object.assign(field, { type: "hidden", name, value: ${JSON.stringify(trick)} })
        document.querySelector("form[action='/sign-in']").append(field)
      }`,
    )
    await page.getByLabel("Username").fill(i % 2 === 0 ? "bob" : "ada")
    await page.getByLabel("Password").fill(PASSWORD)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.waitForURL((url) => url.pathname !== "/sign-in")
    assert.equal(page.url(), `${testServer.url}/account`, trick)
  }
})

attack(
  "CONSENT-1: no way of embedding shows a page of ours, and a window that opened one reads nothing",
  async () => {
    const page = await signedIn("bob")
    const address = testServer.url + authorizePath(app, newVerifier().challenge)
    for (const attacker of attackers) {
      await page.goto(attacker)
      // Waits until each element has loaded or failed to load.
      await page.evaluate(
        `(([address, account]) => {
        const ends = []
        for (const url of [address, account])
          for (const tag of ["iframe", "object", "embed", "frame"]) {
            const element = document.createElement(tag)
            element[tag === "object" ? "data" : "src"] = url
            if (tag === "iframe") element.sandbox = "allow-scripts allow-same-origin allow-forms"
            document.body.append(element)
            ends.push(new Promise((end) => {
              for (const name of ["load", "error"]) element.addEventListener(name, () => end())
            }))
          }
        return Promise.all(ends).then(() => undefined)
      })(${JSON.stringify([address, `${testServer.url}/account`])})`,
      )
      await until(
        () =>
          page
            .frames()
            .slice(1)
            .every((frame) => frame.url() !== ""),
        "the location of every frame is known",
      )
      for (const frame of page.frames().slice(1)) {
        assert.ok(!frame.url().startsWith(testServer.url), frame.url())
        assert.doesNotMatch(await frame.content(), /Authorize|bob/)
      }
      const opened = page.context().waitForEvent("page")
      await page.evaluate(`window.other = window.open(${JSON.stringify(address)}); undefined`)
      const popup = await opened
      await popup.getByRole("button", { name: "Authorize" }).waitFor()
      const seen = await page.evaluate<string>(
        `(() => { try { return window.other.document.body.innerText } catch (error) { return error.name } })()`,
      )
      assert.ok(["SecurityError", "TypeError"].includes(seen), seen)
      await popup.close()
    }
  },
)

attack("SVC-11: no redirect target learns the address that the browser came from", async () => {
  const port = await openSite(file)
  const native = await testServer.addApp({ redirectUris: ["http://127.0.0.1/callback"] })
  const page = await signedIn("bob")
  const referers: (string | undefined)[] = []
  page.on("request", (request) => {
    if (request.url().startsWith(`http://127.0.0.1:${port}/`)) referers.push(request.headers()["referer"])
  })
  const redirect_uri = `http://127.0.0.1:${port}/callback`
  await page.goto(testServer.url + authorizePath(native, newVerifier().challenge, { redirect_uri }))
  await press(page, "Authorize")
  await page.getByRole("heading", { name: "Arrived" }).waitFor()
  assert.deepEqual([...new Set(referers)], [undefined])
})

attack("SVC-2: after signing out, the way back shows nothing of the account", async () => {
  const page = await signedIn("bob")
  await page.goto(`${testServer.url}/account/security`)
  await page.getByRole("button", { name: "Sign out" }).first().click()
  await page.waitForURL((url) => !url.pathname.startsWith("/account"))
  await page.goBack()
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor()
  assert.doesNotMatch(await page.content(), /bob/)
})

attack(
  "CLIENT-4, SVC-11: with hostile names everywhere, no page runs them, breaks its policy or asks another host",
  async () => {
    const page = await signedIn("ada")
    const harm: string[] = []
    await page.exposeFunction("reportBreach", (text: string) => harm.push(text))
    await page.addInitScript(
      `document.addEventListener("securitypolicyviolation", (event) =>
        reportBreach(location.pathname + ": " + event.violatedDirective + " " + event.blockedURI))`,
    )
    page.on("dialog", (dialog) => {
      harm.push(`${page.url()}: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on("request", (request) => {
      if (!request.url().startsWith(`${testServer.url}/`) && !request.url().startsWith("data:"))
        harm.push(`${page.url()} asks ${request.url()}`)
    })
    const accountId =
      (await testServer.store.read({ accountByName: "ada" as never })).accountByName?.userId ?? ""
    const ids: Readonly<Record<string, string>> = {
      account: accountId,
      app: app.clientId,
      credential: tokenId,
    }
    const query = new URLSearchParams({
      name: MARKUP,
      account: MARKUP,
      app: MARKUP,
      since: MARKUP,
      user_code: MARKUP,
    })
    let seen = 0
    for (const { path, family, get } of await loadAllRoutes()) {
      if (family !== "page" || get === undefined || /assets|favicon|export|:|sign-out/.test(path)) continue
      const subject = /^\/(?:console|account)\/(account|app|credential)/.exec(path)?.[1]
      const named =
        subject === undefined ? "" : `id=${ids[subject] ?? ""}&client_id=${app.clientId}&token_id=${tokenId}&`
      const answer = await page.goto(
        `${testServer.url}${path.replace("*", encodeURIComponent(MARKUP))}?${named}${query.toString()}`,
      )
      assert.ok((answer?.status() ?? 500) < 500, path)
      assert.equal(await page.locator("[onerror], a[href^='javascript:']").count(), 0, path)
      seen++
    }
    assert.ok(seen > 40, `${seen} pages were seen`)
    assert.deepEqual(harm, [])
    // The check must find something on an ordinary page.
    await page.goto(`${testServer.url}/account`)
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend", "<img src=https://else.example/x>")`)
    await until(() => harm.length > 0, "it is caught")
  },
)

async function signedIn(username: string): Promise<Page> {
  const page = await chromium.page()
  await signIn(page, testServer, username)
  return page
}

/** The fields that an attacker could fill in. Only the token of the form is missing. */
function fields(): Record<string, string> {
  return {
    csrf: "x".repeat(43),
    decision: "authorize",
    username: "mallory",
    password: PASSWORD,
    name: "mallory",
    id: app.clientId,
    client_id: app.clientId,
    token_id: tokenId,
    do: "remove",
    key: "registration.open",
    value: "on",
  }
}

/** Sends a form of one kind to each target, from frames in the attacker's page. Waits for all responses. */
const FORGE = async ({
  base,
  targets,
  type,
  fields: given,
}: {
  base: string
  targets: readonly string[]
  type: string
  fields: Readonly<Record<string, string>>
}): Promise<void> => {
  const { document } = globalThis as unknown as { document: Dom }
  const sent = targets.map(async (target, i) => {
    const frame = document.createElement("iframe")
    frame.name = `forged-${i}`
    document.body.append(frame)
    const form = document.createElement("form")
    Object.assign(form, { method: "POST", action: base + target, enctype: type, target: frame.name })
    for (const [name, value] of Object.entries(given)) {
      const field = document.createElement("input")
      Object.assign(field, { type: "hidden", name, value })
      form.append(field)
    }
    document.body.append(form)
    const loaded = new Promise<void>((resolve) => frame.addEventListener("load", () => resolve()))
    form.submit()
    await loaded
    frame.remove()
    form.remove()
  })
  await Promise.all(sent)
}

/** The part of the DOM types that the function above needs. That function runs in the page. */
type Dom = {
  readonly body: Element
  readonly createElement: (tag: string) => Element
}
type Element = {
  name: string
  readonly append: (child: Element) => void
  readonly remove: () => void
  readonly submit: () => void
  readonly addEventListener: (name: string, listener: () => void) => void
}
