/** GET /account/activity: the activity of an account, newest first. */
import type { Client } from "../../model/clients/client.rules.ts"
import type { Labels } from "./detail-words.ts"
import { type HappenedView, renderActivity } from "./activity.view.ts"
import { type ActivityCursor, activityOf, clientOf, type Happened, timeOf } from "./activity.ts"
import { accountPage } from "../guards/account-page.ts"
import { ROWS_A_PAGE, sendAccountPage } from "../guards/signed-in.ts"
import { type AccountRequest, fieldOf } from "../guards/account-request.ts"

export const showActivity = accountPage("/account/activity", async (context, reply, request) => {
  const cursor = cursorOf(request)
  const { rows, apps, labels, next } = await activityOf(
    context.services,
    request.signedIn.account,
    cursor,
    ROWS_A_PAGE,
  )
  const isGone = (one: Happened) => {
    const clientId = clientOf(one)
    return clientId !== null && !apps.has(clientId)
  }
  return sendAccountPage(context, reply, request, 200, renderActivity, {
    rows: rows.map((one) => viewOf(one, apps, labels, context.services.providers)),
    isAnyAppGone: rows.some(isGone),
    older: next === null ? null : `?after=${next.eventId}&before=${next.before}`,
    isLater: cursor !== null,
  })
})

/** An invalid cursor shows the first page. */
function cursorOf(request: AccountRequest): ActivityCursor | null {
  const [eventId, before] = [fieldOf(request, "after"), fieldOf(request, "before")]
  const isNumber = (text: string) => /^[0-9]{1,15}$/.test(text)
  return isNumber(eventId) && isNumber(before) ? { eventId, before: Number(before) } : null
}

function viewOf(
  one: Happened,
  apps: ReadonlyMap<string, Client>,
  labels: ReadonlyMap<string, string>,
  providers: Labels,
): HappenedView {
  const facts = { at: timeOf(one), appName: apps.get(clientOf(one) ?? "")?.name ?? null }
  if (one.what === "ended") {
    const { because, installationName } = one
    return { ...facts, what: "ended", because, installationName }
  }
  const { kind, detail, actorId, userId, address, tokenId } = one.event
  if (one.what === "used-app") return { ...facts, what: "used-app", kind }
  const isByOther = (actorId !== null && actorId !== userId) || address === null
  return {
    ...facts,
    what: "event",
    kind,
    detail,
    providers,
    installationName: labels.get(tokenId ?? "") ?? null,
    isByAdministrator: isByOther,
    address: isByOther ? null : address,
  }
}
