/** The command that signs a terminal in: a sample of what an app does. The flow is in `login-flow.ts`. */
import { isLoopback } from "../base-url.ts"
import { listApps } from "../service/app.ts"
import { type Answer, command, done, type Globals, misused, refused } from "./command.ts"
import { withStore } from "./open.ts"
import { readSecret } from "./password.ts"

/** What `login` has to be registered with; the port is chosen anew each time (RFC 8252 §7.3). */
const LOGIN_REDIRECT = "http://127.0.0.1/callback"

export const login = command({
  name: "login",
  summary: "Sign this terminal in through a browser and print the token response",
  operands: [],
  flags: {
    issuer: { value: "URL", default: "http://localhost:8787", summary: "base URL of the service" },
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
    `Authorization code with PKCE on a loopback port. The app must be registered with ${LOGIN_REDIRECT}. ` +
      "The token response goes to standard output, everything for people to standard error.",
  ],
  example: "latchkey login --client-id 01k3v7m2q8xj5c9d4e6f7g8h9j --scope account:read",
  run: async ({ flags, globals }): Promise<Answer> => {
    const issuer = URL.canParse(flags.issuer) ? new URL(flags.issuer) : null
    if (issuer === null || !/^https?:$/.test(issuer.protocol))
      return misused(`--issuer is an address such as https://id.example.org, not "${flags.issuer}".`)
    if (issuer.protocol === "http:" && !isLoopback(issuer))
      return misused("--issuer must begin with https:// unless it is on this machine.")
    const client = flags["client-id"] ?? (isLoopback(issuer) ? await onlyFittingApp(globals) : whichApp([]))
    if (typeof client !== "string") return client
    const secret = flags["client-secret-stdin"] ? await readSecret("Client secret: ") : null
    if (secret?.ok === false) return refused(secret.problem)
    const { signIn } = await import("./login-flow.ts")
    return await signIn({
      issuer,
      clientId: client,
      clientSecret: secret?.password ?? null,
      scope: flags.scope,
      installationName: flags["installation-name"],
      opensBrowser: !flags["no-browser"],
    })
  },
})

/** The one public app of the local service that is registered for `login`. */
async function onlyFittingApp(globals: Globals): Promise<string | Answer> {
  let fitting: readonly string[] = []
  const opened = await withStore(globals, "refuse", async ({ store }) => {
    const apps = (await listApps({ store })).map(({ client }) => client)
    fitting = apps
      .filter(
        ({ type, enabled, redirectUris }) =>
          type === "public" && enabled && redirectUris.includes(LOGIN_REDIRECT),
      )
      .map(({ clientId }) => clientId)
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
