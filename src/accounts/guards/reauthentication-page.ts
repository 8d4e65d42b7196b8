/** The re-authentication page. */
import type { Effect, FormPath } from "../elevation.rules.ts"
import type { Form } from "../../kernel/form.ts"
import type { ProofProblem } from "../factors/proof.view.ts"
import { type ProveInput, renderProve } from "./reauthenticate.view.ts"
import { askProof } from "../factors/reauthenticate.ts"
import type { SignedIn } from "../sessions/session.ts"
import { sealContinuation, sealInterrupted } from "../../oauth/authorize/ticket.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage } from "../../http/respond.ts"
import { type Browser, keepBrowser } from "../../http/browser-cookies.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { signedInView } from "./signed-in.ts"
import { proofView } from "../factors/proof-form.ts"
import { reauthenticationPrompt } from "./reauthentication-prompt.ts"

export type ProofAsked = { readonly status: number; readonly problem: ProofProblem | null }

type Person = { readonly browser: Browser; readonly signedIn: SignedIn }

const FIRST: ProofAsked = { status: 200, problem: null }

/** The field that carries a form through re-authentication. */
export const INTERRUPTED = "interrupted"

/** `next` is where to continue: a path and query of this service. */
export function showProof(
  context: HttpContext,
  reply: HttpReply,
  own: Person,
  next: string,
  asked: ProofAsked = FIRST,
): Promise<HttpReply> {
  const carried = { name: "continue", value: sealContinuation(context.services.keys, next) }
  return show(
    context,
    reply,
    own,
    { prompt: reauthenticationPrompt(next), action: "/account/prove", carried },
    asked,
  )
}

/** A form that waits for re-authentication. The proof is sent to the same path, which then continues with the form. */
export type WaitingForm = {
  readonly path: FormPath
  readonly body: string
  readonly form: Form
  readonly effects: readonly Effect[]
}

export function showFormProof(
  context: HttpContext,
  reply: HttpReply,
  own: Person,
  { path, body, form, effects }: WaitingForm,
  asked: ProofAsked = FIRST,
): Promise<HttpReply> {
  const value = sealInterrupted(context.services.keys, path, own.signedIn.session, body)
  const prompt = reauthenticationPrompt(addressWith(path, form), effects)
  return show(context, reply, own, { prompt, action: path, carried: { name: INTERRUPTED, value } }, asked)
}

/** The path with the parameters that identify the page: `key` of a setting, `do` of an action. */
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
  own: Person,
  page: Pick<ProveInput, "prompt" | "action" | "carried">,
  { status, problem }: ProofAsked,
): Promise<HttpReply> {
  const { browser, signedIn } = own
  keepBrowser(context, reply, browser)
  const proof = proofView(await askProof(context.services, signedIn, browser.secret), problem)
  const text = renderProve({ ...signedInView(context, own), ...page, proof })
  return sendPage(context, reply, status, text, { runsScript: proof.passkey !== null })
}
