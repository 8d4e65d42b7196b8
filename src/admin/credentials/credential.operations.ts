/** Operations on credentials, for the credential itself, its account holder and administrators. */
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import { endCredential, endOwnCredential } from "../../oauth/credential/credential.ts"
import {
  type CredentialRecord,
  credentialRecord,
  credentialShape,
} from "../../oauth/credential/credential-record.rules.ts"
import { explain, explainOwn } from "../../oauth/explain/explain.ts"
import { explanationRecord, explanationShape } from "../../oauth/explain/explanation-record.ts"
import { ownExplanation, withoutRotation } from "../../oauth/explain/own-credential.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { unknown } from "../../platform/http/api-error.ts"
import { flag, list, optional, record } from "../../platform/json/shape.rules.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import type { Services } from "../../platform/services/services.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"
import { clientIdShape, userIdShape } from "../api/ids.ts"
import { type ElevationRule, type Operation, operation } from "../api/operation.ts"
import { mapPage, next, pageOf, type Paging, pagingBy, readPage } from "../api/paging.ts"
import { ownCredentialRecord, ownCredentialShape } from "./own-credential.ts"
import { rowKeys } from "../../store/list.ts"

/** A credential may revoke itself without elevation. Elevation is needed to revoke another credential. */
const unlessOwnCredential: ElevationRule<"credential.revoke" | "credential.revoke-itself"> = {
  when: "for any other than itself",
  effectsOf: ({ bearer, path }) => [
    path["token_id"] === bearer.credential.consent.tokenId ? "credential.revoke-itself" : "credential.revoke",
  ],
}

export const ownCredentialOperations: readonly Operation[] = [
  operation("GET", "/api/credential", "getOwnCredential", {
    summary: "Get the credential of this access token",
    needs: [],
    answers: ownCredentialShape,
    run: async ({ services, bearer }) => success(ownCredentialRecord(services, bearer)),
  }),
  operation("GET", "/api/credentials", "listCredentials", {
    summary: "List the active credentials, newest first",
    needs: ["credentials:read"],
    query: record(null, pagingBy(isIdentifier)),
    answers: record("HeldCredentials", {
      credentials: list("The credentials of this page, newest first.", credentialShape),
      next,
    }),
    run: async (call) => {
      const { userId } = call.bearer.account
      const { items, next: following } = await page(call, { userId, live: call.services.clock.now() })
      return success({ credentials: items, next: following })
    },
  }),
  operation("DELETE", "/api/credentials/{token_id}", "revokeCredential", {
    summary: "Revoke a credential",
    needs: ["credentials:write"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: async ({ services, bearer, path, address }) => {
      const by = bearer.credential.consent.tokenId === path.token_id ? "app" : "account-holder"
      const isFound = await endOwnCredential(services, bearer.account, path.token_id, { address }, by)
      return isFound ? success(null) : unknown("credential")
    },
  }),
  operation("GET", "/api/credentials/{token_id}/explanation", "explainCredential", {
    summary: "Explain what a credential reaches",
    needs: ["credentials:read"],
    answers: explanationShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, bearer, path }) =>
      explained(services, bearer, await explainOwn(services, bearer.account, path.token_id)),
  }),
]

export const credentialOperations: readonly Operation[] = [
  operation("GET", "/api/admin/credentials", "adminListCredentials", {
    summary: "List the credentials, newest first",
    needs: ["admin:credentials"],
    query: record(null, {
      user_id: optional(userIdShape("Only those of this account.")),
      client_id: optional(clientIdShape("Only those of this app.")),
      live: optional(flag("Only active ones.")),
      ...pagingBy(isIdentifier),
    }),
    answers: pageOf("CredentialPage", credentialShape),
    run: async (call) => {
      const { user_id, client_id, live } = call.query
      const filter = {
        userId: user_id as UserId | undefined,
        clientId: client_id as ClientId | undefined,
        live: live === true ? call.services.clock.now() : undefined,
      }
      return success(await page(call, filter))
    },
  }),
  operation("GET", "/api/admin/credentials/{token_id}", "adminGetCredential", {
    summary: "Get a credential",
    needs: ["admin:credentials"],
    answers: credentialShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, bearer, path }) => {
      const found = await explain(services, path.token_id)
      if (!found.ok) return unknown("credential")
      return success(asSeenBy(bearer, credentialRecord(services, found.value, services.clock.now())))
    },
  }),
  operation("DELETE", "/api/admin/credentials/{token_id}", "adminRevokeCredential", {
    summary: "Revoke a credential",
    needs: ["admin:credentials"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path, ...call }) => {
      const ended = await endCredential(services, path.token_id, byAdministrator(call))
      return ended.ok ? success(null) : unknown("credential")
    },
  }),
  operation("GET", "/api/admin/credentials/{token_id}/explanation", "adminExplainCredential", {
    summary: "Explain what a credential reaches",
    needs: ["admin:credentials"],
    answers: explanationShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, bearer, path }) =>
      explained(services, bearer, await explain(services, path.token_id)),
  }),
]

function explained(services: Services, bearer: Bearer, found: Awaited<ReturnType<typeof explain>>) {
  if (!found.ok) return unknown("credential")
  const isOwn = found.value.credential.consent.tokenId === bearer.credential.consent.tokenId
  const explanation = isOwn ? ownExplanation(found.value, bearer.accessToken) : found.value
  return success(asSeenBy(bearer, explanationRecord(services, explanation, services.clock.now(), inUtc)))
}

/** Hides the time of the last rotation from a token of the same credential. */
function asSeenBy<R extends CredentialRecord>({ credential }: Bearer, shown: R): R | Omit<R, "rotated_at"> {
  return shown.token_id === credential.consent.tokenId ? withoutRotation(shown) : shown
}

async function page(
  { services, bearer, query }: Pick<Call<never, Paging>, "services" | "bearer" | "query">,
  filter: Parameters<Services["store"]["credentials"]>[0],
) {
  const found = await readPage(
    query,
    (one) => credentialsAsOfNow(services, filter, { ...one, newestFirst: true }),
    rowKeys.credentials,
  )
  const now = services.clock.now()
  return mapPage(found, (held) => asSeenBy(bearer, credentialRecord(services, held, now)))
}

function inUtc(at: number): string {
  return new Date(at * 1000).toISOString().replace("T", " ").replace(".000", "")
}
