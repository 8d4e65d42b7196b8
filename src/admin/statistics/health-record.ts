/** The health of an app in JSON. */
import type { Health } from "../../apps/statistics/app-health.rules.ts"
import type { AppHealth, RankedApp } from "../../apps/statistics/statistics.ts"
import {
  idShape,
  instant,
  integer,
  list,
  optional,
  orNull,
  type Parsed,
  record,
  text,
} from "../../platform/json/shape.rules.ts"

/** An access token must not show when a credential rotated, so the API counts finished days only. CRED-5. */
export const FINISHED_DAYS =
  "Counts finished days only (UTC): an access token must not show when a credential rotated."

/** The number of days if a request names none. */
export const DAYS = 30

export const daysParameter = optional(
  integer(`The number of days up to the end of yesterday (UTC). Default: ${DAYS}.`, DAYS, {
    least: 1,
    most: 90,
  }),
)

export const healthQuery = record(null, { days: daysParameter })

const healthMembers = {
  issued: integer("Credentials whose first tokens it fetched.", 40),
  refreshes: integer("Refreshes.", 900),
  service_tokens: integer("Access tokens of its service account.", 0),
  replays: integer("Refreshes that got the same pair again within sixty seconds.", 2),
  replays_per_thousand: integer("Their share of all refreshes, in thousandths.", 2, { most: 1000 }),
  reuses: integer("Credentials revoked because a refresh token was reused.", 0),
  code_replays: integer("Credentials revoked because a code was used twice.", 0),
  errors: list(
    "Errors that the app could have avoided, most frequent first.",
    record(null, {
      reason: text("The reason.", "refreshTokenRetired"),
      count: integer("The number of times.", 3),
    }),
  ),
}

const finding = record("Finding", {
  finding: text("The name of the finding.", "keeps-retired-refresh-tokens"),
  weight: integer("3: people are signed out. 2: requests fail. 1: requests are wasted.", 3, {
    least: 1,
    most: 3,
  }),
  sentence: text("What was observed.", "One credential was revoked because a refresh token was reused."),
  advice: text("What the developer of the app can do.", "Store the new refresh token before using it."),
})
const findings = list("Advice for the developer, most important first.", finding)

export const healthShape = record("AppHealth", {
  client_id: idShape("app"),
  days: integer("The number of days; the last is yesterday (UTC).", 30),
  ...healthMembers,
  findings,
  per_day: list(
    "The same for each day (UTC), oldest first.",
    record(null, { at: instant("The start of the day"), ...healthMembers }),
  ),
})

export const rankedShape = record("RankedApp", {
  client_id: idShape("app"),
  client_name: orNull(text("The name of the app, or null if it was removed.", "My notes")),
  ...healthMembers,
  findings,
})

export function healthRecord({
  clientId,
  days,
  total,
  findings: found,
  perDay,
}: AppHealth): Parsed<typeof healthShape> {
  return {
    client_id: clientId,
    days,
    ...countsRecord(total),
    findings: found,
    per_day: perDay.map(({ at, ...day }) => ({ at, ...countsRecord(day) })),
  }
}

export function rankedRecord({
  clientId,
  client,
  total,
  findings: found,
}: RankedApp): Parsed<typeof rankedShape> {
  return {
    client_id: clientId,
    client_name: client?.name ?? null,
    ...countsRecord(total),
    findings: found,
  }
}

function countsRecord({
  issued,
  refreshes,
  serviceTokens,
  replays,
  replayShare,
  reuses,
  codeReplays,
  errors,
}: Health) {
  return {
    issued,
    refreshes,
    service_tokens: serviceTokens,
    replays,
    replays_per_thousand: Math.round(replayShare * 1000),
    reuses,
    code_replays: codeReplays,
    errors,
  }
}
