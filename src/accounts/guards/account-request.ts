import type { Browser } from "../../http/browser-cookies.ts"
import type { Form } from "../../kernel/form.ts"
import type { SignedIn } from "../sessions/session.ts"
import type { Actor } from "../find-account.ts"

/** The request of a signed-in person: an account holder, or an administrator in the console. */
export type AccountRequest = {
  readonly browser: Browser
  readonly signedIn: SignedIn
  /** Who the audit trail names for what the request does. */
  readonly from: Actor & { readonly address: string }
  /** The query of a page, or the body of a form. */
  readonly form: Form
}

/** A field of the query or the form; empty where it is missing. */
export function fieldOf({ form }: Pick<AccountRequest, "form">, name: string): string {
  return form.values.get(name) ?? ""
}
