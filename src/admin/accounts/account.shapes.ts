/** Accounts, sessions and factors in the JSON of the API. */
import { isUserId } from "../../kernel/identifier.ts"
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import {
  choice,
  flag,
  idShape,
  instant,
  integer,
  list,
  optional,
  orNull,
  record,
  text,
  usernameShape,
} from "../../platform/json/shape.rules.ts"
import { numberPaging, pagingBy } from "../api/paging.ts"

const ownMembers = {
  user_id: idShape("account"),
  username: usernameShape,
  admin: flag("Whether the account is an administrator.", false),
  created_at: instant("When it was created"),
  account_type: optional(choice("A `service` account has no sign-in. Absent for a person.", ["service"])),
}

export const ownAccountShape = record("OwnAccount", ownMembers)

export const accountShape = record("Account", {
  ...ownMembers,
  enabled: flag("Whether it is enabled. A disabled account cannot sign in, and its credentials do not work."),
  owner: optional(
    text("The person who answers for a service account. Absent where the service itself owns it.", "ada"),
  ),
})

export const sessionShape = record("Session", {
  id: text("Identifies the session. It is not a secret.", "vXq3kS0cPq2sJmU9w1aZ4g"),
  signed_in_at: instant("When the person signed in"),
  seen_at: instant("When it was last used, to ten minutes"),
  address: text("The network address of the sign-in.", "192.0.2.7"),
  user_agent: text("The User-Agent header of the browser.", "Mozilla/5.0"),
})

export const factorShape = record("Factor", {
  id: idShape("factor"),
  kind: choice("The kind of factor.", ["totp", "passkey", "recovery"]),
  name: text("The name that its owner gave it.", "Phone"),
  added_at: instant("When it was added"),
  used_at: orNull(instant("When it was last used"), null),
  codes_left: optional(integer("How many recovery codes are left. Absent for other kinds.", 10)),
})

export const factorsShape = record("Factors", { factors: list("The factors of the account.", factorShape) })

const username = text("The name of the account.", "ada", { most: 256 })
const password = text("The password of the account.", "correct horse battery staple", {
  least: PASSWORD_LENGTH.least,
  most: PASSWORD_LENGTH.most,
  format: "password",
})
const admin = flag("Whether the account is an administrator.")

export const activityQuery = record(null, numberPaging)

export const ownAccountUpdate = record("OwnAccountUpdate", { username: optional(username) })

export const accountQuery = record(null, {
  name_begins: optional(
    text("The start of the name, in any spelling. The list is then sorted by name.", "a", { most: 256 }),
  ),
  admin: optional(flag("Only administrators; with 0, only the others.")),
  enabled: optional(flag("Only enabled accounts; with 0, only disabled ones.")),
  account_type: optional(choice("Only accounts of this type.", ["person", "service"])),
  ...pagingBy(isUserId),
})

export const newAccount = record("NewAccount", {
  username,
  account_type: optional(
    choice("A `service` account has no sign-in. Apps that are bound to it act as it.", ["person", "service"]),
  ),
  password: optional(password),
  owner: optional(text("The person who answers for a service account.", "ada", { most: 256 })),
  admin: optional(admin),
})

export const accountUpdate = record("AccountUpdate", {
  username: optional(username),
  admin: optional(admin),
  enabled: optional(flag("Whether it is enabled.")),
})

export const newPassword = record("NewPassword", { password })
