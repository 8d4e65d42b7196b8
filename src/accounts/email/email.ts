/** The e-mail address of an account: entering, confirming, restoring, removing. */
import type { MailId } from "../../kernel/ids.ts"
import { digest } from "../../kernel/hash.ts"
import { EMAIL_TRIES } from "../../kernel/account-limits.ts"
import { newId, randomSecret } from "../../kernel/random.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { sealLink } from "../../platform/mail/compose.ts"
import { withoutMail } from "../../platform/mail/notices.rules.ts"
import type { Account } from "../../model/account.rules.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import {
  type EmailAddress,
  type EmailAddressProblem,
  newEmailAddress,
  parseEmailAddress,
} from "../../model/mail/email-address.rules.ts"
import type { AccountEmail, OneTimeLink } from "../../model/mail/email.rules.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Actor } from "../../model/event.rules.ts"
import { findPerson } from "../find-account.ts"
import {
  decideConfirmed,
  decideEntered,
  decideSetByOperator,
  isLinkAlive,
  type SetByOperator,
} from "./email.rules.ts"
import type { Confirmed, EmailChange, NewLink } from "./email-change.rules.ts"
import { decideRemoved, decideRestored } from "./former-email.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "keys" | "guesses" | "mail">

export async function emailOf(
  { store }: Pick<Needs, "store">,
  { userId }: Pick<Account, "userId">,
): Promise<AccountEmail | null> {
  return (await store.read({ email: userId })).email
}

/** The digest of the stored password. Links are bound to it. */
export function passwordDigestOf({ passwordHash }: Pick<Account, "passwordHash">) {
  return digest(passwordHash ?? "")
}

type Entered =
  | { readonly outcome: "sent"; readonly address: string }
  | { readonly outcome: "malformed"; readonly problem: EmailAddressProblem }
  | { readonly outcome: "wait"; readonly seconds: number }

/** Sends the link that confirms an address. The response is the same if another account has the address. */
export async function enterEmail(
  services: Needs,
  { userId }: Account,
  text: string,
  from: Actor,
): Promise<Entered> {
  const parsed = newEmailAddress(text.trim())
  if (!parsed.ok) return { outcome: "malformed", problem: parsed.error }
  const { address, addressKey } = parsed.value
  const spent = await services.guesses.spendAll([
    { key: `email account:${userId}`, limit: EMAIL_TRIES.account },
    { key: `email address:${userId} ${addressKey}`, limit: EMAIL_TRIES.address },
    { key: `email to:${addressKey}`, limit: EMAIL_TRIES.mails },
  ])
  if (!spent.admitted) return { outcome: "wait", seconds: spent.retryAfterSeconds }
  const link = newLink(services)
  const now = services.clock.now()
  await checkCounted(spent, () =>
    services.store.change({ account: userId }, ({ account }) => {
      if (account === null) return decided(null)
      const change = { account, current: null, now, networkAddress: from.address }
      return decided(null, ...decideEntered(change, parsed.value, passwordDigestOf(account), link))
    }),
  )
  return { outcome: "sent", address }
}

export type OpenedLink = { readonly link: OneTimeLink; readonly account: Account }

/** Returns the link of a secret, if it works. This leaves the link unused. */
export async function openLink(
  { store, clock }: Pick<Needs, "store" | "clock">,
  purpose: OneTimeLink["purpose"],
  secret: string,
): Promise<OpenedLink | null> {
  const { link } = await store.read({ link: digest(secret) })
  const { account } = await store.read({ account: link?.userId ?? null })
  if (account === null) return null
  const held = { account, passwordDigest: passwordDigestOf(account) }
  return isLinkAlive(link, purpose, held, clock.now()) ? { link, account } : null
}

export function confirmEmail(services: Needs, secret: string, from: Actor): Promise<Confirmed> {
  const restore = newLink(services)
  return useLink(services, "confirm-address", secret, from, ({ change, link, address, holder }) =>
    decideConfirmed(change, link, address, holder, restore),
  )
}

export function restoreEmail(services: Needs, secret: string, from: Actor): Promise<Confirmed> {
  const mailId = newId<MailId>(services.clock.now())
  return useLink(services, "restore-address", secret, from, ({ change, link, address, holder }) =>
    decideRestored(change, link, address, holder, mailId),
  )
}

type Used = {
  readonly change: EmailChange
  readonly link: OneTimeLink
  readonly address: EmailAddress
  readonly holder: AccountEmail | null
}

/** Uses a link with an address. Two concurrent uses of one link run one after the other, and the second finds no link. */
async function useLink(
  services: Needs,
  purpose: OneTimeLink["purpose"],
  secret: string,
  { address: networkAddress }: Actor,
  decide: (used: Used) => Decided<Confirmed>,
): Promise<Confirmed> {
  const opened = await openLink(services, purpose, secret)
  const address = parseEmailAddress(opened?.link.address ?? "")
  if (opened === null || !address.ok) return "gone"
  const { userId, linkHash } = opened.link
  const now = services.clock.now()
  const load = {
    link: linkHash,
    account: userId,
    email: userId,
    emailByKey: address.value.addressKey,
  } as const
  return services.store.change(load, ({ link, account, email, emailByKey }): Decided<Confirmed> => {
    const passwordDigest = account === null ? null : passwordDigestOf(account)
    if (account === null || !isLinkAlive(link, purpose, { account, passwordDigest }, now))
      return decided("gone")
    const change = { account, current: email, now, networkAddress }
    return withoutMail(services.mail, decide({ change, link, address: address.value, holder: emailByKey }))
  })
}

export async function removeEmail(services: Needs, { userId }: Account, from: Actor): Promise<void> {
  const now = services.clock.now()
  const restore = newLink(services)
  await services.store.change({ account: userId, email: userId }, ({ account, email }) =>
    account === null
      ? decided(null)
      : withoutMail(
          services.mail,
          decideRemoved({ account, current: email, now, networkAddress: from.address }, restore),
        ),
  )
}

/** Sets an address for which the operator vouches. */
export async function setEmailByOperator(
  services: Pick<Needs, "store" | "clock" | "mail">,
  name: string,
  text: string,
  { address: networkAddress, actorId }: Actor,
): Promise<Result<{ readonly account: Account; readonly address: string }, Problem>> {
  const parsed = parseEmailAddress(text)
  if (!parsed.ok) return err(parsed.error)
  const found = await findPerson(services, name)
  if (!found.ok) return found
  const { userId } = found.value
  const now = services.clock.now()
  const mailIds = [newId<MailId>(now), newId<MailId>(now)] as const
  const load = { account: userId, email: userId, emailByKey: parsed.value.addressKey } as const
  const answer = await services.store.change(
    load,
    ({ account, email, emailByKey }): Decided<SetByOperator> =>
      account === null
        ? decided("taken")
        : withoutMail(
            services.mail,
            decideSetByOperator(
              { account, current: email, now, networkAddress, actorId },
              parsed.value,
              emailByKey,
              mailIds,
            ),
          ),
  )
  return answer === "taken"
    ? err("Another account has this e-mail address. Remove it there first.")
    : ok({ account: found.value, address: parsed.value.address })
}

type FreshLink = NewLink & { readonly secret: string }

export function newLink(services: Pick<Needs, "clock" | "keys">): FreshLink {
  const secret = randomSecret()
  return {
    secret,
    linkHash: digest(secret),
    sealedLink: sealLink(services, secret),
    mailId: newId<MailId>(services.clock.now()),
  }
}
