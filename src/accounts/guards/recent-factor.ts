/**
 * Forms that need a recently proven factor (`accounts/elevation.rules.ts`). The page that asks for the proof carries the
 * form, which then continues unchanged. ELEV-1, FACTOR-8.
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
import { reauthenticate } from "../factors/reauthenticate.ts"
import { openInterrupted } from "../../oauth/authorize/ticket.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { proofOf, proofProblem } from "../factors/proof-form.ts"
import type { AccountRequest } from "./account-request.ts"
import { INTERRUPTED, type ProofAsked, showFormProof } from "./reauthentication-page.ts"

/** The effects that a form will have, of those that the table lists. Effects that never need a factor may be left out. */
export type EffectsOf<P extends FormPath> = (
  form: Form,
) => readonly FormEffect<P>[] | Promise<readonly FormEffect<P>[]>

/** Whether every form at `path` needs a factor, whatever its fields. */
export function alwaysNeedsFactor(path: FormPath): boolean {
  const effects: readonly Effect[] = pageForms[path]
  return effects.length > 0 && effects.every((effect) => needsRecentFactor([effect]))
}

/** The form to continue with, or the page that asks for a proof. Without `effectsOf` the form has all effects of its path. */
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
  const ask = async (asked?: ProofAsked) => ({
    reply: await showFormProof(context, reply, sent, { path, body, form, effects }, asked),
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
