import type { Browser } from "../../http/browser-cookies.ts"
import type { SignedIn } from "../sessions/session.ts"

/** A signed-in person's request. */
export type AccountRequest = {
  readonly browser: Browser
  readonly signedIn: SignedIn
  readonly address: string
  /** Of the query where the page is shown, of the form where it is sent. */
  readonly values: ReadonlyMap<string, string>
  /** Every value of a name that may be there more than once, such as ticked boxes. */
  readonly all: (name: string) => readonly string[]
}
