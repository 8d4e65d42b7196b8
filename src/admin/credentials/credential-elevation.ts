/** Which operations on credentials need elevation. ELEV-1, AUTH-9. */
import type { ElevationRule } from "../api/operation.ts"

/** A credential may revoke itself without elevation. Elevation is needed to revoke another credential. */
export const unlessOwnCredential: ElevationRule<"credential.revoke" | "credential.revoke-itself"> = {
  when: "for any other than itself",
  effectsOf: ({ bearer, path }) => [
    path["token_id"] === bearer.credential.consent.tokenId ? "credential.revoke-itself" : "credential.revoke",
  ],
}
