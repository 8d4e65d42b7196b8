/**
 * The interface of the clients in the table. Each client has one file, which says how an app uses the client library.
 * Addresses, parameters, checks of responses and errors all come from the library, not from the test.
 */
import type { Deployment } from "./deployment.ts"

/**
 * The way in which an app authenticates. A public app does not authenticate. A confidential app uses HTTP Basic, the
 * body, or a key. An unregistered app first registers itself.
 */
export type Way = "public" | "basic" | "post" | "key" | "registered"

/** What a client can do in addition to the code flow with PKCE. */
export type Ability = "discovery" | "registration" | "refresh" | "revocation" | "device"

export type Decision = "authorize" | "refuse"

export type Held = { readonly accessToken: string; readonly refreshToken: string }

/** An app that uses the client. If the service refuses, its methods reject with `Refused`. */
export type App = {
  readonly clientId: string
  /** Gets tokens with the browser of the person, who decides. */
  readonly connect: (decision: Decision) => Promise<Held>
  readonly refresh?: (held: Held) => Promise<Held>
  readonly revoke?: (held: Held) => Promise<void>
  /** Gets tokens by the device flow. */
  readonly device?: (decision: Decision) => Promise<Held>
}

export type Client = {
  /** The name in docs/clients.md. */
  readonly name: string
  /** The options of its tests. The tests are skipped if the client is not installed. */
  readonly needs: { readonly skip?: string }
  readonly ways: readonly Way[]
  readonly can: readonly Ability[]
  /** The error that the client reports after a refusal. The default is `access_denied`. */
  readonly hears?: string
  readonly open: (deployment: Deployment, way: Way) => Promise<App>
  /** Additional tests for this client, by title. */
  readonly more?: Readonly<Record<string, (deployment: Deployment) => Promise<void>>>
}

/** The client's own error, which says that the service refused and with which code. */
export class Refused extends Error {
  readonly code: string

  constructor(code: unknown, cause?: unknown) {
    super(`refused: ${String(code)}`, { cause })
    this.code = String(code)
  }
}

/** Runs an action of the client. If `codeOf` finds a code in the client's error, throws `Refused`. */
export async function withRefusals<T>(
  does: Promise<T>,
  codeOf: (error: unknown) => string | null | undefined,
): Promise<T> {
  try {
    return await does
  } catch (error) {
    const code = codeOf(error)
    throw code === null || code === undefined ? error : new Refused(code, error)
  }
}
