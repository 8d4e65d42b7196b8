/** The command that makes a one-time link for a new password. */
import { baseUrlFlag, baseUrlForLinks } from "../../platform/cli/base-url-flag.ts"
import { command, done, refused, usageError } from "../../platform/cli/command.ts"
import { fromCommandLine, withStore } from "../../platform/cli/open.ts"
import { instant } from "../../platform/cli/print.ts"
import { makeRecoveryLink } from "./recovery.ts"

const recover = command({
  name: "account recover",
  summary: "Print a one-time link with which a person sets a new password",
  operands: ["NAME"],
  flags: { "base-url": baseUrlFlag },
  notes: [
    "The link works once, within half an hour, and needs no e-mail. A second step is still asked for; account factors " +
      "NAME reset removes it. A newer link, or a new password, ends an older link.",
  ],
  example: "latchkey account recover alice",
  run: ({ flags, operands: [name], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const baseUrl = await baseUrlForLinks({ flags, globals }, opened.store)
      if (!baseUrl.ok) return usageError(baseUrl.error)
      const made = await makeRecoveryLink(opened, name, fromCommandLine)
      if (!made.ok) return refused(made.error)
      const { account, secret, expiresAt } = made.value
      const url = `${baseUrl.value}/recover?link=${secret}`
      const json = { user_id: account.userId, username: account.username, url, expires_at: expiresAt }
      return done(json, url, `The link works once, until ${instant(expiresAt)}. Hand it to the person alone.`)
    }),
})

export const recoveryCommands = [recover]
