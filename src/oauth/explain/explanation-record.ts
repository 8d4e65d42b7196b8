/** The JSON record of an explanation, for the command line and the API. */
import { type CredentialRecord, credentialRecord } from "../credential/credential-record.rules.ts"
import type {
  ExplainedPermission,
  Explanation,
  PermissionBlocker,
  CredentialBlocker,
} from "./explanation.rules.ts"
import {
  accessTokenExplained,
  type Explained,
  permissionExplained,
  type Time,
  wholeExplained,
} from "./explanation-words.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"

export type ExplanationRecord = CredentialRecord & {
  /** The value is null if the app was removed. */
  readonly client_name: string | null
  readonly blockers: readonly CredentialBlocker["blocker"][]
  /** When and why the credential ended. The value is null while the credential is alive. */
  readonly over_at: number | null
  readonly because: string | null
  /**
   * When an unused credential ends, and by which rule: `code`, `idle` or `lifetime`. The value is null if the
   * credential has ended, or if only revocation can end it.
   */
  readonly next_end: { readonly at: number; readonly rule: string } | null
  readonly explained: readonly Explained[]
  readonly access_tokens: readonly {
    readonly issued_at: number
    readonly expires_at: number
    readonly live: boolean
    readonly narrowed_to: string | null
    readonly reach: string
    readonly sentence: string
  }[]
  readonly permissions: readonly (Explained & {
    readonly permission: string
    readonly title: string | null
    readonly reached: boolean
    readonly consented: boolean
    readonly consent_implied_by: readonly string[]
    readonly ceiling: ExplainedPermission["ceiling"]
    readonly ceiling_implied_by: readonly string[]
    readonly blockers: readonly PermissionBlocker[]
  })[]
}

export function explanationRecord(
  catalog: Catalog,
  explanation: Explanation,
  now: number,
  time: Time,
): ExplanationRecord {
  const { credential, client, account, blockers, comingEnd } = explanation
  const over = blockers.find((one) => one.blocker === "revoked" || one.blocker === "ended")
  return {
    ...credentialRecord(catalog, credential, client, account, now),
    client_name: client?.name ?? null,
    blockers: blockers.map(({ blocker }) => blocker),
    over_at: over?.at ?? null,
    because: over?.because ?? null,
    next_end: comingEnd,
    explained: wholeExplained(explanation, time),
    access_tokens: explanation.accessTokens.map((token) => ({
      issued_at: token.issuedAt,
      expires_at: token.expiresAt,
      live: token.isLive,
      narrowed_to: token.narrowedTo?.join(" ") ?? null,
      reach: token.reach.join(" "),
      sentence: accessTokenExplained(token, time),
    })),
    permissions: explanation.permissions.map((line) => ({
      permission: line.permission,
      title: line.title,
      reached: line.isReached,
      consented: line.isConsented,
      consent_implied_by: line.consentImpliedBy,
      ceiling: line.ceiling,
      ceiling_implied_by: line.ceilingImpliedBy,
      blockers: line.blockers,
      ...permissionExplained(line),
    })),
  }
}
