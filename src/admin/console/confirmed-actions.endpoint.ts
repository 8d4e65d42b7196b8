/**
 * GET and POST /console/account/act and /console/app/act: actions that an administrator confirms. The page previews the
 * lost access, and its form performs the action.
 */
import type { Client } from "../../model/clients/client.rules.ts"
import { type FormEffect, needsRecentFactor } from "../../accounts/elevation.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { previewParts } from "../../apps/preview/preview-words.ts"
import type { ReachPreview } from "../../apps/preview/reach-preview.rules.ts"
import { renderCannot, renderConfirm } from "../../platform/ui/console/confirm.ts"
import { type Consequences, noConsequences } from "../../platform/ui/consequences.ts"
import { html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { hasRecentAuthentication } from "../../accounts/factors/factor.ts"
import type { Services } from "../../platform/services/services.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { showProof } from "../../accounts/guards/reauthentication-page.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { consoleForm, consolePage, type ConsoleRequest } from "./console-page.ts"
import { newFormTicket, spendFormTicket } from "../../platform/services/form-ticket.ts"
import type { Actor } from "../../model/event.rules.ts"

type Of = "account" | "app"

export type ConfirmedAction<Done, O extends Of> = {
  /** The beginning of the page's title. The name of the account or app follows. */
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly isDangerous: boolean
  /** The effect of the form. The elevation table says whether this effect needs a recent factor. */
  readonly effect: FormEffect<`/console/${O}/act`>
  /** Whether the form works only once. A repetition would change something else. */
  readonly isOnce?: boolean
  /** Previews the access that the action removes. It is missing if the action removes no access. */
  readonly preview?: (services: Services, id: string) => Promise<Result<Preview, Problem>>
  readonly run: (services: Services, id: string, from: Actor) => Promise<Result<Done, Problem>>
  /** The name of the notice on the next page. */
  readonly done: string
}

type Preview = { readonly preview: ReachPreview; readonly appsWithoutOwner?: readonly Client[] }

export type ConfirmedActions<Done, O extends Of> = {
  readonly of: O
  /** The text that replaces a name without visible characters. */
  readonly nameless: string
  /** Returns the name, or null for an unknown id. */
  readonly nameOf: (services: Services, id: string) => Promise<string | null>
  readonly byName: ReadonlyMap<string, ConfirmedAction<Done, O>>
  /** Shows the result of the action. If this returns null, the browser is redirected to the next page. */
  readonly show?: (request: ConsoleRequest, done: Done) => HttpReply | null
}

/** Returns the endpoints of the confirmation page and of its form. */
export function actionPages<Done, O extends Of>(
  actions: ConfirmedActions<Done, O>,
): { readonly get: Endpoint; readonly post: Endpoint } {
  const { of, byName } = actions
  const path = `/console/${of}/act` as const

  function onAction(run: (request: ConsoleRequest, submitted: Submitted<Done, O>) => Promise<HttpReply>) {
    return async (request: ConsoleRequest) => {
      const [id, name] = [request.field("id"), request.field("do")]
      const subject = await actions.nameOf(request.services, id)
      const action = byName.get(name)
      if (subject === null || action === undefined) return request.notFound()
      const shown = { ...request.frame, ...headOf(actions, id, subject, action) }
      return run(request, { id, name, action, shown })
    }
  }

  return {
    get: consolePage(
      path,
      onAction(async (request, { id, name, action, shown }) => {
        const { context, reply, services, signedIn } = request
        if (needsRecentFactor([action.effect]) && !(await hasRecentAuthentication(services, signedIn)))
          return showProof(context, reply, request, `${path}?id=${encodeURIComponent(id)}&do=${name}`)
        const { lead, button, isDangerous } = action
        const preview = await action.preview?.(services, id)
        if (preview?.ok === false) return cannot(request, shown, preview.error)
        const takes = preview === undefined ? noConsequences : consequencesOf(preview.value)
        const ticket = action.isOnce ? [["ticket", newFormTicket(services)] as const] : []
        const fields = [["id", id] as const, ["do", name] as const, ...ticket]
        const page = { ...shown, lead, takes, action: path, fields, button, isDangerous }
        return request.send(renderConfirm(page))
      }),
    ),
    post: consoleForm(
      path,
      onAction(async (request, { id, action, shown }) => {
        const { services, from } = request
        if (action.isOnce && !(await spendFormTicket(services, request.field("ticket"))))
          return request.redirect(shown.back)
        const outcome = await action.run(services, id, from)
        if (!outcome.ok) return cannot(request, shown, outcome.error)
        const to = action.done === "removed" ? `/console/${of}s?` : `${shown.back}&`
        return actions.show?.(request, outcome.value) ?? request.redirect(`${to}done=${action.done}`)
      }),
      (_, request) => {
        const effect = byName.get(fieldOf(request, "do"))?.effect
        return effect === undefined ? [] : [effect]
      },
    ),
  }
}

type Submitted<Done, O extends Of> = {
  readonly id: string
  readonly name: string
  readonly action: ConfirmedAction<Done, O>
  readonly shown: ConsoleRequest["frame"] & ReturnType<typeof headOf>
}

function headOf<Done, O extends Of>(
  { of, nameless }: ConfirmedActions<Done, O>,
  id: string,
  subject: string,
  { title }: ConfirmedAction<Done, O>,
) {
  const name = shownName(subject, nameless)
  return {
    place: `${of}s`,
    title: `${title} ${name}`,
    head: html`${title} <bdi class="name">${name}</bdi>`,
    back: `/console/${of}?id=${encodeURIComponent(id)}`,
  } as const
}

function cannot(request: ConsoleRequest, shown: Submitted<unknown, Of>["shown"], problem: string) {
  return request.send(renderCannot({ ...shown, problem }), 409)
}

function consequencesOf({ preview, appsWithoutOwner = [] }: Preview): Consequences {
  const { total, rest } = previewParts(preview)
  const left = appsWithoutOwner.map(
    ({ name }) => html`The app <bdi>${shownName(name, "without a name")}</bdi> goes on without an owner.`,
  )
  return { total: [...total, ...left], rest }
}
