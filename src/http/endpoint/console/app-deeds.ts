/** GET and POST /console/app/act: disabling, enabling and removing an app, and its new secret. */
import type { FastifyReply } from "fastify"
import type { Client } from "../../../core/client.ts"
import type { Outcome } from "../../../core/outcome.ts"
import { previewSentences } from "../../../core/preview-words.ts"
import { renderCannot, renderConfirm } from "../../../page/console/confirm.ts"
import { html } from "../../../page/html.ts"
import { shownName } from "../../../page/shown-text.ts"
import type { From } from "../../../service/account.ts"
import {
  type AppWithSecret,
  type App,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
} from "../../../service/app.ts"
import { isProvenAnew } from "../../../service/factor.ts"
import type { Latchkey } from "../../../service/latchkey.ts"
import { newFormTicket, spendFormTicket } from "../../../service/own-app-use.ts"
import { type AppPreview, previewAppEnd } from "../../../service/preview.ts"
import type { Site } from "../../site.ts"
import { showProof } from "../security/prove-page.ts"
import { showSecret } from "./app-form.ts"
import { onApp } from "./apps.ts"
import {
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  notFound,
  sendConsole,
  toPage,
  type Visit,
} from "./console-page.ts"

const PATH = "/console/app/act"

type Deed = {
  /** Stands before the name of the app. */
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly isDangerous: boolean
  readonly isSerious: boolean
  /** Whether doing it again would do it again: a form of it works once. */
  readonly isOnce?: boolean
  readonly preview?: (latchkey: Latchkey, id: string) => Promise<Outcome<AppPreview>>
  readonly run: (latchkey: Latchkey, id: string, from: From) => Promise<Outcome<App | AppWithSecret>>
  readonly done: string
}

const deeds: ReadonlyMap<string, Deed> = new Map<string, Deed>([
  [
    "disable",
    {
      title: "Disable",
      lead: "The app gets no tokens, and those that it holds do not work, until it is enabled again.",
      button: "Disable the app",
      isDangerous: true,
      isSerious: false,
      preview: (latchkey, id) => previewAppEnd(latchkey, id, "disabled"),
      run: (latchkey, id, from) => setAppEnabled(latchkey, id, false, from),
      done: "disabled",
    },
  ],
  [
    "enable",
    {
      title: "Enable",
      lead: "The app and what it holds work again.",
      button: "Enable the app",
      isDangerous: false,
      isSerious: false,
      run: (latchkey, id, from) => setAppEnabled(latchkey, id, true, from),
      done: "enabled",
    },
  ],
  [
    "remove",
    {
      title: "Remove",
      lead: "The app is gone for good, and everything that it holds is revoked. Nothing brings it back; people would have to let a new one in.",
      button: "Remove the app for good",
      isDangerous: true,
      isSerious: true,
      preview: (latchkey, id) => previewAppEnd(latchkey, id, "removed"),
      run: removeApp,
      done: "removed",
    },
  ],
  [
    "secret",
    {
      title: "A new secret for",
      lead: "The old secret stops working at once: until the app’s server has the new one, it can neither refresh nor sign anybody in. What people let in stays.",
      button: "Make a new secret",
      isDangerous: true,
      isSerious: true,
      isOnce: true,
      run: rotateAppSecret,
      done: "saved",
    },
  ],
])

export const showAppDeed = consolePage(
  PATH,
  onDeed(async (site, reply, visit, client, name, deed) => {
    const shown = { ...frameOf(site, visit), ...pageOf(client, deed) }
    const preview = await deed.preview?.(site.latchkey, client.clientId)
    if (preview?.ok === false) return notFound(site, reply)
    const page = renderConfirm({
      ...shown,
      lead: deed.lead,
      takes: preview === undefined ? [] : previewSentences(preview.value.preview),
      action: PATH,
      fields: [
        ["id", client.clientId],
        ["do", name],
        ...(deed.isOnce ? [["ticket", newFormTicket(site.latchkey)] as const] : []),
      ],
      button: deed.button,
      isDangerous: deed.isDangerous,
      problem: null,
    })
    return sendConsole(site, reply, page)
  }),
)

export const submitAppDeed = consoleForm(
  onDeed(async (site, reply, visit, client, _, deed) => {
    const isSpent = deed.isOnce === true && !(await spendFormTicket(site.latchkey, fieldOf(visit, "ticket")))
    if (isSpent) return toPage(site, reply, `/console/app?id=${client.clientId}`)
    const outcome = await deed.run(site.latchkey, client.clientId, visit.from)
    if (!outcome.ok) {
      const page = renderCannot({
        ...frameOf(site, visit),
        ...pageOf(client, deed),
        problem: outcome.problem,
      })
      return sendConsole(site, reply, page, 409)
    }
    const app = outcome.value
    if ("secret" in app && app.secret !== null)
      return showSecret(site, reply, visit, client, app.secret, false)
    const to = deed.done === "removed" ? "/console/apps?" : `/console/app?id=${client.clientId}&`
    return toPage(site, reply, `${to}done=${deed.done}`)
  }),
)

type Run = (
  site: Site,
  reply: FastifyReply,
  visit: Visit,
  client: Client,
  name: string,
  deed: Deed,
) => Promise<FastifyReply>

function onDeed(run: Run) {
  return onApp(async (site, reply, visit, { client }) => {
    const name = fieldOf(visit, "do")
    const deed = deeds.get(name)
    if (deed === undefined) return notFound(site, reply)
    if (deed.isSerious && !(await isProvenAnew(site.latchkey, visit.signedIn)))
      return showProof(site, reply, visit, `${PATH}?id=${client.clientId}&do=${name}`)
    return run(site, reply, visit, client, name, deed)
  })
}

function pageOf({ clientId, name }: Client, { title }: Deed) {
  const shown = shownName(name, "an app without a name")
  return {
    place: "apps",
    title: `${title} ${shown}`,
    head: html`${title} <bdi class="name">${shown}</bdi>`,
    back: `/console/app?id=${clientId}`,
  } as const
}
