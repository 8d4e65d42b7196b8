/** Opens the link of an invitation, and makes the account. */
import { digest } from "../../kernel/hash.ts"
import type { UserId } from "../../kernel/ids.ts"
import { newId } from "../../kernel/random.ts"
import { type Account, NO_PASSWORD } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import type { Passkey } from "../../model/factor.rules.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import { newEmailAddress } from "../../model/mail/email-address.rules.ts"
import { parseNewUsername, type Username, type UsernameProblem } from "../../model/username.rules.ts"
import { hashPassword, knownPlace } from "../../platform/services/password.ts"
import type { Services } from "../../platform/services/services.ts"
import { readInvitedPasskey } from "../factors/new-passkey.ts"
import type { PasskeyAnswer } from "../factors/passkey-challenge.ts"
import { passwordProblem, type PasswordProblem } from "../password.rules.ts"
import { newSession } from "../sessions/session.ts"
import { signInChanges } from "../sessions/sign-in-changes.rules.ts"
import type { SignInAttempt } from "../sessions/start-session.ts"
import { decideAccepted, isInvitationOpen } from "./invitation.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "keys" | "issuer">

/** Returns the invitation of a link, if it works, with the groups that are still there. This leaves the link unused. */
export async function openInvitation(
  { store, clock }: Pick<Needs, "store" | "clock">,
  secret: string,
): Promise<Invitation | null> {
  const { invitation } = await store.read({ invitation: digest(secret) })
  const { account } = await store.read({ account: invitation?.invitedBy ?? null })
  if (!isInvitationOpen(invitation, account, clock.now())) return null
  const groups: string[] = []
  for (const group of invitation.groups) if ((await store.read({ group })).group !== null) groups.push(group)
  return { ...invitation, groups }
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

export function invitedAccount(
  { admin }: Invitation,
  name: Username,
  of: Pick<Account, "userId" | "passwordHash" | "createdAt">,
): Account {
  return { ...of, ...name, type: "person", ownerId: null, admin, enabled: true, language: null, groups: [] }
}

export type NameProblem = UsernameProblem | "taken"

/** Checks a name before the person goes on with it. It may be taken meanwhile. */
export async function checkName({ store }: Pick<Needs, "store">, typed: string) {
  const name = parseNewUsername(typed)
  if (!name.ok) return name
  const { accountByName } = await store.read({ accountByName: name.value.usernameKey })
  return accountByName === null ? name : ({ ok: false, error: "taken" } as const)
}

/** How the person will sign in: with a new password, or with a passkey alone. */
export type WayIn = { readonly password: string } | { readonly passkey: PasskeyAnswer }

export type AcceptAnswer =
  | { readonly outcome: "done"; readonly sessionSecret: string }
  | { readonly outcome: "gone" | "passkey-failed" }
  | { readonly outcome: "name"; readonly problem: NameProblem }
  | { readonly outcome: "password"; readonly problem: PasswordProblem }

export async function acceptInvitation(
  services: Needs,
  secret: string,
  typed: string,
  wayIn: WayIn,
  attempt: SignInAttempt,
): Promise<AcceptAnswer> {
  const { store, clock } = services
  const invitation = await openInvitation(services, secret)
  if (invitation === null) return { outcome: "gone" }
  const name = await checkName(services, typed)
  if (!name.ok) return { outcome: "name", problem: name.error }
  const made = await credentialOf(services, invitation, name.value, wayIn, attempt)
  if ("outcome" in made) return made
  const { passkey, passwordHash } = made
  const now = clock.now()
  const userId = passkey?.userId ?? newId<UserId>(now)
  const account = invitedAccount(invitation, name.value, { userId, passwordHash, createdAt: now })
  const { address, userAgent, browserSecret, formerSecret } = attempt
  const by = passkey === null ? "password" : "second-factor"
  const { secret: sessionSecret, session } = newSession(account, { now, address, userAgent, by })
  const formerHash = formerSecret === null ? null : digest(formerSecret)
  const detail = passkey === null ? null : "passkey"
  const acceptance = {
    account,
    groups: invitation.groups,
    wayIn: passkey === null ? [] : [{ change: "factorAdded", factor: passkey } satisfies Change],
    by: passkey === null ? "a password" : "a passkey",
    address,
    signIn: signInChanges({ session, formerHash, browserHash: digest(browserSecret), detail }),
  }
  const load = { ...acceptanceLoad(invitation, name.value), passkey: passkey?.credentialId ?? null }
  const outcome = await store.change(load, (found) => decideAccepted(found, acceptance))
  if (outcome === "done") return { outcome, sessionSecret }
  if (outcome === "taken") return { outcome: "name", problem: outcome }
  return { outcome: outcome === "gone" ? "gone" : "passkey-failed" }
}

type Credential = { readonly passwordHash: string; readonly passkey: Passkey | null }

async function credentialOf(
  services: Needs,
  { invitationId }: Invitation,
  { username }: Username,
  wayIn: WayIn,
  { browserSecret }: SignInAttempt,
): Promise<Credential | Extract<AcceptAnswer, { outcome: "password" | "passkey-failed" | "gone" }>> {
  if ("passkey" in wayIn) {
    const passkey = await readInvitedPasskey(services, invitationId, wayIn.passkey, browserSecret)
    return passkey === null ? { outcome: "passkey-failed" } : { passwordHash: NO_PASSWORD, passkey }
  }
  const problem = passwordProblem(wayIn.password, username)
  if (problem !== null) return { outcome: "password", problem }
  return { passwordHash: await hashPassword(wayIn.password, knownPlace(invitationId)), passkey: null }
}
