/**
 * Moves accounts, apps and tokens in from another service.
 *
 * 1. The file is read once to check it. What cannot move in is reported, and nothing is written yet.
 * 2. The file is read again. Accounts and tokens are staged in small changes, with pauses for the service.
 * 3. One small change adds the apps and switches everything on.
 */
import { countOf, withPeriod } from "../../kernel/words.ts"
import { setTimeout as pause } from "node:timers/promises"
import type { ClientId, FactorId, Hash, UserId } from "../../kernel/ids.ts"
import { digest } from "../../kernel/hash.ts"
import { newId } from "../../kernel/random.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { sealTotpSecret } from "../../accounts/factors/totp.ts"
import { addedApp } from "../../apps/app-writes.rules.ts"
import { newClient } from "../../apps/new-client.ts"
import { SEALED_KEY } from "../../oauth/credential/imported-token.ts"
import type { Change, StagedAccount } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { defaultFactorNames } from "../../model/factor.rules.ts"
import { metaKeys } from "../../store/loadable.ts"
import type { Progress } from "../../store/list-shapes.ts"
import type { Services } from "../../platform/services/services.ts"
import type { JudgedApp } from "./apps.rules.ts"
import { HashCensus } from "./hash-census.ts"
import type { JudgedAccount } from "./judge.rules.ts"
import { NotTheFile } from "./not-the-file.ts"
import { type ImportInput, readFile, type ReadFile } from "./read-file.ts"
import { abandonImport, beginImport, finishImport, stage } from "./staging.ts"
import { importedTokenOf } from "./tokens.ts"

type Needs = Pick<Services, "store" | "clock" | "catalog" | "keys">

/** What moves in, with the number of apps in place of the apps. */
export type Imported = Omit<ReadFile, "apps"> & { readonly apps: number }

export type WholeInput = ImportInput & {
  /** The system secret of Hydra, which checks the tokens of `tokensFile`. */
  readonly systemSecret?: string | null
}

/** `report` gets what does not move in, before anything is written. The error says what is wrong with the file. */
export async function importFile(
  services: Needs,
  input: WholeInput,
  report: (checked: Imported) => void,
  progress: Progress,
): Promise<Result<Imported, Problem>> {
  try {
    const read = await readFile(services, input, () => Promise.resolve(ok(null)))
    if (!read.ok) return read
    const checked = counted(read.value)
    report(checked)
    const { accounts, apps, tokens } = checked
    return input.isDryRun || accounts + apps + tokens === 0
      ? ok(checked)
      : await write(services, input, accounts + tokens, progress)
  } catch (error) {
    if (!(error instanceof NotTheFile)) throw error
    return err(
      `${withPeriod(`${input.file} is not a file of ${input.source}: ${error.message}`)} Nothing was imported.`,
    )
  }
}

function counted(read: ReadFile): Imported {
  return { ...read, apps: read.apps.length }
}

async function write(
  services: Needs,
  input: WholeInput,
  rows: number,
  progress: Progress,
): Promise<Result<Imported, Problem>> {
  const { systemSecret = null } = input
  // The key of Hydra's MAC is the SHA-256 of its system secret.
  const sealed = systemSecret === null ? null : services.keys.seal(SEALED_KEY, digest(systemSecret))
  const begun = await beginImport(services, input.source, sealed)
  if (!begun.ok) return begun
  const { importId } = begun.value
  const census = new HashCensus()
  let [staged, isFinished] = [0, false]
  try {
    const read = await readFile(services, input, async ({ accounts, tokens }) => {
      const began = performance.now()
      const now = services.clock.now()
      const answer = await stage(services, importId, {
        accounts: accounts.map((one) => stagedAccount(services, one)),
        tokens: tokens.map(({ token, scope }) => importedTokenOf(token, scope, importId, now)),
      })
      for (const { passwordHash } of accounts) census.add(passwordHash)
      staged += accounts.length + tokens.length
      progress(staged, rows)
      // The service beside this process gets at least half of the time.
      await pause(Math.max(5, performance.now() - began))
      return answer
    })
    if (!read.ok) return read
    const finished = await finish(services, importId, input.source, read.value, census)
    if (!finished.ok) return finished
    isFinished = true
    return ok(counted(read.value))
  } finally {
    if (!isFinished) await abandonImport(services, importId)
  }
}

function finish(
  services: Needs,
  importId: number,
  source: string,
  { accounts, apps, tokens }: ReadFile,
  census: HashCensus,
): Promise<Result<null, Problem>> {
  const now = services.clock.now()
  const sample = census.imitation()
  const changes: Change[] = [
    ...(sample === null ? [] : [{ change: "metaSet", key: metaKeys.importedHash, value: sample } as const]),
    ...apps.flatMap((app) => addedApp(clientOf(app, now), null, now, { address: null })),
  ]
  const detail = `${source}: ${countOf(accounts, "account")}, ${countOf(apps.length, "app")}, ${countOf(tokens, "token")}`
  return finishImport(services, importId, changes, detail)
}

/** The app keeps its id, and its secret if the file has one. A new secret is shown when an administrator rotates it. */
function clientOf({ app, registration, secret }: JudgedApp, now: number): Client {
  const { client } = newClient(registration, { registeredBy: "administrator", ownerId: null }, now)
  const secretHash = secret === null ? (app.secretDigest as Hash | null) : digest(secret)
  return {
    ...client,
    clientId: app.clientId as ClientId,
    enabled: app.enabled,
    ...(secretHash !== null && app.type === "confidential" && { secretHash }),
  }
}

function stagedAccount(
  { clock, keys }: Needs,
  { moved: { userId: id, enabled, createdAt, otpSecrets }, name, passwordHash }: JudgedAccount,
): StagedAccount {
  const now = clock.now()
  const userId = id as UserId
  const kind = { type: "person", ownerId: null, admin: false, groups: [] } as const
  return {
    account: { userId, ...kind, ...name, passwordHash, enabled, createdAt: createdAt ?? now, language: null },
    factors: otpSecrets.map((secret) => {
      const factorId = newId<FactorId>(now)
      const sealedSecret = sealTotpSecret(keys, factorId, secret)
      const fresh = { name: defaultFactorNames.totp, addedAt: now, usedAt: null, usedStep: 0 }
      return { kind: "totp", factorId, userId, sealedSecret, ...fresh }
    }),
  }
}
