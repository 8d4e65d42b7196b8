/** Opens device grants for the device flow and for step-up: RFC 8628 §3.2 and §6.1. */
import type { ClientId, GrantId, Hash } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import type { DeviceGrant, DevicePurpose } from "../../model/device-grant.rules.ts"
import { DEVICE_SECONDS, POLL_SECONDS } from "../../kernel/limits.ts"
import { type Result, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { shownUserCode, USER_CODE_ALPHABET, USER_CODE_LENGTH } from "./user-code.rules.ts"
import type { Found, Load } from "../../store/loadable.ts"
import { digest } from "../../kernel/hash.ts"
import { newId, randomLetters } from "../../kernel/random.ts"
import { newDeviceCode } from "../credential/token.ts"
import type { Services } from "../../platform/services/services.ts"

export type DeviceAuthorization = {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

type Opened = { readonly clientId: ClientId; readonly purpose: DevicePurpose }

/** Attempts to find an unused code. Of 25 billion codes, five collisions in a row have another cause. */
const TRIES = 5

/** Opens a device grant if `decide` accepts the loaded rows. Refuses: every reason of `decide`. */
export async function openDeviceGrant<const L extends Load>(
  { store, clock, issuer }: Pick<Services, "store" | "clock" | "issuer">,
  load: L,
  address: string,
  decide: (found: Found<L>, now: number) => Decided<Result<Opened, Refusal>>,
): Promise<Result<DeviceAuthorization, Refusal>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const codes = newCodes(clock.now())
    const { grantId, deviceHash, userCodeHash: hash, askedAt, expiresAt } = codes
    const answer = await store.change(
      { ...load, deviceGrantByCode: hash },
      (found): Decided<Result<null, Refusal> | "taken"> => {
        const { answer: opened, changes } = decide(found as unknown as Found<L>, askedAt)
        if (!opened.ok) return decided(opened, ...changes)
        if (found.deviceGrantByCode !== null) return decided("taken")
        const request = {
          grantId,
          deviceHash,
          userCodeHash: hash,
          address,
          askedAt,
          expiresAt,
          ...opened.value,
        }
        const grant: DeviceGrant = { request, answer: { state: "pending" } }
        return decided(ok(null), ...changes, { change: "deviceGrantAdded", grant })
      },
    )
    if (answer !== "taken") return answer.ok ? ok(deviceAuthorization(issuer, codes)) : answer
  }
  throw new Error("no free user code was found")
}

type Codes = {
  readonly grantId: GrantId
  readonly deviceCode: string
  readonly deviceHash: Hash
  readonly userCode: string
  readonly userCodeHash: Hash
  readonly askedAt: number
  readonly expiresAt: number
}

function newCodes(now: number): Codes {
  const grantId = newId<GrantId>(now)
  const { text, hash } = newDeviceCode(grantId)
  const userCode = randomLetters(USER_CODE_ALPHABET, USER_CODE_LENGTH)
  return {
    grantId,
    deviceCode: text,
    deviceHash: hash,
    userCode,
    userCodeHash: userCodeHash(userCode),
    askedAt: now,
    expiresAt: now + DEVICE_SECONDS,
  }
}

/** The digest identifies a grant. The code itself is not stored. */
export function userCodeHash(letters: string): Hash {
  return digest(`user code ${letters}`)
}

function deviceAuthorization(issuer: string, { deviceCode, userCode }: Codes): DeviceAuthorization {
  const shown = shownUserCode(userCode)
  const page = `${issuer}/oauth/device`
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shown}`,
    expires_in: DEVICE_SECONDS,
    interval: POLL_SECONDS,
  }
}
