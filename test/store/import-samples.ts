/** Records of an import, for tests of the store. */
import type { ClientId, Permission, UserId } from "../../src/kernel/ids.ts"
import type { Account } from "../../src/model/account.rules.ts"
import type { Import, ImportedToken } from "../../src/model/moved/import.rules.ts"
import { account, hash, id, NOW } from "./samples.ts"

export function anImport(differing: Partial<Import> = {}): Import {
  return {
    importId: 7,
    source: "csv",
    state: "staging",
    begunAt: NOW,
    seenAt: NOW,
    sealedSecret: null,
    ...differing,
  }
}

export const FOREIGN_ID = "auth0|5f7c8ec7c33c6c004bbafe82/?#&=%'\"" as UserId

export function foreignAccount(number = 70, differing: Partial<Account> = {}): Account {
  return account(number, { userId: FOREIGN_ID, ...differing })
}

export function importedToken(differing: Partial<ImportedToken> = {}): ImportedToken {
  return {
    hash: hash("imported"),
    importId: 7,
    tokenId: id("t", 700),
    clientId: id<ClientId>("c"),
    userId: FOREIGN_ID,
    scope: ["files:read" as Permission],
    endsAt: NOW + 1000,
    usedAt: null,
    ...differing,
  }
}
