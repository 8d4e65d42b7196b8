/** Operations of account holders on their own account. */
import type { FactorId } from "../../kernel/ids.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { updateAccount } from "../../accounts/account-by-id.ts"
import { factorsOf, removeFactor } from "../../accounts/factors/factor.ts"
import { browsersOf, endBrowser, type SignedInBrowser } from "../../accounts/sessions/sessions.ts"
import { isOpenidPermission } from "../../model/permissions/openid-permissions.rules.ts"
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import { instant, optional, orNull, type Parsed, record, text } from "../../platform/json/shape.rules.ts"
import { success } from "../api/call.ts"
import { type Operation, operation } from "../api/operation.ts"
import { numberPaging, pageOf, readPage } from "../api/paging.ts"
import { activityRecord, activityShape, eventRecords } from "../events/event-record.ts"
import { ownAccountRecord, ownAccountShape, usernameInput } from "./account-record.ts"
import { accountRefused } from "./account-refused.ts"
import { factorRecord, factorShape, factorsShape } from "./factor-record.ts"
import { rowKeys } from "../../store/list.ts"

const sessionShape = record("Session", {
  id: text("Identifies the session. It is not a secret.", "vXq3kS0cPq2sJmU9w1aZ4g"),
  signed_in_at: instant("When the person signed in"),
  seen_at: instant("When it was last used, to ten minutes"),
  address: text("The network address of the sign-in.", "192.0.2.7"),
  user_agent: text("The User-Agent header of the browser.", "Mozilla/5.0"),
})

function sessionRecord({ reference, session }: SignedInBrowser): Parsed<typeof sessionShape> {
  const { createdAt, seenAt, address, userAgent } = session
  return { id: reference, signed_in_at: createdAt, seen_at: seenAt, address, user_agent: userAgent }
}

/** An access token belongs to no session, so every session of the account is another one. */
function withoutSession({ account: { userId } }: Bearer) {
  return { session: { userId, sessionHash: null } }
}

export const ownAccountOperations: readonly Operation[] = [
  operation("GET", "/api/account", "getAccount", {
    summary: "Get the account",
    needs: ["account:read"],
    answers: ownAccountShape,
    run: async ({ services, bearer: { account, reach } }) => {
      await services.settings.current()
      const isReached = isOpenidPermission(services.catalog, "email") && reach.some((one) => one === "email")
      const { email } = await services.store.read({ email: isReached ? account.userId : null })
      return success({ ...ownAccountRecord(account), ...(email !== null && { email: email.address }) })
    },
  }),
  operation("PATCH", "/api/account", "updateAccount", {
    summary: "Rename the account, or choose its language",
    needs: ["account:write"],
    body: record("OwnAccountUpdate", {
      username: optional(usernameInput),
      language: optional(
        orNull(text("A tag of the service. Null withdraws the choice.", "pt-BR", { most: 40 })),
      ),
    }),
    answers: ownAccountShape,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: async ({ services, bearer, body, address }) => {
      const { language = null } = body
      if (language !== null && !services.languages.tags.includes(language))
        return refused("INVALID_ARGUMENT", `language: expected one of ${services.languages.tags.join(", ")}`)
      const updated = await updateAccount(services, bearer.account.userId, body, { address })
      return updated.ok ? success(ownAccountRecord(updated.value)) : accountRefused(updated.error)
    },
  }),
  operation("GET", "/api/account/activity", "listActivity", {
    summary: "List the activity, newest first",
    needs: ["account:read"],
    query: record(null, numberPaging),
    answers: pageOf("ActivityPage", activityShape),
    run: async ({ services, bearer, query }) => {
      const { userId } = bearer.account
      const found = await readPage(query, (page) => services.store.events({ userId }, page), rowKeys.events)
      return success({ ...found, items: (await eventRecords(services, found.items)).map(activityRecord) })
    },
  }),
  operation("GET", "/api/account/sessions", "listSessions", {
    summary: "List signed-in browsers",
    needs: ["account:read"],
    answers: pageOf("SessionPage", sessionShape),
    run: async ({ services, bearer }) => {
      const browsers = await browsersOf(services, withoutSession(bearer))
      return success({ items: browsers.map(sessionRecord), next: null })
    },
  }),
  operation("DELETE", "/api/account/sessions/{id}", "endSession", {
    summary: "Sign out a browser",
    needs: ["account:write"],
    refuses: ["NOT_FOUND"],
    run: async ({ services, bearer, path, address }) => {
      const isEnded = await endBrowser(services, withoutSession(bearer), path.id, address)
      return isEnded ? success(null) : unknown("session")
    },
  }),
  operation("GET", "/api/factors", "listFactors", {
    summary: "List the factors, without secrets",
    needs: ["account:read"],
    answers: factorsShape,
    run: async ({ services, bearer }) => {
      const factors = await factorsOf(services, bearer.account.userId)
      return success({ factors: factors.map(factorRecord) })
    },
  }),
  operation("GET", "/api/factors/{id}", "getFactor", {
    summary: "Get a factor, without its secret",
    needs: ["account:read"],
    answers: factorShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, bearer, path }) => {
      const factors = await factorsOf(services, bearer.account.userId)
      const factor = factors.find(({ factorId }) => factorId === path.id)
      return factor === undefined ? unknown("factor") : success(factorRecord(factor))
    },
  }),
  operation("DELETE", "/api/factors/{id}", "removeFactor", {
    summary: "Remove a factor",
    notes: "Removing the last second factor also removes the recovery codes.",
    needs: ["account:write"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: async ({ services, bearer, path, address }) => {
      const outcome = isIdentifier(path.id)
        ? await removeFactor(services, bearer.account.userId, path.id as FactorId, null, address)
        : "unknown"
      if (outcome === "last-way-in")
        return refused("CONFLICT", "The account could not sign in without this passkey.")
      return outcome === "done" ? success(null) : unknown("factor")
    },
  }),
]
