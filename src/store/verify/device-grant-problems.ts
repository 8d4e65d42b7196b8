/**
 * The invariants of a stored device grant that the schema cannot check: the syntax of texts, durations and references.
 */
import { DEVICE_SECONDS, INSTALLATION_NAME_LENGTH_AT_MOST, RESOURCES_AT_MOST } from "../../kernel/limits.ts"
import { codePointCount } from "../../kernel/visible-text.ts"
import { deviceGrantOf, type DeviceGrantRow } from "../codecs/device-grant-row.ts"
import { deviceGrantDeleteAfter, unansweredDeleteAfter } from "../codecs/retention.ts"
import { namesOf } from "../codecs/names.ts"
import { areNames, isDigest, problemsIn, textsOf } from "./rule.ts"

/** A row, with a flag that says whether the approving account exists. */
export type VerifiedDeviceGrantRow = DeviceGrantRow & { readonly has_approver: number }

export function deviceGrantProblems(row: VerifiedDeviceGrantRow): string[] {
  return [...requestProblems(row), ...retentionProblems(row), ...approvalProblems(row)]
}

function requestProblems(row: DeviceGrantRow): string[] {
  return problemsIn(
    [!isDigest(row.device_hash), "device_hash is not a digest"],
    [!isDigest(row.user_code_hash), "user_code_hash is not a digest"],
    [row.expires_at !== row.asked_at + DEVICE_SECONDS, "expires_at is not ten minutes after asked_at"],
    [row.asked !== null && !areNames(row.asked), "asked is not a list of different names"],
    [
      row.installation_name !== null &&
        codePointCount(row.installation_name) > INSTALLATION_NAME_LENGTH_AT_MOST,
      "installation_name is too long",
    ],
    [
      row.resources !== null && (textsOf(row.resources)?.length ?? Infinity) > RESOURCES_AT_MOST,
      "resources is not a list of URIs",
    ],
  )
}

/** Checks `gone_at`. An expired grant keeps the `gone_at` of its request or its approval. */
function retentionProblems(row: DeviceGrantRow): string[] {
  const { state, gone_at: deleteAfter } = row
  const expected = deviceGrantDeleteAfter(deviceGrantOf(row))
  const isWrong =
    expected === null ? deleteAfter < unansweredDeleteAfter(row.expires_at) : deleteAfter !== expected
  return problemsIn([isWrong, `gone_at is wrong for a grant in the state ${state}`])
}

/** Checks an approval: its permissions were requested, and its account exists. */
function approvalProblems({ asked, granted, state, has_approver }: VerifiedDeviceGrantRow): string[] {
  if (state !== "approved" || granted === null) return []
  const wanted = new Set(namesOf(asked ?? ""))
  return problemsIn(
    [!areNames(granted), "granted is not a list of different names"],
    [
      !namesOf(granted).every((name) => wanted.has(name)),
      "granted contains permissions that were not requested",
    ],
    [has_approver === 0, "the account that approved does not exist"],
  )
}
