/**
 * The browser that the judges use. It signs in, consents and follows redirects:
 *
 *   node proofs/judges/browser.ts ADDRESS
 */
import { decide, signedInBrowser } from "../../test/support/connect.ts"

/** The account holder in all judges. */
export const HOLDER = "alice"

export async function consentAt(address: string): Promise<void> {
  const url = new URL(address)
  const browser = await signedInBrowser({ url: url.origin }, HOLDER)
  const back = await decide(browser, url, "authorize")
  await (await fetch(back)).arrayBuffer()
}

if (import.meta.main) await consentAt(process.argv[2] ?? "")
