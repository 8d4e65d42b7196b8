/** When an operation needs a factor that was proven lately. Interface AUTH-9, ERR-14, API-10. */
import type { Elevation } from "./operation.ts"

export const always: Elevation = { when: "always", isNeeded: () => true }

/** A credential may end itself at any time. */
export const unlessItself: Elevation = {
  when: "for any other than itself",
  isNeeded: ({ bearer, path }) => path["token_id"] !== bearer.credential.consent.tokenId,
}

export const toGrantAdministration: Elevation = {
  when: "to grant administration",
  isNeeded: ({ body }) => body instanceof Map && body.get("admin") === true,
}
