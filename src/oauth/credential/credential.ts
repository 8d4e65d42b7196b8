/** Ends credentials, for administrators and account holders. */
import type { Account } from "../../model/account.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import { asOf, type Credential } from "../../model/credential.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { revokeCredential as revocation } from "./revoke-credential.rules.ts"
import type { HeldCredential } from "../../store/list-shapes.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Actor } from "../../model/event.rules.ts"

type Needs = Pick<Services, "store" | "clock">

type RevokedCredential = { readonly held: HeldCredential; readonly wasOver: boolean }

/** Revokes a credential for an administrator. An ended credential does not change, and the result says so. */
export async function endCredential(
  { store, clock }: Needs,
  id: string,
  { address, actorId }: Actor,
): Promise<Result<RevokedCredential, Problem>> {
  const tokenId = isIdentifier(id) ? (id as TokenId) : null
  const now = clock.now()
  const answer = await store.change(
    { credential: tokenId, appOf: tokenId, ownerOf: tokenId },
    ({ credential, appOf, ownerOf }): Decided<Result<RevokedCredential, Problem>> => {
      if (credential === null) return decided(err(`There is no credential ${JSON.stringify(id)}.`))
      const changes = revocation(credential, "administrator", now, address, actorId)
      const after = changes.find(({ change }) => change === "credentialChanged")
      return decided(
        ok({
          held: {
            credential: after?.change === "credentialChanged" ? after.credential : credential,
            client: appOf,
            account: ownerOf,
          },
          wasOver: isOver(asOf(credential, now)),
        }),
        ...changes,
      )
    },
  )
  return answer
}

/** Ends a credential of this account. With its own token, the app revokes it. Returns false if the account has no such credential. */
export async function endOwnCredential(
  { store, clock }: Needs,
  { userId }: Account,
  id: string,
  { address }: Actor,
  by: "account-holder" | "app" = "account-holder",
): Promise<boolean> {
  const now = clock.now()
  const tokenId = isIdentifier(id) ? (id as TokenId) : null
  return store.change({ credential: tokenId }, ({ credential }) =>
    credential?.consent.userId === userId
      ? decided(true, ...revocation(credential, by, now, address))
      : decided(false),
  )
}

function isOver({ life }: Credential): boolean {
  return life.state === "revoked" || life.state === "ended"
}
