/**
 * Handles a poll of a device: RFC 8628 §3.4. One change decides on the poll and creates the credential. The poll
 * interval is enforced only while the grant is pending.
 */
import type { TokenId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import type { Credential } from "../../model/credential.rules.ts"
import type { DeviceGrant } from "../../model/device-grant.rules.ts"
import { decidePoll, type DeviceCodeRequest, type Elevated, pacedRefusal } from "./device-poll.rules.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { TokenPair, TokenResponse } from "../credential/token-response.rules.ts"
import type { Found } from "../../store/loadable.ts"
import { digest } from "../../kernel/hash.ts"
import { randomKey } from "../../kernel/random.ts"
import { firstPair, readDeviceCode } from "../credential/token.ts"
import { authenticated, withAssertion } from "../clients/authenticate-client.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import { type OnRepeat, spendAssertion } from "../clients/spent-assertion.rules.ts"
import type { Services } from "../../platform/services/services.ts"

/** Decides on a poll. Refuses: every reason of client authentication and of `decidePoll`; devicePolledEarly. */
export async function devicePoll(
  services: Pick<Services, "store" | "clock" | "catalog" | "settings" | "pollIntervals" | "resources">,
  caller: Caller,
  { deviceCode, audience }: DeviceCodeRequest,
  address: string,
): Promise<Polled> {
  const { store, clock, catalog, settings, pollIntervals: pace } = services
  const code = readDeviceCode(deviceCode)
  const grantId = code?.grantId ?? null
  const inForce = settings.current()
  const { accessSeconds } = inForce instanceof Promise ? await inForce : inForce
  const now = clock.now()
  const familyKey = randomKey()
  let pair: TokenPair | null = null
  const pairOf = (tokenId: TokenId) => (pair ??= firstPair(tokenId, familyKey))
  const issueInput = { now, address, accessSeconds, familyKey, pairOf }
  const { spellingOf, jwtOf } = services.resources
  const deviceHash = code?.hash ?? digest(deviceCode)
  const rows = { client: caller.presented.clientId, deviceGrant: grantId, approverOf: grantId } as const
  const load = withAssertion(caller, rows)
  const judge = (found: Found<typeof load>, credential: Credential | null) => {
    const known = authenticated(found.client, caller, now)
    if (!known.ok) return decided<Polled>(known)
    const { deviceGrant: grant, approverOf: approver } = found
    const rights = { client: known.value, approver, spellingOf, jwtOf }
    const judged = decidePoll(catalog, { ...rights, grant, credential, deviceHash, audience }, issueInput)
    return spendAssertion(caller, found, judged, stillPending)
  }
  const first = await store.change(load, (found): Decided<Polled | StepUpOf> => {
    const stepUpOf = steppedUp(found.deviceGrant)
    return stepUpOf === null ? judge(found, null) : decided({ stepUpOf })
  })
  // The credential id of a step-up never changes, so this read may come before the second change.
  const judged =
    "stepUpOf" in first
      ? await store.change({ ...load, credential: first.stepUpOf }, (found) => judge(found, found.credential))
      : first
  const isWaiting = !judged.ok && judged.error.reason === "devicePending"
  return isWaiting && grantId !== null ? err(pacedRefusal(grantId, await pace.poll(grantId))) : judged
}

type Polled = Result<TokenResponse | Elevated, Refusal>
type StepUpOf = { readonly stepUpOf: TokenId }

/** A poll that repeats an assertion gets no tokens. It says that the grant is pending. The next poll gets them. */
const stillPending: OnRepeat<TokenResponse | Elevated> = (judged) =>
  judged.answer.ok ? decided(err({ reason: "devicePending" })) : judged

/** Returns the id of the credential that a step-up elevates. Returns null for other grants. */
function steppedUp(grant: DeviceGrant | null): TokenId | null {
  const purpose = grant?.request.purpose
  return purpose?.purpose === "step-up" ? purpose.tokenId : null
}
