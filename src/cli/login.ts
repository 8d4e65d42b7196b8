/** The command that signs a terminal in: a sample of what an app does. The flows are in `login-flow.ts` and `device-flow.ts`. */
import { isLoopback } from "../base-url.ts"
import type { Client } from "../core/client.ts"
import { listApps } from "../service/app.ts"
import { type Answer, command, done, type Globals, misused, refused } from "./command.ts"
import { issuerFlag, issuerOf } from "./issuer.ts"
import { withStore } from "./open.ts"
import { readSecret } from "./password.ts"

/** What `login` has to be registered with; the port is chosen anew each time (RFC 8252 §7.3). */
const LOGIN_REDIRECT = "http://127.0.0.1/callback"

export const login = command({
  name: "login",
  summary: "Sign this terminal in through a browser, here or elsewhere, and print the token response",
  operands: [],
  flags: {
    issuer: issuerFlag,
    device: { summary: "show a code that is typed in a browser on another screen (RFC 8628)" },
    "client-id": { value: "ID", summary: "the app to sign in as (default: the one app here that fits)" },
    scope: {
      value: "SCOPE",
      summary: "permissions, with spaces between (default: the app's, without admin: ones)",
    },
    "installation-name": { value: "NAME", summary: "label for this copy of the app" },
    "client-secret-stdin": { summary: "read a confidential app's secret from standard input" },
    "no-browser": { summary: "print the address and open no browser" },
  },
  notes: [
    `Authorization code with PKCE on a loopback port. The app must be registered with ${LOGIN_REDIRECT}; ` +
      "for --device it needs no address. " +
      "The token response goes to standard output, everything for people to standard error.",
  ],
  example: "latchkey login --client-id 01k3v7m2q8xj5c9d4e6f7g8h9j --scope account:read",
  run: async ({ flags, globals }): Promise<Answer> => {
    const issuer = issuerOf(flags.issuer)
    if (!(issuer instanceof URL)) return issuer
    const fits = flags.device ? isForDevices : isForBrowsers
    const client =
      flags["client-id"] ?? (isLoopback(issuer) ? await onlyFittingApp(globals, fits) : whichApp([]))
    if (typeof client !== "string") return client
    const secret = flags["client-secret-stdin"] ? await readSecret("Client secret: ") : null
    if (secret?.ok === false) return refused(secret.problem)
    const app = { issuer, clientId: client, clientSecret: secret?.password ?? null }
    const asked = { ...app, scope: flags.scope, installationName: flags["installation-name"] }
    if (flags.device) {
      const { signInByDevice } = await import("./device-flow.ts")
      return await signInByDevice(asked)
    }
    const { signIn } = await import("./login-flow.ts")
    return await signIn({ ...asked, opensBrowser: !flags["no-browser"] })
  },
})

function isForDevices({ type, enabled }: Client): boolean {
  return type === "public" && enabled
}

function isForBrowsers(client: Client): boolean {
  return isForDevices(client) && client.redirectUris.includes(LOGIN_REDIRECT)
}

/** The one app of the local service that fits. */
async function onlyFittingApp(globals: Globals, fits: (client: Client) => boolean): Promise<string | Answer> {
  let fitting: readonly string[] = []
  const opened = await withStore(globals, "refuse", async ({ store }) => {
    // Apps that registered themselves may be anybody's, and many.
    const apps = [
      ...(await listApps({ store }, { registeredBy: "administrator" })),
      ...(await listApps({ store }, { registeredBy: "user" })),
    ].map(({ client }) => client)
    fitting = apps.filter(fits).map(({ clientId }) => clientId)
    return done(null, "")
  })
  if (opened.exit === 2) return opened
  const [only] = fitting
  if (only === undefined || fitting.length > 1) return whichApp(fitting)
  process.stderr.write(`Signing in as the app ${only}.\n`)
  return only
}

function whichApp(fitting: readonly string[]): Answer {
  if (fitting.length > 1)
    return misused(`Say which app to sign in as, with --client-id: ${fitting.join(", ")}.`)
  return misused(
    "login signs in as an app: give its --client-id. To register one, run this where the service is:",
    `latchkey app add --name "My terminal" --type public --redirect ${LOGIN_REDIRECT} --permission account:read`,
  )
}
