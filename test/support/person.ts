/** Does what a person does in a real browser, and checks what a person sees. */
import type { CDPSession, Page } from "playwright-core"

/** Gives the page an authenticator that verifies its user and stores passkeys. */
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

/** Fails the test if the page's own policy blocks something or its script fails. */
export function watched(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("status of 403"))
      complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  return complaints
}

/**
 * Clicks with the pointer. The pointer first moves onto the page that has the button, not onto the page before it, and
 * Playwright waits until the button accepts it: CONSENT-3.
 */
export async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true })
  await button.waitFor()
  await moveOntoPage(page)
  await button.click()
}

/**
 * Moves the pointer onto the page, as a hand does before a click. Playwright moves it to a button only when the button
 * accepts it.
 */
export async function moveOntoPage(page: Page): Promise<void> {
  await page.mouse.move(20, 20)
  await page.mouse.move(21, 21)
}
