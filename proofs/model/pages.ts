/** Recognizes which page a response is and what it lists as granted, as a person reads it. */
import { unescaped } from "../../test/platform/ui/markup.ts"
import { hiddenFields } from "../../test/support/browser.ts"
import type { Reply } from "./wire.ts"

/** The names of pages in the model, by title. */
const PAGES: Readonly<Record<string, string>> = {
  "Sign in": "sign in",
  "Connect a device": "device",
  "Confirm administration": "confirmation",
  "Confirm that it’s you": "step-up",
  "Your device is connected": "approved",
  Confirmed: "approved",
  "You refused": "denied",
  "This app is not registered here": "app unknown",
  "This request cannot be trusted": "wrong address",
  "This app is no longer available": "app gone",
  "Please try again": "not yours",
  "Start again": "not yours",
  "This connection has ended": "connection ended",
  "This app can no longer ask you to confirm": "step-up withdrawn",
  "You have already answered": "answered before",
  "This request was already answered": "answered by another",
  "You are no longer an administrator": "administration withdrawn",
  "Your account can no longer grant this": "groups withdrawn",
  "This request has changed": "request changed",
  "This page has expired": "stale",
}

export function pageOf({ text }: Reply): string {
  const title = unescaped(/<title>([\s\S]*?)<\/title>/.exec(text)?.[1] ?? "").replace(/ [-–—·|] .*$/, "")
  return title.startsWith("Allow ") ? "consent" : (PAGES[title] ?? `"${title}"`)
}

/** Returns the titles of everything that Authorize would grant. */
export function grantedTitles({ text }: Reply): readonly string[] {
  const sections = [...text.matchAll(/<section class="(?:granted|administration)"[\s\S]*?<\/section>/g)]
  return sections.flatMap(([section]) =>
    [...section.matchAll(/<p class="permission"><bdi>([\s\S]*?)<\/bdi>/g)].map(([, title]) =>
      unescaped(title ?? "").trim(),
    ),
  )
}

export function formFields({ text }: Reply): Readonly<Record<string, string>> {
  return hiddenFields(text, "/oauth/consent")
}
