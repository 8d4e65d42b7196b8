/**
 * A click that was meant for another window must not decide anything: CONSENT-3. The second click of a double click is
 * an example. Tests stop animations where a half second must not pass, even on a busy machine.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { BrowserContextOptions, CDPSession, Page } from "playwright-core"
import { poll, started, startDevice } from "../oauth/device/device.ts"
import { Chromium, needsChromium, signIn, untilTrue } from "../support/chromium.ts"
import { authorizePath, connect, newVerifier, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { press } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"

const BUTTONS = `[...document.querySelectorAll("main form:not(.sign-out) button")]`
const accepting = (isAccepting: boolean) =>
  `${BUTTONS}.length > 0 && ${BUTTONS}.every((button) =>
    (getComputedStyle(button).pointerEvents !== "none") === ${isAccepting})`

const file = wholeFile()

const { testServer, app } = await fixture({
  admins: ["ada"],
  apps: {
    app: {
      redirectUris: ["http://127.0.0.1/callback"],
      permissions: ["account:read", "admin:accounts"],
      stepUp: true,
    },
  },
  span: file,
})
const callback = `http://127.0.0.1:${await openSite(file)}/callback`
const chromium = new Chromium(file)

async function signedIn(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await chromium.page(options)
  await signIn(page, testServer, "ada")
  return page
}

/** Sets the speed of all animations on every page. 0 stops them, and 1 is normal. */
async function paceOf(page: Page): Promise<(rate: number) => Promise<unknown>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send("Animation.enable")
  return (playbackRate) => session.send("Animation.setPlaybackRate", { playbackRate })
}

const consentAddress = () =>
  testServer.url +
  authorizePath(app, newVerifier().challenge, { redirect_uri: callback, scope: "account:read" })

async function centerOf(page: Page, name: string): Promise<readonly [x: number, y: number]> {
  const button = page.getByRole("button", { name, exact: true })
  await button.scrollIntoViewIfNeeded()
  const box = await button.boundingBox()
  assert.ok(box !== null)
  return [box.x + box.width / 2, box.y + box.height / 2]
}

for (const reducedMotion of ["reduce", "no-preference"] as const)
  for (const name of ["Authorize", "Refuse"] as const)
    test(
      `CONSENT-3: ${name} ignores a resting pointer for half a second, motion: ${reducedMotion}`,
      needsChromium,
      async () => {
        const page = await signedIn({ reducedMotion })
        const setPace = await paceOf(page)
        await page.goto(consentAddress())
        const place = await centerOf(page, name)
        await page.mouse.move(...place)
        await setPace(0)
        await page.goto(consentAddress())
        for (let clicks = 0; clicks < 3; clicks++) await page.mouse.click(...place)
        await untilTrue(page, accepting(false))
        assert.deepEqual(
          await page.evaluate(
            `document.getAnimations().map(({ effect }) => effect.getComputedTiming().duration)`,
          ),
          [500, 500],
        )
        assert.ok(page.url().startsWith(`${testServer.url}/oauth/authorize?`), page.url())
        await setPace(1)
        await untilTrue(page, accepting(true))
        await page.mouse.click(...place)
        await page.waitForURL(`${callback}?${name === "Authorize" ? "code" : "error"}=*`)
      },
    )

test("CONSENT-3: the half second begins again when the pointer comes back", needsChromium, async () => {
  const page = await signedIn()
  const setPace = await paceOf(page)
  await page.goto(consentAddress())
  await page.mouse.move(20, 20)
  await untilTrue(page, accepting(true))
  await setPace(0)
  await page.mouse.move(-5, -5)
  await untilTrue(page, accepting(false))
  await page.mouse.move(30, 30)
  await untilTrue(page, "document.getAnimations().length > 0")
  assert.equal(await page.evaluate(accepting(false)), true)
})

test("CONSENT-3: the keyboard decides at once", needsChromium, async () => {
  const page = await signedIn()
  await (
    await paceOf(page)
  )(0)
  await page.goto(consentAddress())
  await page.getByRole("button", { name: "Authorize", exact: true }).focus()
  await page.keyboard.press("Enter")
  await page.waitForURL(`${callback}?code=*`)
})

test("CONSENT-3: where touch is the primary pointer, the first tap decides", needsChromium, async () => {
  const page = await signedIn({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  await (
    await paceOf(page)
  )(0)
  await page.goto(consentAddress())
  assert.equal(await page.evaluate(accepting(true)), true)
  await page.getByRole("button", { name: "Authorize", exact: true }).tap()
  await page.waitForURL(`${callback}?code=*`)
})

test(
  "CONSENT-3: device approval and the confirmation of administration, likewise",
  needsChromium,
  async () => {
    const page = await signedIn()
    const setPace = await paceOf(page)
    const grant = await startDevice(testServer, app, { scope: "admin:accounts" })
    await page.goto(`${testServer.url}/oauth/device?user_code=${grant.userCode}`)
    const place = await centerOf(page, "Authorize")
    await assertIgnoresFirst(page, setPace)
    await page.mouse.move(...place)
    await untilTrue(page, accepting(true))
    await setPace(0)
    await page.mouse.click(...place)
    await page.getByRole("heading", { name: "Let this device administer the service?" }).waitFor()
    // The second click of a double click may fall anywhere.
    for (const name of ["Authorize", "Refuse"]) await page.mouse.click(...(await centerOf(page, name)))
    assert.equal((await poll(testServer, app, grant)).body["error"], "authorization_pending")
    await assertIgnoresFirst(page, setPace)
    await press(page, "Authorize")
    await page.getByRole("heading", { name: "Your device is connected" }).waitFor()
  },
)

test("CONSENT-3: step-up, likewise", needsChromium, async () => {
  const page = await signedIn()
  const held = await connect(testServer, app, "ada", { scope: "account:read", redirect_uri: callback })
  const bearer = { authorization: `Bearer ${held.access_token}` }
  const ceremony = started((await send(testServer, "/oauth/step-up", {}, bearer)).body)
  await page.goto(`${testServer.url}/oauth/device?user_code=${ceremony.userCode}`)
  await assertIgnoresFirst(page, await paceOf(page))
  await press(page, "Refuse")
  await page.getByRole("heading", { name: "You refused" }).waitFor()
})

/**
 * Checks that no button accepts a pointer that has just arrived, and that each button accepts it after half a second.
 */
async function assertIgnoresFirst(page: Page, setPace: (rate: number) => Promise<unknown>): Promise<void> {
  await setPace(0)
  await page.mouse.move(-5, -5)
  await page.mouse.move(20, 20)
  await untilTrue(page, accepting(false))
  await setPace(1)
  await untilTrue(page, accepting(true))
}
