/** The API's error for a change of an account that is refused. */
import type { AccountRefusal, Why } from "../../accounts/account-by-id.ts"
import { type ApiStatus, refused } from "../../platform/http/api-error.ts"

export const statuses = {
  unknown: "NOT_FOUND",
  malformed: "INVALID_ARGUMENT",
  taken: "ALREADY_EXISTS",
  conflict: "CONFLICT",
} as const satisfies Record<Why, ApiStatus>

export function accountRefused<W extends Why>({ why, problem }: AccountRefusal<W>) {
  return refused<(typeof statuses)[W]>(statuses[why], problem)
}
