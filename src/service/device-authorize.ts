/**
 * A machine asks for a device code: RFC 8628 §3.1 and §3.2; interface DAUTH-*. What it asks for is kept with the grant:
 * neither a link nor a form can change it later.
 */
import type { GrantId, Hash } from "../core/brand.ts"
import { decided } from "../core/change.ts"
import { askedByDevice, type DeviceAuthorizationRequest } from "../core/device-authorization.ts"
import type { DeviceGrant, DevicePurpose } from "../core/device-grant.ts"
import { DEVICE_SECONDS, POLL_SECONDS } from "../core/limits.ts"
import { accept, type Result } from "../core/result.ts"
import { shownUserCode, USER_CODE_ALPHABET, USER_CODE_LENGTH } from "../core/user-code.ts"
import { digest } from "../system/hash.ts"
import { newId, randomLetters } from "../system/random.ts"
import { newDeviceCode } from "../system/token.ts"
import { authenticated, type Caller } from "./client.ts"
import type { Latchkey } from "./latchkey.ts"

export type DeviceAuthorization = {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

/** Eight letters clash once in billions; more tries than this mean that something else is wrong. */
const TRIES = 5

/** Refuses: what client authentication refuses; scopeUnknown, scopeOverCeiling, scopeEmpty. */
export async function deviceAuthorize(
  latchkey: Pick<Latchkey, "store" | "clock" | "catalogue" | "issuer">,
  caller: Caller,
  request: DeviceAuthorizationRequest,
  address: string,
): Promise<Result<DeviceAuthorization>> {
  const { store, clock, catalogue, issuer } = latchkey
  for (let tries = 0; tries < TRIES; tries++) {
    const opening = newOpening(clock.now())
    const { grantId, deviceHash, userCodeHash, askedAt, expiresAt } = opening
    const load = { client: caller.presented.clientId, deviceGrantByCode: userCodeHash }
    const answer = await store.change(load, ({ client, deviceGrantByCode }) => {
      const known = authenticated(client, caller)
      if (!known.ok) return decided<Result<null> | null>(known)
      const asked = askedByDevice(catalogue, request, known.value)
      if (!asked.ok) return decided<Result<null> | null>(asked)
      if (deviceGrantByCode !== null) return decided<Result<null> | null>(null)
      const { clientId } = known.value
      const { installationName } = request
      const purpose: DevicePurpose = { purpose: "access", asked: asked.value, installationName }
      const grant: DeviceGrant = {
        request: { grantId, deviceHash, userCodeHash, clientId, purpose, address, askedAt, expiresAt },
        answer: { state: "pending" },
      }
      return decided<Result<null> | null>(accept(null), { change: "deviceGrantAdded", grant })
    })
    if (answer !== null) return answer.ok ? accept(deviceAuthorization(issuer, opening)) : answer
  }
  throw new Error("no free user code was found")
}

type Opening = {
  readonly grantId: GrantId
  readonly deviceCode: string
  readonly deviceHash: Hash
  readonly userCode: string
  readonly userCodeHash: Hash
  readonly askedAt: number
  readonly expiresAt: number
}

function newOpening(now: number): Opening {
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

/** The digest under which a grant is found; the code itself is nowhere. */
export function userCodeHash(letters: string): Hash {
  return digest(`user code ${letters}`)
}

function deviceAuthorization(issuer: string, { deviceCode, userCode }: Opening): DeviceAuthorization {
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
