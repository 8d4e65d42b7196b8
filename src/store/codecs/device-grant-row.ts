import type { ClientId, GrantId, Hash, TokenId, UserId } from "../../kernel/ids.ts"
import type { DeviceGrant, DevicePurpose, DeviceState } from "../../model/device-grant.rules.ts"
import { deviceGrantDeleteAfter, unansweredDeleteAfter } from "./retention.ts"
import { insertInto } from "./insert.ts"
import type { Value } from "./value.ts"
import { namesOf, namesText } from "./names.ts"

export type DeviceGrantRow = {
  readonly grant_id: string
  readonly device_hash: string
  readonly user_code_hash: string
  readonly client_id: string
  readonly address: string
  readonly asked_at: number
  readonly expires_at: number
  readonly purpose: string
  readonly asked: string | null
  readonly installation_name: string | null
  readonly resources: string | null
  readonly step_up_token_id: string | null
  readonly step_up_user_id: string | null
  readonly reason: string | null
  readonly state: string
  readonly user_id: string | null
  readonly granted: string | null
  readonly answered_at: number | null
  readonly openid: string | null
  readonly gone_at: number
}

export const deviceGrantColumns =
  "grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, " +
  "installation_name, resources, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, openid, gone_at"

export function deviceGrantOf(row: DeviceGrantRow): DeviceGrant {
  return {
    request: {
      grantId: row.grant_id as GrantId,
      deviceHash: row.device_hash as Hash,
      userCodeHash: row.user_code_hash as Hash,
      clientId: row.client_id as ClientId,
      purpose: purposeOf(row),
      address: row.address,
      askedAt: row.asked_at,
      expiresAt: row.expires_at,
    },
    answer: stateOf(row),
  }
}

function purposeOf(row: DeviceGrantRow): DevicePurpose {
  return row.purpose === "step-up"
    ? {
        purpose: "step-up",
        tokenId: row.step_up_token_id as TokenId,
        userId: row.step_up_user_id as UserId,
        reason: row.reason,
      }
    : {
        purpose: "access",
        asked: namesOf(row.asked ?? ""),
        installationName: row.installation_name,
        resources: row.resources === null ? [] : (JSON.parse(row.resources) as string[]),
      }
}

function stateOf(row: DeviceGrantRow): DeviceState {
  const at = row.answered_at ?? 0
  switch (row.state) {
    case "pending":
    case "expired":
      return { state: row.state }
    case "approved":
      return {
        state: "approved",
        userId: row.user_id as UserId,
        granted: namesOf(row.granted ?? ""),
        approvedAt: at,
        openid: row.openid,
      }
    case "redeemed":
      return { state: "redeemed", redeemedAt: at, userId: row.user_id as UserId | null }
    case "denied":
      return { state: "denied", deniedAt: at, userId: row.user_id as UserId | null }
  }
  throw new Error(`the stored device grant ${row.grant_id} has an unknown state`)
}

export const INSERT_DEVICE_GRANT = insertInto("device_grant", deviceGrantColumns)

/** The parameters are `answerValues` and the grant's id. */
export const UPDATE_DEVICE_GRANT = `
  UPDATE device_grant SET state = ?, user_id = ?, granted = ?, answered_at = ?, openid = ?, gone_at = coalesce(?, gone_at)
  WHERE grant_id = ?`

/** The parameters are the time of the denial, the time of deletion, and the parameters of the condition. */
export const denyApprovals = (condition: string) => `
  UPDATE device_grant SET state = 'denied', user_id = NULL, granted = NULL, openid = NULL, answered_at = ?, gone_at = ?
  WHERE ${condition} AND state = 'approved'`

/** The last parameter is the id of the account. */
export const DENY_APPROVALS = denyApprovals("user_id = ?")

export function deviceGrantValues(grant: DeviceGrant): Value[] {
  const { request, answer } = grant
  const { purpose } = request
  const purposeValues =
    purpose.purpose === "step-up"
      ? ["step-up", null, null, null, purpose.tokenId, purpose.userId, purpose.reason]
      : [
          "access",
          namesText(purpose.asked),
          purpose.installationName,
          resourcesText(purpose),
          null,
          null,
          null,
        ]
  return [
    request.grantId,
    request.deviceHash,
    request.userCodeHash,
    request.clientId,
    request.address,
    request.askedAt,
    request.expiresAt,
    ...purposeValues,
    ...stateValues(answer),
    deviceGrantDeleteAfter(grant) ?? unansweredDeleteAfter(request.expiresAt),
  ]
}

function resourcesText({ resources }: { readonly resources: readonly string[] }): string | null {
  return resources.length === 0 ? null : JSON.stringify(resources)
}

export function answerValues(grant: DeviceGrant): Value[] {
  return [...stateValues(grant.answer), deviceGrantDeleteAfter(grant)]
}

function stateValues(answer: DeviceState): Value[] {
  switch (answer.state) {
    case "pending":
    case "expired":
      return [answer.state, null, null, null, null]
    case "approved":
      return ["approved", answer.userId, namesText(answer.granted), answer.approvedAt, answer.openid]
    case "redeemed":
      return ["redeemed", answer.userId, null, answer.redeemedAt, null]
    case "denied":
      return ["denied", answer.userId, null, answer.deniedAt, null]
  }
}
