import { type Answer, command, refused } from "../../platform/cli/command.ts"
import { issuerFlag, issuerOf } from "./issuer.ts"
import { findLoginApp, LOGIN_REDIRECT } from "./login-app.ts"
import { readSecret } from "../../platform/cli/password-input.ts"

export const login = command({
  name: "login",
  summary: "Sign in through a browser, on this or another device, and print the token response",
  flags: {
    issuer: issuerFlag,
    device: { summary: "show a code to enter in a browser on another device (RFC 8628)" },
    "client-id": {
      value: "ID",
      summary: "the app to sign in as (default: the only suitable app of the local service)",
    },
    scope: {
      value: "SCOPE",
      summary: "permissions, separated by spaces (default: those of the app, without admin:*)",
    },
    resource: {
      value: "URL",
      summary: "the API that the token is for (RFC 8707; default: every API where it has the permissions)",
    },
    "installation-name": { value: "NAME", summary: "label of this copy of the app" },
    "client-secret-stdin": { summary: "read a confidential app's secret from standard input" },
    "no-browser": { summary: "print the address instead of opening a browser" },
  },
  notes: [
    `Authorization code with PKCE on a loopback port. The app must be registered with ${LOGIN_REDIRECT}; ` +
      "--device needs no redirect URI. " +
      "The token response goes to standard output, everything else to standard error.",
  ],
  example: "latchkey login --client-id 01k3v7m2q8xj5c9d4e6f7g8h9j --scope account:read",
  run: async ({ flags, globals }): Promise<Answer> => {
    const issuer = issuerOf(flags.issuer)
    if (!(issuer instanceof URL)) return issuer
    const client = await findLoginApp(globals, {
      issuer,
      clientId: flags["client-id"],
      isForDevice: flags.device,
      hasSecret: flags["client-secret-stdin"],
    })
    if (typeof client !== "string") return client
    const secret = flags["client-secret-stdin"] ? await readSecret("Client secret: ") : null
    if (secret?.ok === false) return refused(secret.error)
    const app = { issuer, clientId: client, clientSecret: secret?.value ?? null }
    const input = {
      ...app,
      scope: flags.scope,
      resource: flags.resource,
      installationName: flags["installation-name"],
    }
    if (flags.device) {
      const { signInByDevice } = await import("./device-flow.ts")
      return await signInByDevice(input)
    }
    const { signIn } = await import("./login-flow.ts")
    return await signIn({ ...input, opensBrowser: !flags["no-browser"] })
  },
})
