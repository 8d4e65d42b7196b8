/** What a part of the figures needs to know, and where it says what it could not measure. */
import type { Length } from "./lengths.ts"

export type Context = {
  /** The folder of this part. */
  readonly work: string
  readonly length: Length
  /** Whether Hydra and Keycloak are measured too. */
  readonly withPeers: boolean
  readonly missing: string[]
  postgres: string | null
}
