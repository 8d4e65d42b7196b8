/** The command that invites a person, and the `invitation` commands. */
import { invite, listInvitations, revokeInvitation } from "../../accounts/invitations/invite.ts"
import { INVITATION_DAYS } from "../../kernel/account-limits.ts"
import { baseUrlFlag, baseUrlForLinks } from "../../platform/cli/base-url-flag.ts"
import { command, done, refused, usageError } from "../../platform/cli/command.ts"
import { fromCommandLine, withStore } from "../../platform/cli/open.ts"
import { instant, printedList } from "../../platform/cli/print.ts"
import { keysOf } from "../../platform/cli/service-keys.ts"
import { invitationRecords, madeRecord } from "./invitation-record.ts"

const inviteCommand = command({
  name: "account invite",
  summary: "Invite a person to make an account",
  flags: {
    name: { value: "NAME", summary: "the username that the page suggests" },
    email: { value: "ADDRESS", summary: "mail the link to this address, if e-mail is configured" },
    group: { value: "GROUP", repeat: true, summary: "put the account into this group" },
    admin: { summary: "make the account an administrator" },
    days: { value: "DAYS", default: String(INVITATION_DAYS.usual), summary: "how many days the link works" },
    language: { value: "TAG", summary: "the language of the mail (default: the setting languages.default)" },
    "base-url": baseUrlFlag,
  },
  notes: [
    "The link works once. On its page the person chooses a username, and a password, a passkey or a sign-in provider.",
    "A mailed link exists in the mail alone, and using it confirms the address. Otherwise the link is printed: hand it " +
      "to the person alone.",
  ],
  example: "latchkey account invite --name grace --email grace@example.org",
  run: ({ flags, globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const { name: username, email, group: groups, admin, days, language } = flags
      const baseUrl = await baseUrlForLinks({ flags, globals }, opened.store)
      if (!baseUrl.ok) return usageError(baseUrl.error)
      const keys = await keysOf(opened)
      if (!keys.ok) return refused(keys.error)
      const input = { username, email, admin, groups, days: Number(days), language }
      const made = await invite({ ...opened, keys: keys.value, guesses: null }, input, fromCommandLine)
      if (!made.ok)
        return made.error.why === "malformed" ? usageError(made.error.problem) : refused(made.error.problem)
      const json = madeRecord(baseUrl.value, made.value)
      const until = `The link works once, until ${instant(json.expires_at)}.`
      return json.url === null
        ? done(json, `The invitation goes to ${made.value.invitation.email}. ${until}`)
        : done(json, json.url, `${until} Hand it to the person alone.`)
    }),
})

const list = command({
  name: "invitation list",
  summary: "List the open invitations, oldest first",
  example: "latchkey invitation list",
  run: ({ globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const records = await invitationRecords(opened, await listInvitations(opened))
      return printedList(records, "There are no open invitations.", (row) => ({
        "invitation id": row.invitation_id,
        name: row.name,
        email: row.email,
        mailed: row.mailed,
        admin: row.admin,
        groups: row.groups.join(" "),
        "invited by": row.invited_by,
        expires: instant(row.expires_at),
      }))
    }),
})

const revoke = command({
  name: "invitation revoke",
  summary: "Withdraw an invitation",
  operands: ["ID"],
  notes: ["Its link stops working at once. A mail with it that still waits is not sent."],
  example: "latchkey invitation revoke 01kz8y4n9q0v6d3m5r7t2w1x0c",
  run: ({ operands: [id], globals }) =>
    withStore(globals, "refuse", async (opened) =>
      (await revokeInvitation(opened, id, fromCommandLine))
        ? done({ invitation_id: id, revoked: true }, "The invitation was withdrawn.")
        : refused("There is no open invitation with this id."),
    ),
})

export const inviteCommands = [inviteCommand]
export const invitationCommands = [list, revoke]
