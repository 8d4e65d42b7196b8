/** POST /sign-in/with/{name}/username: a new person chooses a username, because the suggested one is taken. */
import { digest } from "../../kernel/hash.ts"
import { USERNAME_LENGTH_AT_MOST } from "../../kernel/account-limits.ts"
import { isWithin } from "../../kernel/time.ts"
import { type Browser, keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { waitingBehind } from "../sign-in/continuation.ts"
import { pageOnTheWay } from "../sign-in/only.ts"
import type { Spent } from "../../store/limits.ts"
import { parseNewUsername } from "../../model/username.rules.ts"
import { finishSignIn, type SignInForm } from "../sign-in/sign-in-form.ts"
import { underCurrentRules, type Unnamed } from "./arrival.ts"
import { addNewcomer } from "./arrive.ts"
import { renderChooseName } from "./choose-name.view.ts"
import { PENDING_SECONDS } from "./pending.ts"
import { refusedInWords } from "./provider-words.ts"
import { providerForm, showProblem } from "./provider-page.ts"
import { giveBackTries } from "./tries.ts"

/** A person without a name, and what the creation of the account gives back. */
type Sealed = Unnamed & { readonly counted: readonly Spent[] }

type Typed = { readonly username: string; readonly problem: string | null; readonly ticket?: string }

export function showChooseName(
  context: HttpContext,
  reply: HttpReply,
  { browser, next }: Pick<SignInForm, "browser" | "next">,
  unnamed: Sealed,
  { username, problem, ticket }: Typed,
): HttpReply {
  const { services } = context
  keepBrowser(context, reply, browser)
  const fresh = () =>
    services.keys.seal(purposeOf(browser), JSON.stringify({ unnamed, madeAt: services.clock.now() }))
  const page = renderChooseName({
    ...pageOnTheWay(context, browser, next),
    action: `/sign-in/with/${unnamed.provider}/username`,
    ticket: ticket ?? fresh(),
    username,
    problem,
  })
  return sendPage(context, reply, ticket === undefined ? 200 : 422, page, {
    waiting: waitingBehind(services.keys, next),
  })
}

export const submitChooseName = providerForm(async (context, reply, form) => {
  const { browser, provider, values, next, visitor } = form
  const { texts } = browser.page
  const ticket = values.get("ticket") ?? ""
  const unnamed = openUnnamed(context, browser, ticket)
  if (unnamed === null || unnamed.provider !== provider.name)
    return showProblem(context, reply, provider, form, refusedInWords(texts, provider, "stale"))
  const { link } = unnamed
  const stale = () => {
    const shown = { ...form, invited: link === undefined ? undefined : { link, username: "" } }
    return showProblem(context, reply, provider, shown, refusedInWords(texts, provider, "stale"))
  }
  if (link === undefined && provider.createAccounts === null) return stale()
  const username = values.get("username") ?? ""
  const again = (problem: string) =>
    showChooseName(context, reply, form, unnamed, { username, problem, ticket })
  const name = parseNewUsername(username)
  if (!name.ok) return again(texts.plain(`username.${name.error}`, { most: USERNAME_LENGTH_AT_MOST }))
  const person = underCurrentRules(provider, unnamed)
  const answer = await addNewcomer(context.services, name.value, person, visitor)
  if (answer.outcome === "taken") return again(texts.plain("username.taken"))
  if (answer.outcome !== "signed-in") return stale()
  await giveBackTries(context.services, unnamed.counted, visitor)
  return finishSignIn(context, reply, browser, answer.secret, next)
})

function openUnnamed({ services }: HttpContext, browser: Browser, ticket: string): Sealed | null {
  const content = services.keys.open(purposeOf(browser), ticket)
  if (content === null) return null
  const { unnamed, madeAt } = JSON.parse(content) as { readonly unnamed: Sealed; readonly madeAt: number }
  return isWithin(madeAt, services.clock.now(), PENDING_SECONDS) ? unnamed : null
}

function purposeOf({ secret }: Browser): string {
  return `new account through a provider ${digest(secret)}`
}
