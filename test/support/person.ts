/** What the tests in a real browser do and look at as a person does. */
import type { CDPSession, Page } from "playwright-core"

/** Gives the page an authenticator that verifies its user and keeps passkeys. */
export async function withAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

/** Fails the test where the page's own policy stops something, or its script breaks. */
export function watched(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("status of 403"))
      complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  return complaints
}

/** With the pointer, which is moved onto the page first: CONSENT-3. Playwright then waits until the button accepts it. */
export async function press(page: Page, name: string): Promise<void> {
  await moveOntoPage(page)
  await page.getByRole("button", { name, exact: true }).click()
}

/** As a hand does before it clicks. Playwright moves the pointer to a button only once the button accepts it. */
export async function moveOntoPage(page: Page): Promise<void> {
  await page.mouse.move(20, 20)
  await page.mouse.move(21, 21)
}
