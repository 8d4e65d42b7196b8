/**
 * Sends the re-authentication page, and handles forms that need a recently proven factor
 * (`accounts/elevation.rules.ts`). The page contains the interrupted form, which continues unchanged after the proof.
 * ELEV-1, FACTOR-8.
 */
import {
  type Effect,
  type FormEffect,
  type FormPath,
  needsRecentFactor,
  pageForms,
} from "../elevation.rules.ts"
import { type Form, parseForm } from "../../kernel/form.ts"
import { hasRecentAuthentication } from "../factors/factor.ts"
import { provingProviders } from "./proving-providers.ts"
import type { ProofProblem } from "../factors/proof.view.ts"
import { type ProveInput, renderProve } from "./reauthenticate.view.ts"
import { askProof, reauthenticate } from "../factors/reauthenticate.ts"
import { openInterrupted, sealContinuation, sealInterrupted, waitingBehind } from "../sign-in/continuation.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { ENGLISH } from "../../platform/languages/languages.ts"
import { signedInView } from "./signed-in.ts"
import { proofOf, proofProblem, proofView } from "../factors/proof-form.ts"
import type { AccountRequest, SignedInBrowser } from "./account-request.ts"
import { reauthenticationPrompt } from "./reauthentication-prompt.ts"

type PageResponse = { readonly status: number; readonly problem: ProofProblem | null }

const FIRST: PageResponse = { status: 200, problem: null }

const INTERRUPTED = "interrupted"

/** Shows the re-authentication page. `next` is the path and query that the browser visits afterwards. */
export function showProof(
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  next: string,
  response: PageResponse = FIRST,
): Promise<HttpReply> {
  const carried = { name: "continue", value: sealContinuation(context.services.keys, next) }
  const prompt = reauthenticationPrompt(request.browser.page.texts, next)
  return show(context, reply, request, { prompt, action: "/account/prove", carried, next }, response)
}

/** The browser sends the proof to the same path, which then handles the waiting form. */
type WaitingForm = {
  readonly path: FormPath
  readonly body: string
  readonly form: Form
  readonly effects: readonly Effect[]
}

function showFormProof(
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  { path, body, form, effects }: WaitingForm,
  response: PageResponse = FIRST,
): Promise<HttpReply> {
  const value = sealInterrupted(context.services.keys, path, request.signedIn.session, body)
  const prompt = reauthenticationPrompt(request.browser.page.texts, addressWith(path, form), effects)
  const carried = { name: INTERRUPTED, value }
  return show(context, reply, request, { prompt, action: path, carried, next: null }, response)
}

/** Keeps the parameters that identify the page: `id`, `do` (an action) and `key` (a setting). */
function addressWith(path: string, { values }: Pick<Form, "values">): string {
  const kept = ["id", "do", "key"].flatMap((name) => {
    const value = values.get(name)
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`
}

async function show(
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  page: Pick<ProveInput, "prompt" | "action" | "carried"> & { readonly next: string | null },
  { status, problem }: PageResponse,
): Promise<HttpReply> {
  const { browser, signedIn } = request
  keepBrowser(context, reply, browser)
  const proof = proofView(await askProof(context.services, signedIn, browser.secret), problem)
  const providers = await provingProviders(context.services, signedIn, "fresh-proof")
  const continueTo = sealContinuation(context.services.keys, page.next ?? page.prompt.back)
  const view = signedInView(request)
  const texts =
    page.prompt.place.area === "console" ? context.services.languages.textsOf(ENGLISH) : view.texts
  const text = renderProve({ ...view, texts, ...page, proof, providers, continueTo })
  const waiting = waitingBehind(context.services.keys, page.next)
  return sendPage(context, reply, status, text, { waiting, runsScript: proof.passkey !== null })
}

/** Returns which effects of the elevation table a form has. Effects that never need a factor may be left out. */
type EffectsOf<P extends FormPath> = (
  form: Form,
) => readonly FormEffect<P>[] | Promise<readonly FormEffect<P>[]>

/** Whether every form at `path` needs a factor, regardless of its fields. */
export function alwaysNeedsFactor(path: FormPath): boolean {
  const effects: readonly Effect[] = pageForms[path]
  return effects.length > 0 && effects.every((effect) => needsRecentFactor([effect]))
}

/** Returns the form, or the page that asks for a proof. Without `effectsOf`, it has all effects of its path. */
export async function formWithFactor<P extends FormPath>(
  context: HttpContext,
  reply: HttpReply,
  path: P,
  sent: AccountRequest,
  sentBody: string,
  effectsOf: EffectsOf<P> | null,
): Promise<{ readonly form: Form } | { readonly reply: HttpReply }> {
  const { services } = context
  const { browser, signedIn, from } = sent
  const carried = openInterrupted(
    services.keys,
    sent.form.values.get(INTERRUPTED) ?? "",
    path,
    signedIn.session,
  )
  const body = carried ?? sentBody
  const form = carried === null ? sent.form : parseForm(carried)
  if (form === null) throw new Error("a form that was carried is not well-formed")
  const effects: readonly Effect[] = effectsOf === null ? pageForms[path] : await effectsOf(form)
  const ask = async (response?: PageResponse) => ({
    reply: await showFormProof(context, reply, sent, { path, body, form, effects }, response),
  })
  if (carried !== null) {
    const attempt = { browserSecret: browser.secret, address: from.address }
    const answer = await reauthenticate(services, signedIn, proofOf(sent.form.values), attempt)
    if (answer.outcome === "wait") reply.header("retry-after", answer.seconds)
    if (answer.outcome !== "right") return ask(proofProblem(answer))
  }
  if (needsRecentFactor(effects) && !(await hasRecentAuthentication(services, signedIn))) return ask()
  return { form }
}
