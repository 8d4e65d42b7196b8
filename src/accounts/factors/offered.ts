/** The ways to sign in that this service offers. */
import { isIP } from "node:net"
import type { Services } from "../../platform/services/services.ts"
import { onlyApplication } from "../sessions/session.rules.ts"
import type { Offered } from "../ways-in.rules.ts"

export function offeredBy({ issuer, providers }: Pick<Services, "issuer" | "providers">): Offered {
  return {
    hasPasskeys: relyingPartyId(issuer) !== null,
    providers: [...providers.values()],
    only: onlyApplication(providers)?.issuer,
  }
}

/** Returns the domain of passkeys (WebAuthn §5.1.2). Returns null for an IP address, where passkeys do not work. */
export function relyingPartyId(issuer: string): string | null {
  const { hostname } = new URL(issuer)
  return hostname.startsWith("[") || isIP(hostname) !== 0 ? null : hostname
}
