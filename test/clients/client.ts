/**
 * What the table of clients asks of each of them: one file a client says how an app uses it, in its own words. Nothing on
 * the client's side is the test's: addresses, parameters, checks of answers and errors are the client's.
 */
import type { Deployment } from "./deployment.ts"

/**
 * How the app is known: public; confidential, with its secret by HTTP Basic or in the body, or with a key; or not
 * registered, and it registers itself.
 */
export type Way = "public" | "basic" | "post" | "key" | "registered"

/** Beside what all can: the code flow with PKCE. */
export type Ability = "discovery" | "registration" | "refresh" | "revocation" | "device"

export type Decision = "authorize" | "refuse"

export type Held = { readonly accessToken: string; readonly refreshToken: string }

/** One app, set up with the client. What the service refuses rejects with `Refused`. */
export type App = {
  readonly clientId: string
  /** Through the browser of the place's person, who decides, to tokens. */
  readonly connect: (decision: Decision) => Promise<Held>
  readonly refresh?: (held: Held) => Promise<Held>
  readonly revoke?: (held: Held) => Promise<void>
  /** To tokens without a browser of its own. */
  readonly device?: (decision: Decision) => Promise<Held>
}

export type Client = {
  /** As docs/clients.md has it. */
  readonly name: string
  /** The options of its tests: left out where it is not installed. */
  readonly needs: { readonly skip?: string }
  readonly ways: readonly Way[]
  readonly can: readonly Ability[]
  /** What it hears when its person refuses; left out, `access_denied`. */
  readonly hears?: string
  readonly open: (deployment: Deployment, way: Way) => Promise<App>
  /** What this client alone can show, by its title. */
  readonly more?: Readonly<Record<string, (deployment: Deployment) => Promise<void>>>
}

/** The client's own error says that the service refused, and with which code. */
export class Refused extends Error {
  readonly code: string

  constructor(code: unknown, cause?: unknown) {
    super(`refused: ${String(code)}`, { cause })
    this.code = String(code)
  }
}

/** Runs what the client does; its own error becomes `Refused` where `codeOf` finds a code in it. */
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
