/** GET /account: the apps that are signed in to the account, each with its installations, newest first. */
import { type Family, refreshEndsAt } from "../../records/credential.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { REPEAT_SHOWN_SECONDS } from "../../kernel/limits.ts"
import { isAdmin } from "../../permissions/permission.rules.ts"
import { reach } from "../../permissions/reach.rules.ts"
import { type AppGroup, renderAccount } from "./installations.view.ts"
import type { AccessView } from "./installation.view.ts"
import { type Installation, installationCounts, installationsOf } from "./installation.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage, sendSeeOther } from "../../http/respond.ts"
import { browserOf } from "../../http/browser-cookies.ts"
import type { HttpContext } from "../../http/http-context.ts"
import type { Endpoint } from "../../http/endpoint.ts"
import { accountHolder } from "../../accounts/guards/account-page.ts"
import { requestOf } from "../../accounts/guards/page-wrappers.ts"
import { knownApps, ROWS_A_PAGE, signedInView } from "../../accounts/guards/signed-in.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"

export const accountPage: Endpoint = async (context, request, reply) => {
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn === null) return sendSeeOther(context, reply, `${context.basePath}/sign-in`)
  return show(context, reply, requestOf(context, request, accountHolder, { browser, signedIn }))
}

async function show(context: HttpContext, reply: HttpReply, own: AccountRequest): Promise<HttpReply> {
  const { services } = context
  const { account } = own.signedIn
  const [app, after] = [identifierOf(own, "app"), identifierOf(own, "after")]
  const page = { limit: ROWS_A_PAGE, ...(after !== null && { after }) }
  const { rows, next } = await installationsOf(services, account, app, page)
  const counts = await installationCounts(services, account)
  const text = renderAccount({
    ...signedInView(context, own),
    now: services.clock.now(),
    groups: await groupsOf(context, rows, counts, account.admin),
    installations: [...counts.values()].reduce((sum, count) => sum + count, 0),
    isOfOneApp: app !== null,
    isLater: after !== null,
    done: doneOf(own),
    older: next === null ? null : `?${app === null ? "" : `app=${app}&`}after=${next}`,
  })
  return sendPage(context, reply, 200, text)
}

/** In the order of the page. */
async function groupsOf(
  context: HttpContext,
  rows: readonly Installation[],
  counts: ReadonlyMap<string, number>,
  admin: boolean,
): Promise<readonly AppGroup[]> {
  const byApp = Map.groupBy(rows, ({ client }) => client.clientId)
  const apps = await knownApps(
    context,
    [...byApp.values()].flatMap(([first]) => first?.client ?? []),
  )
  return [...byApp].flatMap(([clientId, held]) => {
    const app = apps.get(clientId)
    if (app === undefined) return []
    const access = held.map((one) => accessView(context, one, admin))
    return [{ app, access, installations: Math.max(counts.get(clientId) ?? 0, access.length) }]
  })
}

/** `admin` says whether the account is an administrator. */
export function accessView(
  { services: { catalogue, clock } }: HttpContext,
  { credential: { consent }, family, client }: Installation,
  admin: boolean,
): AccessView {
  const reached = client.enabled ? reach(catalogue, consent.scope, client.ceiling, admin) : []
  const endsAt = refreshEndsAt(consent, family)
  return {
    tokenId: consent.tokenId,
    installationName: consent.installationName,
    permissions: reached.map((name) => ({
      title: catalogue.get(name)?.title ?? name,
      admin: isAdmin(name),
    })),
    consentedAt: consent.consentedAt,
    usedAt: family.rotatedAt,
    usedFrom: family.rotatedFrom,
    elsewhere: elsewhereLately(family, clock.now()),
    endsAt,
    isIdleEnd: endsAt < consent.endsAt,
  }
}

function elsewhereLately({ repeats }: Family, now: number): AccessView["elsewhere"] {
  const [last] = repeats.elsewhere
  return last !== undefined && now - last.at < REPEAT_SHOWN_SECONDS ? last : null
}

/** An unknown value shows nothing. */
function doneOf(own: AccountRequest): "ended" | "all-ended" | null {
  const done = fieldOf(own, "done")
  return done === "ended" || done === "all-ended" ? done : null
}

/** A value that cannot be an identifier is ignored. */
function identifierOf(own: AccountRequest, name: string): string | null {
  const value = fieldOf(own, name)
  return isIdentifier(value) ? value : null
}
