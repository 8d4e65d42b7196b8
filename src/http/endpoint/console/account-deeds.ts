/**
 * GET and POST /console/account/act: what takes something from an account, or gives it power. The page says what it
 * takes, from the rules that will do it; the form on it does it.
 */
import type { FastifyReply } from "fastify"
import type { Account } from "../../../core/account.ts"
import type { Outcome } from "../../../core/outcome.ts"
import { previewSentences } from "../../../core/preview-words.ts"
import { renderCannot, renderConfirm } from "../../../page/console/confirm.ts"
import { html } from "../../../page/html.ts"
import { shownName } from "../../../page/shown-text.ts"
import type { From } from "../../../service/account.ts"
import { removeAccountOfId, resetFactorsOf, updateAccount } from "../../../service/account-by-id.ts"
import { isProvenAnew } from "../../../service/factor.ts"
import type { Latchkey } from "../../../service/latchkey.ts"
import {
  type AccountPreview,
  previewAccountDisabling,
  previewAccountRemoval,
  previewAdministration,
} from "../../../service/preview.ts"
import type { Site } from "../../site.ts"
import { showProof } from "../security/prove-page.ts"
import { onAccount } from "./account.ts"
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

const PATH = "/console/account/act"

type Deed = {
  /** Stands before the name of the account. */
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly isDangerous: boolean
  /** Whether a fresh proof comes first: docs/choices.md, "Fresh proof". */
  readonly isSerious: boolean
  /** Left out where it takes no reach from anything. */
  readonly preview?: (latchkey: Latchkey, name: string) => Promise<Outcome<AccountPreview>>
  readonly run: (latchkey: Latchkey, id: string, from: From) => Promise<Done>
  /** What the next page says. */
  readonly done: string
}

type Done = { readonly ok: true } | { readonly ok: false; readonly problem: string }

const deeds: ReadonlyMap<string, Deed> = new Map<string, Deed>([
  [
    "disable",
    {
      title: "Disable",
      lead: "Nobody can sign in with the account, and none of its apps works, until it is enabled again. Its browsers are signed out.",
      button: "Disable the account",
      isDangerous: true,
      isSerious: false,
      preview: previewAccountDisabling,
      run: (latchkey, id, from) => updateAccount(latchkey, id, { enabled: false }, from),
      done: "disabled",
    },
  ],
  [
    "enable",
    {
      title: "Enable",
      lead: "The person can sign in again, and what was not revoked works again.",
      button: "Enable the account",
      isDangerous: false,
      isSerious: false,
      run: (latchkey, id, from) => updateAccount(latchkey, id, { enabled: true }, from),
      done: "enabled",
    },
  ],
  [
    "remove",
    {
      title: "Remove",
      lead: "The account is gone for good: its browsers are signed out, and everything that it let in is revoked. Nothing brings it back.",
      button: "Remove the account for good",
      isDangerous: true,
      isSerious: true,
      preview: previewAccountRemoval,
      run: removeAccountOfId,
      done: "removed",
    },
  ],
  [
    "grant",
    {
      title: "Make an administrator:",
      lead: "The account sees and changes everything in this console, and can let apps do so.",
      button: "Make it an administrator",
      isDangerous: true,
      isSerious: true,
      preview: (latchkey, name) => previewAdministration(latchkey, name, true),
      run: (latchkey, id, from) => updateAccount(latchkey, id, { admin: true }, from),
      done: "granted",
    },
  ],
  [
    "withdraw",
    {
      title: "Make an ordinary account:",
      lead: "The account has no console any more, and its apps cannot administer anything.",
      button: "Make it an ordinary account",
      isDangerous: true,
      isSerious: true,
      preview: (latchkey, name) => previewAdministration(latchkey, name, false),
      run: (latchkey, id, from) => updateAccount(latchkey, id, { admin: false }, from),
      done: "withdrawn",
    },
  ],
  [
    "factors",
    {
      title: "Reset the factors of",
      lead: "For somebody who lost them: authenticator apps, passkeys and recovery codes go, every browser is signed out, and the password alone lets the owner in again. Make sure that it is the owner who asks.",
      button: "Reset the factors",
      isDangerous: true,
      isSerious: true,
      run: async (latchkey, id, from) => {
        const isDone = await resetFactorsOf(latchkey, id, from)
        return isDone ? { ok: true } : { ok: false, problem: "The account was removed meanwhile." }
      },
      done: "factors",
    },
  ],
])

export const showAccountDeed = consolePage(
  PATH,
  onDeed(async (site, reply, visit, account, name, deed) => {
    const shown = { ...frameOf(site, visit), ...pageOf(account, deed) }
    const preview = await deed.preview?.(site.latchkey, account.username)
    if (preview?.ok === false)
      return sendConsole(site, reply, renderCannot({ ...shown, problem: preview.problem }), 409)
    const page = renderConfirm({
      ...shown,
      lead: deed.lead,
      takes: preview === undefined ? [] : takes(preview.value),
      action: PATH,
      fields: [
        ["id", account.userId],
        ["do", name],
      ],
      button: deed.button,
      isDangerous: deed.isDangerous,
      problem: null,
    })
    return sendConsole(site, reply, page)
  }),
)

export const submitAccountDeed = consoleForm(
  onDeed(async (site, reply, visit, account, _, deed) => {
    const outcome = await deed.run(site.latchkey, account.userId, visit.from)
    if (!outcome.ok) {
      const page = renderCannot({
        ...frameOf(site, visit),
        ...pageOf(account, deed),
        problem: outcome.problem,
      })
      return sendConsole(site, reply, page, 409)
    }
    const to = deed.done === "removed" ? "/console/accounts?" : `/console/account?id=${account.userId}&`
    return toPage(site, reply, `${to}done=${deed.done}`)
  }),
)

type Run = (
  site: Site,
  reply: FastifyReply,
  visit: Visit,
  account: Account,
  name: string,
  deed: Deed,
) => Promise<FastifyReply>

function onDeed(run: Run) {
  return onAccount(async (site, reply, visit, account) => {
    const name = fieldOf(visit, "do")
    const deed = deeds.get(name)
    if (deed === undefined) return notFound(site, reply)
    if (deed.isSerious && !(await isProvenAnew(site.latchkey, visit.signedIn)))
      return showProof(site, reply, visit, `${PATH}?id=${account.userId}&do=${name}`)
    return run(site, reply, visit, account, name, deed)
  })
}

function pageOf({ userId, username }: Account, { title }: Deed) {
  const name = shownName(username, "an account without a name")
  return {
    place: "accounts",
    title: `${title} ${name}`,
    head: html`${title} <bdi class="name">${name}</bdi>`,
    back: `/console/account?id=${userId}`,
  } as const
}

function takes({ preview, appsWithoutOwner }: AccountPreview) {
  return [
    ...previewSentences(preview),
    ...appsWithoutOwner.map(
      ({ name }) => html`The app <bdi>${shownName(name, "without a name")}</bdi> goes on without an owner.`,
    ),
  ]
}
