/** The command that sets the e-mail address of an account. */
import { command, done, refused } from "../../platform/cli/command.ts"
import { fromCommandLine, withStore } from "../../platform/cli/open.ts"
import { setEmailByOperator } from "./email.ts"

const email = command({
  name: "account email",
  summary: "Set the e-mail address of an account",
  operands: ["NAME", "ADDRESS"],
  notes: [
    "The address needs no confirmation, so make sure that it is right: links for a new password go there. The former " +
      "address gets a notice.",
  ],
  example: "latchkey account email alice alice@example.org",
  run: ({ operands: [name, text], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const set = await setEmailByOperator(opened, name, text, fromCommandLine)
      if (!set.ok) return refused(set.error)
      const { account, address } = set.value
      const json = { user_id: account.userId, username: account.username, email: address }
      return done(json, `Mail about the account ${account.username} goes to ${address}.`)
    }),
})

export const emailCommands = [email]
