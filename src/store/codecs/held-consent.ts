/** Groups the active credentials of an account or an app, while their rows are read. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { namesOf } from "./names.ts"
import type { HeldConsent } from "../../model/credential.rules.ts"

export type ConsentRow = {
  readonly token_id: string
  readonly user_id: string
  readonly client_id: string
  readonly scope: string
  /** The value is 1 for an active credential, otherwise 0 or null. */
  readonly active: number | null
  /** The value is null if the account was removed. */
  readonly admin: number | null
}

export class HeldConsents {
  readonly #held = new Map<string, HeldConsent>()

  add(row: ConsentRow): void {
    if (row.active !== 1) return
    const key = `${row.user_id} ${row.client_id} ${row.scope}`
    const known = this.#held.get(key)
    this.#held.set(key, {
      userId: row.user_id as UserId,
      clientId: row.client_id as ClientId,
      admin: row.admin === 1,
      scope: known?.scope ?? namesOf(row.scope),
      credentials: (known?.credentials ?? 0) + 1,
    })
  }

  get all(): readonly HeldConsent[] {
    return [...this.#held.values()]
  }
}
