/** The invariants of one stored device grant: which columns its purpose and its state fill, and what they may say. */
import { DEVICE_SECONDS, INSTALLATION_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import type { DevicePurpose, DeviceState } from "../../records/device-grant.rules.ts"
import { codePointCount } from "../../kernel/visible-text.ts"
import { deviceGrantOf, type DeviceGrantRow } from "../codecs/device-grant-row.ts"
import { deviceGrantDeleteAfter, unansweredDeleteAfter } from "../codecs/retention.ts"
import { namesOf } from "../codecs/names.ts"
import { areNames, isDigest, problemsIn } from "./rule.ts"

/** A row with whether the account that approved is there. */
export type VerifiedDeviceGrantRow = DeviceGrantRow & { readonly has_approver: number }

type Column = keyof DeviceGrantRow
type Filled = { readonly must: readonly Column[]; readonly may: readonly Column[] }

const purposeColumns: readonly Column[] = [
  "asked",
  "installation_name",
  "step_up_token_id",
  "step_up_user_id",
  "reason",
]
const purposes = {
  access: { must: ["asked"], may: ["installation_name"] },
  "step-up": { must: ["step_up_token_id", "step_up_user_id"], may: ["reason"] },
} satisfies Record<DevicePurpose["purpose"], Filled>

const answerColumns: readonly Column[] = ["user_id", "granted", "answered_at"]
const states = {
  pending: { must: [], may: [] },
  approved: { must: ["user_id", "granted", "answered_at"], may: [] },
  redeemed: { must: ["answered_at"], may: ["user_id"] },
  denied: { must: ["answered_at"], may: ["user_id"] },
  expired: { must: [], may: [] },
} satisfies Record<DeviceState["state"], Filled>

export function deviceGrantProblems(row: VerifiedDeviceGrantRow): string[] {
  const purpose = new Map<string, Filled>(Object.entries(purposes)).get(row.purpose)
  const state = new Map<string, Filled>(Object.entries(states)).get(row.state)
  if (purpose === undefined) return [`the purpose ${row.purpose} does not exist`]
  if (state === undefined) return [`the state ${row.state} does not exist`]
  return [
    ...columnProblems(row, purposeColumns, purpose, `a grant for ${row.purpose}`),
    ...columnProblems(row, answerColumns, state, `a grant that is ${row.state}`),
    ...requestProblems(row),
    ...retentionProblems(row),
    ...approvalProblems(row),
  ]
}

function columnProblems(
  row: DeviceGrantRow,
  columns: readonly Column[],
  { must, may }: Filled,
  what: string,
): string[] {
  return columns.flatMap((column) => {
    const isFilled = row[column] !== null
    if (must.includes(column)) return isFilled ? [] : [`${column} is empty in ${what}`]
    return isFilled && !may.includes(column) ? [`${column} is filled in ${what}`] : []
  })
}

function requestProblems(row: DeviceGrantRow): string[] {
  return problemsIn(
    [!isDigest(row.device_hash), "device_hash is no digest"],
    [!isDigest(row.user_code_hash), "user_code_hash is no digest"],
    [row.expires_at !== row.asked_at + DEVICE_SECONDS, "expires_at is not ten minutes after asked_at"],
    [row.asked === "", "nothing was asked for"],
    [row.asked !== null && !areNames(row.asked), "asked is not a list of different names"],
    [
      row.installation_name !== null &&
        codePointCount(row.installation_name) > INSTALLATION_NAME_LENGTH_AT_MOST,
      "installation_name is too long",
    ],
  )
}

/** An expiry leaves `gone_at` as it was: of a request, or of an approval. */
function retentionProblems(row: DeviceGrantRow): string[] {
  const { state, gone_at: deleteAfter } = row
  const expected = deviceGrantDeleteAfter(deviceGrantOf(row))
  const isWrong =
    expected === null ? deleteAfter < unansweredDeleteAfter(row.expires_at) : deleteAfter !== expected
  return problemsIn([isWrong, `gone_at is not what a grant that is ${state} has`])
}

/** What was approved was asked for; and an account that is gone has approved nothing that could be fetched. */
function approvalProblems({
  asked,
  granted,
  purpose,
  state,
  has_approver,
}: VerifiedDeviceGrantRow): string[] {
  if (state !== "approved" || granted === null) return []
  const wanted = new Set(namesOf(asked ?? ""))
  return problemsIn(
    [!areNames(granted), "granted is not a list of different names"],
    [!namesOf(granted).every((name) => wanted.has(name)), "granted is more than was asked for"],
    [purpose === "access" && granted === "", "nothing was granted"],
    [has_approver === 0, "the account that approved does not exist"],
  )
}
