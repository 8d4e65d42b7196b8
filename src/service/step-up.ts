/**
 * Step-up: POST /oauth/step-up, STEP-1. A live credential of an app that may ask opens the ceremony; the account holder
 * finishes it on the device page.
 */
import { decideBearer } from "../core/bearer.ts"
import { accept, refuse, type Result } from "../core/result.ts"
import { readAccessToken } from "../system/token.ts"
import { type DeviceAuthorization, openDeviceGrant } from "./device-codes.ts"
import type { Latchkey } from "./latchkey.ts"

/** Refuses: accessTokenInvalid, stepUpNotAllowed. */
export async function openStepUp(
  latchkey: Pick<Latchkey, "store" | "clock" | "catalogue" | "issuer">,
  accessToken: string,
  reason: string | null,
  address: string,
): Promise<Result<DeviceAuthorization>> {
  const token = readAccessToken(accessToken)
  if (token === null) return refuse({ reason: "accessTokenInvalid" })
  const { tokenId, hash } = token
  const load = { credential: tokenId, appOf: tokenId, ownerOf: tokenId }
  return openDeviceGrant(latchkey, load, address, ({ credential, appOf, ownerOf }) => {
    const facts = { credential, client: appOf, account: ownerOf, hash }
    const bearer = decideBearer(latchkey.catalogue, facts, latchkey.clock.now()).answer
    if (!bearer.ok) return bearer
    const { client, account } = bearer.value
    if (!client.stepUp) return refuse({ reason: "stepUpNotAllowed" })
    return accept({
      clientId: client.clientId,
      purpose: { purpose: "step-up", tokenId, userId: account.userId, reason },
    })
  })
}
