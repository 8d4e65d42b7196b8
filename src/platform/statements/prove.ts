/** Finds the key of a statement and checks its signature. Interface STATE-1, STATE-3. */
import { type Result, err, ok } from "../../kernel/result.ts"
import { type KeyAlgorithm, type PublicKey, readKeySet } from "../../model/clients/key-set.rules.ts"
import type { Services } from "../services/services.ts"
import { type ChosenKey, chooseKey } from "./judge.rules.ts"
import { isFetchDue, type KeptKeys, usableCopy } from "./kept-keys.rules.ts"
import { fetchKeys, type IssuerKeys, keysOfIssuer, type PublishedKeys } from "./published-keys.ts"
import type { Statement, StatementFault } from "./statement.rules.ts"
import { isSealedBy, isSignedBy, SECRET_ALGORITHM } from "./verification-key.ts"

type Needs = Pick<Services, "clock" | "outgoing" | "log">

/** Where the keys of a statement come from. */
export type KeySource =
  | { readonly keys: readonly PublicKey[] }
  /** A shared secret, for HS256 and nothing else. */
  | { readonly secret: Uint8Array }
  | IssuerKeys
  | { readonly published: PublishedKeys }

/**
 * Checks the signature. `algorithms` are those that the issuer may use with a public key; the header only selects from
 * them. Refuses: algorithmRefused, keyUnknown, keysUnavailable, signatureWrong.
 */
export async function proveStatement(
  services: Needs,
  statement: Statement,
  source: KeySource,
  algorithms: readonly KeyAlgorithm[],
): Promise<Result<Statement, StatementFault>> {
  if ("secret" in source) {
    if (statement.header.get("alg") !== SECRET_ALGORITHM) return err("algorithmRefused")
    return (await isSealedBy(statement.jwt, source.secret)) ? ok(statement) : err("signatureWrong")
  }
  const chosen = await findKey(services, statement, source, algorithms)
  if (!chosen.ok) return chosen
  const { key, algorithm } = chosen.value
  return (await isSignedBy(statement.jwt, key, algorithm)) ? ok(statement) : err("signatureWrong")
}

async function findKey(
  services: Needs,
  statement: Statement,
  source: Exclude<KeySource, { readonly secret: Uint8Array }>,
  algorithms: readonly KeyAlgorithm[],
): Promise<Result<ChosenKey, StatementFault>> {
  if ("keys" in source) return chooseKey(statement, source.keys, algorithms)
  const published = "published" in source ? source.published : keysOfIssuer(services, source)
  const { clock } = services
  const copyOf = (kept: KeptKeys | null) => usableCopy(kept, published.url, clock.now())
  const chosenFrom = (copy: string | null): Result<ChosenKey, StatementFault> =>
    copy === null ? err("keysUnavailable") : chooseKey(statement, readKeySet(copy), algorithms)
  const stored = await published.read()
  const copy = copyOf(stored)
  const chosen = chosenFrom(copy)
  const lacksKey = !chosen.ok && chosen.error !== "algorithmRefused"
  if (!isFetchDue(stored, published.url, lacksKey, clock.now())) return chosen
  return chosenFrom(copyOf((await fetchKeys(published, lacksKey && copy !== null)) ?? stored))
}
