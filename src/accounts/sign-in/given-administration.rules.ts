/** The rule `administrators` of a sign-in provider. */
import type { Change } from "../../model/change.rules.ts"
import type { RuledRows } from "../sessions/sign-in-changes.rules.ts"
import { decideAdministration } from "../account-change.rules.ts"

type GivenAdministration = {
  readonly provider: string
  /** Whether the rule holds for this sign-in. Null without such a rule. */
  readonly isAdministrator: boolean | null
  readonly now: number
  readonly address: string | null
}

/** Takes back only what the rule gave, and never from the last administrator who can sign in here. */
export function administrationChanges(
  { account, identity, otherAdministrator }: Pick<RuledRows, "account" | "identity" | "otherAdministrator">,
  { provider, isAdministrator, now, address }: GivenAdministration,
): readonly Change[] {
  if (isAdministrator === null) return []
  const isGiven = isAdministrator && !account.admin
  const isTaken = !isAdministrator && account.admin && identity.grantsAdministration
  if (!isGiven && !isTaken) return []
  const { answer, changes } = decideAdministration(
    { account, otherAdministrator, now, address },
    isAdministrator,
  )
  if (!answer.ok) return []
  const detail = `by the rule of ${provider}`
  return [
    ...changes.map((change) =>
      change.change === "eventRecorded" ? { ...change, event: { ...change.event, detail } } : change,
    ),
    { change: "identityChanged", identity: { ...identity, grantsAdministration: isGiven } },
  ]
}
