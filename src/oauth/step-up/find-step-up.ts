/** Finds the step-up that a page shows. Interface STEP-2. */
import type { GrantId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { DeviceGrant, DevicePurpose } from "../../model/device-grant.rules.ts"
import { resolveClient } from "../clients/resolve.rules.ts"
import { reportedEnd, type StepUpBlocker, stepUpBlocker } from "./step-up.rules.ts"
import type { Services } from "../../platform/services/services.ts"

type FoundStepUp =
  | {
      readonly outcome: "found"
      readonly request: DeviceGrant["request"]
      readonly purpose: Extract<DevicePurpose, { purpose: "step-up" }>
      readonly client: Client
      /** The label of the credential that will be elevated. */
      readonly installationName: string | null
    }
  | { readonly outcome: StepUpBlocker }

/** Returns the step-up with this grant id, or the reason why it cannot be confirmed. */
export async function findStepUp(
  { store, clock }: Pick<Services, "store" | "clock">,
  grantId: GrantId,
): Promise<FoundStepUp> {
  const { deviceGrant: grant } = await store.read({ deviceGrant: grantId })
  const purpose = grant?.request.purpose
  if (grant === null || purpose?.purpose !== "step-up") return { outcome: "too-late" }
  const { request } = grant
  const now = clock.now()
  const load = { deviceGrant: grantId, client: request.clientId, credential: purpose.tokenId } as const
  const { client, credential, blocker } = await store.change(load, (found) => {
    const facts = { ...found, grant: found.deviceGrant ?? grant, client: resolveClient(found.client, now) }
    const blocks = stepUpBlocker(facts, now)
    return decided({ ...facts, blocker: blocks }, ...reportedEnd(facts, blocks, now))
  })
  if (blocker !== null) return { outcome: blocker }
  if (client === null || credential === null) throw new Error("a step-up without a blocker has both")
  const { installationName } = credential.consent
  return { outcome: "found", request, purpose, client, installationName }
}
