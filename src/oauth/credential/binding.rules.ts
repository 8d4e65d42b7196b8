/**
 * Binds an app to a service account: SERVICE-2, SERVICE-6. An administrator's decision replaces the consent. At each
 * request, the credential reaches what the registration and the account allow at that time.
 */
import type { Account } from "../../model/account.rules.ts"
import type { Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { type Change, eventRecorded } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { type Consent, type Credential, type Family, NO_REPEATS } from "../../model/credential.rules.ts"
import { NEVER } from "../../kernel/time.ts"
import { workloadText } from "../../model/clients/workload.rules.ts"
import { REGISTERED } from "../../model/permissions/reach.rules.ts"
import { revokeCredential } from "./revoke-credential.rules.ts"

export type BindingInput = {
  readonly now: number
  readonly address: string | null
  /** The administrator. The value is null for the command line. */
  readonly actorId: UserId | null
  /** Random values for a new credential. */
  readonly tokenId: TokenId
  readonly familyKey: string
  /** The digest of a random secret that is thrown away. No refresh token can match it. */
  readonly noRefreshHash: Hash
}

type Bound = { readonly binding: Client["binding"]; readonly changes: readonly Change[] }

/** Returns why this app cannot be bound to this account. Returns null if it can. */
export function bindingProblem(
  { type, registeredBy }: Pick<Client, "type" | "registeredBy">,
  account: Account | null,
): string | null {
  if (account === null) return null
  if (registeredBy === "document") return "An app that its document describes cannot be bound."
  if (account.type !== "service") return `"${account.username}" is not a service account.`
  return type === "public" ? "Only a confidential app can be bound to a service account." : null
}

type Workloads = { readonly keys: Client["keys"]; readonly binding: object | null }

/**
 * Returns why an app cannot be so: with a workload and without a service account. WORK-1. One whose account was removed
 * stays as it is.
 */
export function workloadProblem(before: Workloads | null, after: Workloads): string | null {
  const workload = workloadText(after.keys)
  if (workload === null || after.binding !== null) return null
  return before?.binding === null && workloadText(before.keys) === workload
    ? null
    : "An app with a workload acts as a service account. Name its service account too, or give the app keys in place of the workload. To end its access, disable it."
}

/**
 * Binds `client` to `account`. If `account` is null, removes the binding. `former` is the credential of the current
 * binding. An active credential of the same account is kept, so its access tokens keep working.
 */
export function decideBinding(
  client: Client,
  former: Credential | null,
  account: Account | null,
  input: BindingInput,
): Bound {
  const isActive = former?.life.state === "active"
  if (isActive && account !== null && former.consent.userId === account.userId)
    return { binding: client.binding, changes: [] }
  const { now, address, actorId, tokenId } = input
  const ended = former === null ? [] : revokeCredential(former, "administrator", now, address, actorId)
  if (account === null) return { binding: null, changes: ended }
  const { clientId } = client
  const { userId } = account
  return {
    binding: { userId, tokenId },
    changes: [
      ...ended,
      { change: "credentialAdded", credential: bindingCredential(client, account, input) },
      eventRecorded("service-account-bound", now, { userId, clientId, tokenId, actorId, address }),
    ],
  }
}

function bindingCredential(
  { clientId }: Client,
  { userId }: Account,
  { now, tokenId, familyKey, noRefreshHash }: BindingInput,
): Credential {
  const consent = { tokenId, clientId, userId, scope: [REGISTERED], consentedAt: now }
  return withoutRefresh(consent, { key: familyKey, currentHash: noRefreshHash, rotatedAt: NEVER })
}

/** Makes an active credential that has no refresh token and no end of its own. No one consented to it on a page. */
export function withoutRefresh(
  consent: Pick<Consent, "tokenId" | "clientId" | "userId" | "scope" | "consentedAt" | "organization">,
  family: Pick<Family, "key" | "currentHash" | "rotatedAt">,
): Credential {
  return {
    consent: { ...consent, installationName: null, resources: [], openid: null, endsAt: NEVER },
    code: null,
    life: {
      state: "active",
      elevatedUntil: null,
      family: {
        ...family,
        generation: 1,
        retired: null,
        retirements: [],
        rotatedFrom: null,
        accessTokens: [],
        repeats: NO_REPEATS,
      },
    },
  }
}
