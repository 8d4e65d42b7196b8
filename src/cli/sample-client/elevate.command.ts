import { type Answer, command, usageError, refused } from "../../platform/cli/command.ts"
import { issuerFlag, issuerOf } from "./issuer.ts"
import { readSecret } from "../../platform/cli/password-input.ts"

export const elevate = command({
  name: "elevate",
  summary: "Elevate a credential for a while: its account holder confirms with a second factor in a browser",
  flags: {
    issuer: issuerFlag,
    "client-id": { value: "ID", required: true, summary: "the public app that holds the credential" },
    "token-stdin": { required: true, summary: "read the access token from standard input" },
    reason: { value: "TEXT", summary: "the reason that the account holder sees (at most 140 characters)" },
  },
  notes: [
    "The app must be allowed to ask (latchkey app update ID --step-up on). No new token is issued: the access token, and " +
      "those that replace it, may do more until the elevation ends.",
  ],
  example:
    "latchkey elevate --client-id 01k3v7m2q8xj5c9d4e6f7g8h9j --token-stdin --reason 'Remove a laptop' < token",
  run: async ({ flags }): Promise<Answer> => {
    const issuer = issuerOf(flags.issuer)
    if (!(issuer instanceof URL)) return issuer
    if (!flags["token-stdin"])
      return usageError("elevate reads the access token from standard input: add --token-stdin.")
    const token = await readSecret("Access token: ")
    if (!token.ok) return refused(token.error)
    const accessToken = token.value.trim()
    if (!/^[\x21-\x7e]+$/.test(accessToken)) return refused("Standard input does not hold an access token.")
    const { elevateCredential } = await import("./elevate-flow.ts")
    const app = { issuer, clientId: flags["client-id"], clientSecret: null }
    return await elevateCredential({ ...app, accessToken, reason: flags.reason })
  },
})
