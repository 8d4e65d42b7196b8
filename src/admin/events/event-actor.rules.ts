/** Says who did what an event records, also where no account acted for another one. CONSOLE-3. */
import type { EventKind } from "../../model/event.rules.ts"

/** The usual actor of each kind. An unknown person has not proven an account. */
const usual: { readonly [K in EventKind]?: "app" | "unknown" } = {
  "sign-in-refused": "unknown",
  "guessing-suspected": "unknown",
  "factor-refused": "unknown",
  "codes-closed": "unknown",
  "recovery-refused": "unknown",
  "recovery-link-made": "unknown",
  "code-exchanged": "app",
  "device-code-redeemed": "app",
  "imported-token-exchanged": "app",
  "code-replayed": "app",
  "refresh-repeated-elsewhere": "app",
  "refresh-token-reused": "app",
}

type Facts = {
  readonly kind: EventKind
  readonly user_id: string | null
  readonly username: string | null
  readonly client_id: string | null
  readonly client_name: string | null
  readonly actor_id: string | null
  readonly actor: string | null
  readonly address: string | null
  readonly detail: string | null
}

/** Returns a name or an id, or the words for an actor without one. An event without an address is not of a request. */
export function actorOf(event: Facts): string {
  const { kind, detail, address } = event
  if (event.actor_id !== null) return event.actor ?? event.actor_id
  if (address === null) return "command line or service"
  const app = event.client_name ?? event.client_id
  const isOfApp = usual[kind] === "app" || (kind === "credential-revoked" && detail === "app")
  if (isOfApp && app !== null) return app
  if (usual[kind] === "unknown") return "unknown"
  return event.username ?? event.user_id ?? app ?? "unknown"
}
