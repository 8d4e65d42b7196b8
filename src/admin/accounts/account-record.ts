/** An account in JSON, as its holder and as administrators see it. */
import type { Account } from "../../model/account.rules.ts"
import {
  choice,
  flag,
  idShape,
  instant,
  list,
  optional,
  orNull,
  type Parsed,
  record,
  text,
  usernameShape,
} from "../../platform/json/shape.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { accountsById } from "../../store/paged.ts"

const groupsShape = list("The names of its groups, sorted.", text("The name of a group.", "sales"))

const ownMembers = {
  user_id: idShape("account"),
  username: usernameShape,
  admin: flag("Whether the account is an administrator.", false),
  groups: groupsShape,
  created_at: instant("When it was created"),
  account_type: optional(choice("A `service` account has no sign-in. Absent for a person.", ["service"])),
}

export const ownAccountShape = record("OwnAccount", {
  ...ownMembers,
  language: orNull(text("The tag of the language of pages and mails, or null if none was chosen.", "pt-BR")),
  email: optional(
    text(
      "The confirmed e-mail address. Only for a token that reaches `email` of OpenID Connect.",
      "ada@example.com",
    ),
  ),
})

export const accountMembers = {
  ...ownMembers,
  enabled: flag("Whether it is enabled. A disabled account cannot sign in, and its credentials do not work."),
  owner: optional(
    text("The person who answers for a service account. Absent where the service itself owns it.", "ada"),
  ),
}

export const accountShape = record("Account", accountMembers)

export const usernameInput = text("The name of the account.", "ada", { most: 256 })

export type AccountRecord = Parsed<typeof accountShape>

export function ownAccountRecord(account: Account): Parsed<typeof ownAccountShape> {
  const { userId, username, type, admin, groups, createdAt, language } = account
  const isService = type === "service"
  return {
    user_id: userId,
    username,
    admin,
    groups,
    created_at: createdAt,
    language,
    ...(isService && { account_type: type }),
  }
}

type Needs = Pick<Services, "store">

/** Returns the accounts with the owners of service accounts. */
export async function accountViews(
  services: Needs,
  accounts: readonly Account[],
): Promise<readonly (Account & { readonly owner: Account | null })[]> {
  const owners = await accountsById(
    services,
    accounts.map(({ ownerId }) => ownerId),
  )
  return accounts.map((account) => ({ ...account, owner: owners.get(account.ownerId) ?? null }))
}

export async function accountRecords(
  services: Needs,
  accounts: readonly Account[],
): Promise<readonly AccountRecord[]> {
  const views = await accountViews(services, accounts)
  return views.map(({ userId, username, type, admin, groups, enabled, createdAt, owner }) => ({
    user_id: userId,
    username,
    admin,
    groups,
    enabled,
    created_at: createdAt,
    ...(type === "service" && { account_type: type }),
    ...(owner !== null && { owner: owner.username }),
  }))
}

export async function accountRecord(services: Needs, account: Account): Promise<AccountRecord> {
  const [one] = await accountRecords(services, [account])
  if (one === undefined) throw new Error("an account has a record")
  return one
}
