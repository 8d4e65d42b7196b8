/** The label of one installation of an app. Interface table "Client", `installation_name`. */
import { INSTALLATION_NAME_LENGTH_AT_MOST } from "../kernel/limits.ts"
import { type Result, err, ok } from "../kernel/result.ts"
import type { Refusal } from "./refusals/refusal.rules.ts"
import { codePointCount, isVisibleLabel } from "../kernel/visible-text.ts"

/** Parses and trims the label. Returns null if it is missing or empty. Refuses: parameterMalformed. */
export function parseInstallationName(text: string | undefined): Result<string | null, Refusal> {
  const name = text?.trim() ?? ""
  if (name === "") return ok(null)
  const isGood = isVisibleLabel(name) && codePointCount(name) <= INSTALLATION_NAME_LENGTH_AT_MOST
  return isGood ? ok(name) : err({ reason: "parameterMalformed", parameter: "installation_name" })
}
