/**
 * GET /appearance/logo and /appearance/logo-dark: LOOK-4. The request counts against the anonymous budget, so wrong
 * digests cost a limited number of reads of a row. The picture is read only for the right one, and then kept.
 */
import { appearanceMembers, type LogoMember } from "../../../model/appearance.rules.ts"
import type { Icon } from "../../../model/clients/client.rules.ts"
import type { Endpoint } from "../endpoint.ts"
import { queryOf } from "../request.ts"
import { sendNoPicture, sendPicture, setPictureHeaders } from "./picture.ts"

function serve(member: LogoMember): Endpoint {
  const { key } = appearanceMembers[member]
  /** The picture of the last answer. Its digest names its content, whichever service stored it. */
  let kept: Icon | null = null
  return async ({ services: { settings, store } }, request, reply) => {
    const digests = new URLSearchParams(queryOf(request)).getAll("v")
    const wanted = digests.length > 1 ? "" : digests[0]
    const cached = settings.latest.appearance[member]
    // Another node may have a newer logo, so the database is asked before a digest is unknown.
    const isKnown =
      wanted === undefined ||
      wanted === cached ||
      wanted === (await store.read({ setting: key })).setting?.value
    const isKept = kept !== null && kept.hash === (wanted ?? cached)
    const logo = isKnown ? (isKept ? kept : (await store.read({ logo: key })).logo) : null
    kept = logo ?? kept
    if (logo === null || (wanted !== undefined && wanted !== logo.hash)) return sendNoPicture(reply)
    setPictureHeaders(reply, wanted === undefined ? "no-cache" : "public, max-age=31536000, immutable")
    return sendPicture(reply, logo.png)
  }
}

export const logo = serve("logo")
export const logoDark = serve("logoDark")
