import type { ClientId, Permission, UserId } from "../kernel/ids.ts"

/** The live credentials of one account and one app that have the same consent. */
export type HeldConsent = {
  readonly userId: UserId
  readonly clientId: ClientId
  /** Whether the account is an administrator now. */
  readonly admin: boolean
  readonly scope: readonly Permission[]
  readonly credentials: number
}
