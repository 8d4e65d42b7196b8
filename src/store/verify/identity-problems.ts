/** The invariants of a stored link to a sign-in provider that the schema cannot check. */
import { digest } from "../../kernel/hash.ts"
import { identityText } from "../../model/sign-in/identity.rules.ts"
import type { IdentityRow } from "../codecs/accounts/identity-row.ts"
import { problemsIn } from "./rule.ts"

/** A row, with a flag that says whether its account is a person. */
export type VerifiedIdentityRow = IdentityRow & { readonly has_person: number }

export function identityProblems(row: VerifiedIdentityRow): string[] {
  return problemsIn(
    [
      row.identity_hash !== digest(identityText(row)),
      "identity_hash is not the digest of issuer and subject",
    ],
    [row.has_person === 0, "the account is not a person"],
  )
}
