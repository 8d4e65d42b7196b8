/**
 * A device polls for its tokens: RFC 8628 §3.4. One change decides the poll and creates the credential. The poll
 * interval is enforced only before there are tokens.
 */
import type { TokenId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../records/change.rules.ts"
import type { Credential } from "../../records/credential.rules.ts"
import type { DeviceGrant } from "../../records/device-grant.rules.ts"
import { decidePoll, type DeviceCodeRequest, type Elevated, pacedRefusal } from "./device-poll.rules.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import type { TokenResponse } from "../credential/token-response.rules.ts"
import type { Found } from "../../store/store.ts"
import { digest } from "../../kernel/hash.ts"
import { newId, randomKey } from "../../kernel/random.ts"
import { firstPair, readDeviceCode } from "../credential/token.ts"
import { authenticated, type Caller } from "../clients/authenticate-client.ts"
import type { Services } from "../../services/services.ts"

/** Refuses: what client authentication refuses, all of `decidePoll`, and devicePolledEarly. */
export async function devicePoll(
  services: Pick<Services, "store" | "clock" | "catalogue" | "settings" | "pollIntervals">,
  caller: Caller,
  { deviceCode }: DeviceCodeRequest,
  address: string,
): Promise<Polled> {
  const { store, clock, catalogue, settings, pollIntervals: pace } = services
  const code = readDeviceCode(deviceCode)
  const grantId = code?.grantId ?? null
  const { accessSeconds } = await settings.current()
  const now = clock.now()
  const familyKey = randomKey()
  const tokenId = (grantId ?? newId(now)) as string as TokenId
  const issueInput = {
    now,
    address,
    accessSeconds,
    familyKey,
    pair: firstPair(tokenId, familyKey),
  }
  const deviceHash = code?.hash ?? digest(deviceCode)
  const load = { client: caller.presented.clientId, deviceGrant: grantId, approverOf: grantId } as const
  const judge = (found: Found<typeof load>, credential: Credential | null) => {
    const known = authenticated(found.client, caller, now)
    if (!known.ok) return decided<Polled>(known)
    const { deviceGrant: grant, approverOf: approver } = found
    return decidePoll(catalogue, { client: known.value, grant, approver, credential, deviceHash }, issueInput)
  }
  const first = await store.change(load, (found): Decided<Polled | StepUpOf> => {
    const stepUpOf = steppedUp(found.deviceGrant)
    return stepUpOf === null ? judge(found, null) : decided({ stepUpOf })
  })
  // The credential of a step-up never changes, so it can be read before the second change.
  const judged =
    "stepUpOf" in first
      ? await store.change({ ...load, credential: first.stepUpOf }, (found) => judge(found, found.credential))
      : first
  const isWaiting = !judged.ok && judged.error.reason === "devicePending"
  return isWaiting && grantId !== null ? err(pacedRefusal(grantId, await pace.poll(grantId))) : judged
}

type Polled = Result<TokenResponse | Elevated, Refusal>
type StepUpOf = { readonly stepUpOf: TokenId }

/** The credential that the grant's step-up is for; null if the grant is for access. */
function steppedUp(grant: DeviceGrant | null): TokenId | null {
  const purpose = grant?.request.purpose
  return purpose?.purpose === "step-up" ? purpose.tokenId : null
}
