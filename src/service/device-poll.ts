/**
 * A machine polls for its tokens: RFC 8628 §3.4. One change judges the poll and makes the credential. Its pace matters
 * only while there is nothing to fetch, and is counted then.
 */
import type { TokenId } from "../core/brand.ts"
import { decided } from "../core/change.ts"
import { decidePoll, type Elevated, pacedRefusal } from "../core/device-poll.ts"
import { refuse, type Result } from "../core/result.ts"
import type { DeviceCodeRequest } from "../core/token-request.ts"
import type { TokenResponse } from "../core/token-response.ts"
import { digest } from "../system/hash.ts"
import { newId, randomKey } from "../system/random.ts"
import { firstPair, readDeviceCode } from "../system/token.ts"
import { authenticated, type Caller } from "./client.ts"
import type { Latchkey } from "./latchkey.ts"

/** Refuses: what client authentication refuses, all of `decidePoll`, and devicePolledEarly. */
export async function devicePoll(
  latchkey: Pick<Latchkey, "store" | "clock" | "catalogue" | "settings" | "pace">,
  caller: Caller,
  { deviceCode }: DeviceCodeRequest,
  address: string,
): Promise<Result<TokenResponse | Elevated>> {
  const { store, clock, catalogue, settings, pace } = latchkey
  const code = readDeviceCode(deviceCode)
  const grantId = code?.grantId ?? null
  const { accessSeconds } = await settings.current()
  const now = clock.now()
  const familyKey = randomKey()
  const tokenId = (grantId ?? newId(now)) as string as TokenId
  const minting = {
    now,
    address,
    accessSeconds,
    familyKey,
    pair: firstPair(tokenId, familyKey),
  }
  const deviceHash = code?.hash ?? digest(deviceCode)
  const judged = await store.change(
    { client: caller.presented.clientId, deviceGrant: grantId, approverOf: grantId },
    ({ client, deviceGrant: grant, approverOf: approver }) => {
      const known = authenticated(client, caller, now)
      if (!known.ok) return decided<Result<TokenResponse | Elevated>>(known)
      return decidePoll(catalogue, { client: known.value, grant, approver, deviceHash }, minting)
    },
  )
  const isWaiting = !judged.ok && judged.refusal.reason === "devicePending"
  return isWaiting && grantId !== null ? refuse(pacedRefusal(grantId, await pace.poll(grantId))) : judged
}
