/** The events of self-registrations after which nothing happened. Any caller can cause any number of them. */
import type { EventKind } from "../../model/event.rules.ts"

const KIND: EventKind = "app-registered"

export type RegistrationEvent = { readonly id: number; readonly at: number; readonly is_unused: number }

/** Only a self-registration has an address and no account. */
export const registrationEvents = (table: string): string => `
  SELECT id, at, CASE WHEN user_id IS NULL AND actor_id IS NULL AND address IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${table} other WHERE other.client_id = event.client_id AND other.id > event.id)
    THEN 1 ELSE 0 END AS is_unused
  FROM ${table} event WHERE kind = '${KIND}' AND id > ? ORDER BY id LIMIT ?`

/** Returns the events up to the first that is too new. Ids are in the order of time. */
export function dueEvents(events: readonly RegistrationEvent[], upTo: number): readonly RegistrationEvent[] {
  const end = events.findIndex(({ at }) => at > upTo)
  return end < 0 ? events : events.slice(0, end)
}

export function unusedIds(events: readonly RegistrationEvent[]): string {
  return JSON.stringify(events.filter(({ is_unused }) => is_unused === 1).map(({ id }) => id))
}
