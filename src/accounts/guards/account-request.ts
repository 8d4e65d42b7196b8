import type { Browser } from "../sessions/browser-cookies.ts"
import type { Form } from "../../kernel/form.ts"
import type { SignedIn } from "../sessions/session.ts"
import type { Actor } from "../../model/event.rules.ts"

export type SignedInBrowser = { readonly browser: Browser; readonly signedIn: SignedIn }

/** The request of a signed-in account holder, or of an administrator in the console. */
export type AccountRequest = SignedInBrowser & {
  /** The actor for the audit trail. */
  readonly from: Actor & { readonly address: string }
  /** The query of a page, or the body of a form. */
  readonly form: Form
}

/** Returns a field of the query or form. Returns an empty text if the field is missing. */
export function fieldOf({ form }: Pick<AccountRequest, "form">, name: string): string {
  return form.values.get(name) ?? ""
}
