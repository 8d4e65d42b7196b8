/** Makes, lists and withdraws invitations, for administrators and the command line. */
import { digest } from "../../kernel/hash.ts"
import type { InvitationId } from "../../kernel/ids.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { Keys } from "../../kernel/keys.ts"
import { GROUPS_OF_ACCOUNT_AT_MOST } from "../../kernel/limits.ts"
import { EMAIL_TRIES, INVITATION_DAYS } from "../../kernel/account-limits.ts"
import { newId, randomSecret } from "../../kernel/random.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { DAY } from "../../kernel/time.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import { parseEmailAddress } from "../../model/mail/email-address.rules.ts"
import { parseNewUsername, usernameProblems } from "../../model/username.rules.ts"
import { sealLink } from "../../platform/mail/compose.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import type { Services } from "../../platform/services/services.ts"
import { all, rowKeys } from "../../store/list.ts"
import { unknownGroupIn } from "../groups/groups.ts"
import { decideInvited, decideRevoked } from "./invitation.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "mail" | "languages">

export type InvitationInput = {
  /** The name and the address are null if they were not given. */
  readonly username: string | null
  readonly email: string | null
  readonly admin: boolean
  readonly days: number
  /** The names of groups. */
  readonly groups: readonly string[]
  /** The tag of the language of the mail. Null stands for the default. */
  readonly language: string | null
}

export type NotInvited = {
  readonly why: "malformed" | "unknown" | "taken" | "conflict"
  readonly field: "name" | "email" | "groups" | "days" | "language"
  readonly problem: Problem
}

export type MadeInvitation = {
  readonly invitation: Invitation
  /** The secret of the link. Null if it was mailed. */
  readonly secret: string | null
}

/**
 * Makes an invitation. It is mailed if it has an address and e-mail is configured. `keys` seal the link of a mail;
 * `guesses` count the mails to an address, which the command line does not.
 */
export async function invite(
  services: Needs & { readonly keys: Keys; readonly guesses: Services["guesses"] | null },
  { username, email, admin, groups, days, language }: InvitationInput,
  from: Actor,
): Promise<Result<MadeInvitation, NotInvited>> {
  const refuse = (why: NotInvited["why"], field: NotInvited["field"], problem: Problem) =>
    err({ why, field, problem })
  const name = username === null ? null : parseNewUsername(username)
  if (name?.ok === false) return refuse("malformed", "name", usernameProblems[name.error])
  const address = email === null ? null : parseEmailAddress(email)
  if (address?.ok === false) return refuse("malformed", "email", address.error)
  const { least, most } = INVITATION_DAYS
  if (!Number.isSafeInteger(days) || days < least || days > most)
    return refuse("malformed", "days", `An invitation works for ${least} to ${most} days.`)
  if (groups.length > GROUPS_OF_ACCOUNT_AT_MOST)
    return refuse("malformed", "groups", `An account is in at most ${GROUPS_OF_ACCOUNT_AT_MOST} groups.`)
  const unknown = await unknownGroupIn(services, groups)
  if (unknown !== null) return refuse("unknown", "groups", unknown.problem)
  const { tags } = services.languages
  if (language !== null && !tags.includes(language))
    return refuse("malformed", "language", `The language is one of ${tags.join(", ")}.`)
  const isMailed = address !== null && services.mail !== null
  const addressKey = address?.value.addressKey ?? null
  const spent =
    !isMailed || services.guesses === null
      ? null
      : await services.guesses.spendAll([{ key: `email to:${addressKey}`, limit: EMAIL_TRIES.mails }])
  if (spent?.admitted === false) return refuse("conflict", "email", "This address got too many mails today.")
  const secret = randomSecret()
  const madeAt = services.clock.now()
  const invitation: Invitation = {
    invitationId: newId<InvitationId>(madeAt),
    linkHash: digest(secret),
    username: name?.value.username ?? null,
    email: address?.value.address ?? null,
    isMailed,
    admin,
    groups: [...new Set(groups)].sort(),
    invitedBy: from.actorId ?? null,
    madeAt,
    expiresAt: madeAt + days * DAY,
  }
  const mail = isMailed ? { sealedLink: sealLink(services, secret), language } : null
  const { invitedBy } = invitation
  const load = { account: invitedBy, accountByName: name?.value.usernameKey ?? null, emailByKey: addressKey }
  const decide = () => services.store.change(load, (found) => decideInvited(found, invitation, mail, from))
  const outcome = await (spent === null ? decide() : checkCounted(spent, decide))
  if (outcome !== "done") await spent?.giveBack()
  if (outcome === "not-administrator") return refuse("conflict", "name", "Only an administrator can invite.")
  if (outcome === "name-taken") return refuse("taken", "name", "There is an account of that name.")
  if (outcome === "address-taken") return refuse("taken", "email", "An account has this e-mail address.")
  return ok({ invitation, secret: isMailed ? null : secret })
}

/** The invitations that have not ended, oldest first. */
export function listInvitations({ store }: Pick<Needs, "store">): Promise<readonly Invitation[]> {
  return all((page) => store.invitations(page), rowKeys.invitations)
}

/** Withdraws an invitation. Returns false if no open one has this id. */
export async function revokeInvitation(
  { store, clock }: Pick<Needs, "store" | "clock">,
  id: string,
  { address, actorId }: Actor,
): Promise<boolean> {
  const now = clock.now()
  const invitationById = isIdentifier(id) ? (id as InvitationId) : null
  return store.change({ invitationById }, (found) =>
    decideRevoked(found.invitationById, { now, address, actorId }),
  )
}
