/** What the schema cannot say of one stored device grant: the syntax of its texts, durations, and what it refers to. */
import { DEVICE_SECONDS, INSTALLATION_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { codePointCount } from "../../kernel/visible-text.ts"
import { deviceGrantOf, type DeviceGrantRow } from "../codecs/device-grant-row.ts"
import { deviceGrantDeleteAfter, unansweredDeleteAfter } from "../codecs/retention.ts"
import { namesOf } from "../codecs/names.ts"
import { areNames, isDigest, problemsIn } from "./rule.ts"

/** A row, and whether the account that approved it exists. */
export type VerifiedDeviceGrantRow = DeviceGrantRow & { readonly has_approver: number }

export function deviceGrantProblems(row: VerifiedDeviceGrantRow): string[] {
  return [...requestProblems(row), ...retentionProblems(row), ...approvalProblems(row)]
}

function requestProblems(row: DeviceGrantRow): string[] {
  return problemsIn(
    [!isDigest(row.device_hash), "device_hash is no digest"],
    [!isDigest(row.user_code_hash), "user_code_hash is no digest"],
    [row.expires_at !== row.asked_at + DEVICE_SECONDS, "expires_at is not ten minutes after asked_at"],
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
function approvalProblems({ asked, granted, state, has_approver }: VerifiedDeviceGrantRow): string[] {
  if (state !== "approved" || granted === null) return []
  const wanted = new Set(namesOf(asked ?? ""))
  return problemsIn(
    [!areNames(granted), "granted is not a list of different names"],
    [!namesOf(granted).every((name) => wanted.has(name)), "granted is more than was asked for"],
    [has_approver === 0, "the account that approved does not exist"],
  )
}
