/**
 * Moves accounts, apps and tokens in from another service.
 *
 * 1. The file is read once to check it. What cannot move in is reported, and nothing is written yet.
 * 2. The file is read again. Accounts and tokens are staged in small changes, with pauses for the service.
 * 3. One small change adds the apps and switches everything on.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { FactorId, UserId } from "../kernel/ids.ts"
import { newId } from "../kernel/random.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { TOTP_NAME, sealTotpSecret } from "../accounts/factors/totp.ts"
import type { Change, StagedAccount } from "../records/change.rules.ts"
import { metaKeys, type Progress } from "../store/store.ts"
import type { Services } from "../services/services.ts"
import { HashCensus } from "./hash-census.ts"
import { type JudgedAccount, judgeAccounts, keysOf, nothingUsed } from "./judge.rules.ts"
import type { Moved, MovedAccount, Skipped } from "./moved.rules.ts"
import { NotTheFile } from "./not-the-file.ts"
import { piecesOf, type SourceName, sources } from "./source.ts"
import { abandonImport, beginImport, finishImport, stage } from "./staging.ts"

/** One change stages this many accounts. It takes a few milliseconds. */
const TOGETHER = 100

type Needs = Pick<Services, "store" | "clock" | "catalogue" | "keys">

export type ImportInput = {
  readonly source: SourceName
  readonly file: string
  readonly isDryRun: boolean
}

export type Imported = {
  readonly accounts: number
  readonly apps: number
  readonly tokens: number
  readonly skipped: readonly Skipped[]
  /** The number of accounts, apps and tokens that an earlier import has added. */
  readonly present: number
}

/**
 * Imports a file. `report` gets what does not move in, before anything is written. Returns the problem if the file is
 * not what the command says.
 */
export async function importFile(
  services: Needs,
  input: ImportInput,
  report: (checked: Imported) => void,
  progress: Progress,
): Promise<Result<Imported, Problem>> {
  try {
    const checked = await readAll(services, input, () => Promise.resolve(ok(null)))
    if (!checked.ok) return checked
    report(checked.value)
    const { accounts, apps, tokens } = checked.value
    if (input.isDryRun || accounts + apps + tokens === 0) return checked
    return await write(services, input, checked.value, progress)
  } catch (error) {
    if (!(error instanceof NotTheFile)) throw error
    return err(`${input.file} is not a file of ${input.source}: ${error.message}. Nothing was imported.`)
  }
}

async function write(
  services: Needs,
  input: ImportInput,
  checked: Imported,
  progress: Progress,
): Promise<Result<Imported, Problem>> {
  const begun = await beginImport(services, input.source, null)
  if (!begun.ok) return begun
  const { importId } = begun.value
  let isFinished = false
  try {
    const census = new HashCensus()
    let staged = 0
    const read = await readAll(services, input, async (accounts) => {
      const began = performance.now()
      const rows = accounts.map((one) => stagedAccount(services, one))
      for (const { account } of rows) census.add(account.passwordHash)
      const answer = await stage(services, importId, { accounts: rows, tokens: [] })
      staged += rows.length
      progress(staged, checked.accounts)
      // The service beside this process gets at least half of the time.
      await pause(Math.max(5, performance.now() - began))
      return answer
    })
    if (!read.ok) return read
    const { accounts, apps, tokens } = read.value
    const sample = census.imitation()
    const changes: Change[] =
      sample === null ? [] : [{ change: "metaSet", key: metaKeys.importedHash, value: sample }]
    const detail = `${input.source}: ${accounts} accounts, ${apps} apps, ${tokens} tokens`
    const finished = await finishImport(services, importId, changes, detail)
    if (!finished.ok) return finished
    isFinished = true
    return read
  } finally {
    if (!isFinished) await abandonImport(services, importId)
  }
}

/** Reads the file and calls `take` with the accounts that move in, a few at a time. */
async function readAll(
  services: Needs,
  { source, file }: ImportInput,
  take: (accounts: readonly JudgedAccount[]) => Promise<Result<null, Problem>>,
): Promise<Result<Imported, Problem>> {
  const skipped: Skipped[] = []
  const used = nothingUsed()
  let [accounts, present] = [0, 0]
  let waiting: MovedAccount[] = []
  const judge = async (): Promise<Result<null, Problem>> => {
    const { userIds, usernameKeys } = keysOf(waiting)
    const taken = await services.store.taken(userIds, usernameKeys, [])
    const judged = judgeAccounts(waiting, taken, used)
    waiting = []
    skipped.push(...judged.skipped)
    accounts += judged.accounts.length
    present += judged.present
    return judged.accounts.length === 0 ? ok(null) : take(judged.accounts)
  }
  for await (const moved of sources[source](piecesOf(file)) as AsyncIterable<Moved>) {
    skipped.push(...moved.skipped)
    if (moved.kind === "account") waiting.push(moved.account)
    if (waiting.length < TOGETHER) continue
    const taken = await judge()
    if (!taken.ok) return taken
  }
  const taken = await judge()
  return taken.ok ? ok({ accounts, apps: 0, tokens: 0, skipped, present }) : taken
}

function stagedAccount(
  { clock, keys }: Needs,
  { moved: { userId: id, enabled, createdAt, otpSecrets }, name, passwordHash }: JudgedAccount,
): StagedAccount {
  const now = clock.now()
  const userId = id as UserId
  return {
    account: {
      userId,
      type: "person",
      ownerId: null,
      ...name,
      passwordHash,
      admin: false,
      enabled,
      createdAt: createdAt ?? now,
    },
    factors: otpSecrets.map((secret) => {
      const factorId = newId<FactorId>(now)
      const sealedSecret = sealTotpSecret(keys, factorId, secret)
      return {
        kind: "totp",
        factorId,
        userId,
        name: TOTP_NAME,
        addedAt: now,
        usedAt: null,
        sealedSecret,
        usedStep: 0,
      }
    }),
  }
}
