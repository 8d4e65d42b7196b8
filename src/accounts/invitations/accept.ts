/** Opens the link of an invitation, and makes the account. */
import { digest } from "../../kernel/hash.ts"
import type { UserId } from "../../kernel/ids.ts"
import { newId } from "../../kernel/random.ts"
import { err, ok, type Result } from "../../kernel/result.ts"
import { newPerson, NO_PASSWORD } from "../../model/account.rules.ts"
import { methodsOf } from "../../model/factor.rules.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import { newEmailAddress } from "../../model/mail/email-address.rules.ts"
import { parseNewUsername, type Username, type UsernameProblem } from "../../model/username.rules.ts"
import { hashPassword, knownPlace } from "../../platform/services/password.ts"
import type { Services } from "../../platform/services/services.ts"
import { readInvitedPasskey } from "../factors/new-passkey.ts"
import type { PasskeyAnswer } from "../factors/passkey-challenge.ts"
import { passwordProblem, type PasswordProblem } from "../password.rules.ts"
import { isAdmitted } from "../sessions/session.rules.ts"
import { newSignIn, type SignInAttempt } from "../sessions/start-session.ts"
import { decideAccepted, isInvitationOpen } from "./invitation.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "keys" | "issuer" | "providers">

/** Returns the invitation of a link, if it works. This leaves the link unused. */
export async function openInvitation(
  { store, clock }: Pick<Needs, "store" | "clock">,
  secret: string,
): Promise<Invitation | null> {
  const { invitation } = await store.read({ invitation: digest(secret) })
  const { account } = await store.read({ account: invitation?.invitedBy ?? null })
  return isInvitationOpen(invitation, account, clock.now()) ? invitation : null
}

/** The rows that `decideAccepted` needs. */
export function acceptanceLoad(
  { linkHash, invitedBy, isMailed, email }: Invitation,
  { usernameKey: accountByName }: Username,
) {
  const address = newEmailAddress(isMailed ? (email ?? "") : "")
  const emailByKey = address.ok ? address.value.addressKey : null
  return { invitation: linkHash, account: invitedBy, accountByName, emailByKey } as const
}

export type NotAccepted =
  | "gone"
  | "passkey-failed"
  | { readonly field: "username"; readonly problem: UsernameProblem | "taken" }
  | { readonly field: "password"; readonly problem: PasswordProblem }

/** Checks a name before the person goes on with it. It may be taken meanwhile. */
export async function checkName(
  { store }: Pick<Needs, "store">,
  typed: string,
): Promise<Result<Username, NotAccepted>> {
  const name = parseNewUsername(typed)
  if (!name.ok) return err({ field: "username", problem: name.error })
  const { accountByName } = await store.read({ accountByName: name.value.usernameKey })
  return accountByName === null ? name : err({ field: "username", problem: "taken" })
}

/** How the person will sign in: with a new password, or with a passkey alone. */
export type WayIn = { readonly password: string } | { readonly passkey: PasskeyAnswer }

/** Returns the secret of the session that the account begins with. */
export async function acceptInvitation(
  services: Needs,
  secret: string,
  typed: string,
  wayIn: WayIn,
  attempt: SignInAttempt,
): Promise<Result<string, NotAccepted>> {
  const { store, clock } = services
  const invitation = await openInvitation(services, secret)
  if (invitation === null) return err("gone")
  const name = await checkName(services, typed)
  if (!name.ok) return name
  const { invitationId, admin } = invitation
  if (!isAdmitted({ admin }, services.providers)) return err("gone")
  const isByPasskey = "passkey" in wayIn
  const passkey = isByPasskey
    ? await readInvitedPasskey(services, invitationId, wayIn.passkey, attempt.browserSecret)
    : null
  if (isByPasskey && passkey === null) return err("passkey-failed")
  const problem = isByPasskey ? null : passwordProblem(wayIn.password, name.value.username)
  if (problem !== null) return err({ field: "password", problem })
  const passwordHash = isByPasskey
    ? NO_PASSWORD
    : await hashPassword(wayIn.password, knownPlace(invitationId))
  const now = clock.now()
  const userId = passkey?.userId ?? newId<UserId>(now)
  const account = newPerson(name.value, { userId, passwordHash, admin, createdAt: now })
  const by = isByPasskey ? "second-factor" : "password"
  const amr = methodsOf(passkey?.kind ?? "password", passkey === null ? [] : [passkey])
  const signIn = newSignIn(account, attempt, { now, by, amr, detail: isByPasskey ? "passkey" : null })
  const load = { ...acceptanceLoad(invitation, name.value), passkey: passkey?.credentialId ?? null }
  const outcome = await store.change(load, (found) =>
    decideAccepted(found, {
      account,
      wayIn: passkey === null ? [] : [{ change: "factorAdded", factor: passkey }],
      by: isByPasskey ? "a passkey" : "a password",
      address: attempt.address,
      signIn: signIn.changes,
    }),
  )
  if (outcome === "done") return ok(signIn.secret)
  return err(outcome === "taken" ? { field: "username", problem: outcome } : outcome)
}
