/** Reads a file and decides what moves in. The same code checks the file and later stages it. */
import type { ClientId, Permission } from "../../kernel/ids.ts"
import { type Problem, type Result, ok } from "../../kernel/result.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { type JudgedApp, judgeApp } from "./apps.rules.ts"
import { type JudgedAccount, judgeAccounts, keysOf, nothingUsed } from "./judge.rules.ts"
import type { Moved, MovedAccount, MovedApp, MovedToken, Skipped } from "./moved.rules.ts"
import { NotTheFile } from "./not-the-file.ts"
import { piecesOf, type SourceName, sources } from "./source.ts"
import { hashOfToken, readTokens } from "./tokens.ts"
import { judgeToken, type Match } from "./tokens.rules.ts"

/** One change stages this many rows. It takes a few milliseconds. */
const TOGETHER = 100

/** All apps are added by one change, which must stay short. */
const APPS_AT_MOST = 1000

export type ImportInput = {
  readonly source: SourceName
  readonly file: string
  readonly isDryRun: boolean
  readonly tokensFile?: string | null
}

export type JudgedToken = { readonly token: MovedToken; readonly scope: readonly Permission[] }

/** Takes what moves in, a few rows at a time. The first error ends the reading. */
export type Take = (rows: {
  readonly accounts: readonly JudgedAccount[]
  readonly tokens: readonly JudgedToken[]
}) => Promise<Result<null, Problem>>

export type ReadFile = {
  readonly accounts: number
  readonly tokens: number
  readonly apps: readonly JudgedApp[]
  readonly skipped: readonly Skipped[]
  /** The number of accounts, apps and tokens that an earlier import has added. */
  readonly present: number
}

type Needs = Pick<Services, "store" | "clock" | "catalog">

/** Throws `NotTheFile` if a file is not what the command says. */
export async function readFile(
  services: Needs,
  input: ImportInput,
  take: Take,
): Promise<Result<ReadFile, Problem>> {
  const reading = new Reading(services, take)
  for await (const moved of recordsOf(input)) {
    const added = await reading.add(moved)
    if (!added.ok) return added
  }
  return await reading.end()
}

async function* recordsOf({ source, file, tokensFile = null }: ImportInput): AsyncGenerator<Moved> {
  yield* sources[source](piecesOf(file)) as AsyncIterable<Moved>
  if (tokensFile !== null) yield* readTokens(piecesOf(tokensFile), source === "hydra")
}

class Reading {
  readonly #services: Needs
  readonly #take: Take
  readonly #skipped: Skipped[] = []
  readonly #used = nothingUsed()
  readonly #apps = new Map<string, JudgedApp>()
  /** The apps of this file that an earlier import or an administrator has added. */
  readonly #presentApps = new Set<string>()
  /** The ids under which the file has another app than the one that is here, or two of them. */
  readonly #otherApps = new Set<string>()
  readonly #hashes = new Set<string>()
  #accounts = 0
  #tokens = 0
  #present = 0
  #waiting: MovedAccount[] = []
  #waitingTokens: MovedToken[] = []

  constructor(services: Needs, take: Take) {
    this.#services = services
    this.#take = take
  }

  async add(moved: Moved): Promise<Result<null, Problem>> {
    this.#skipped.push(...moved.skipped)
    if (moved.kind === "account") this.#waiting.push(moved.account)
    if (moved.kind === "app") await this.#addApp(moved.app)
    // A token may come before its account or its app. It waits for the end of the file.
    if (moved.kind === "token") this.#waitingTokens.push(moved.token)
    return this.#waiting.length < TOGETHER ? ok(null) : this.#judgeAccounts()
  }

  async end(): Promise<Result<ReadFile, Problem>> {
    let taken = await this.#judgeAccounts()
    while (taken.ok && this.#waitingTokens.length > 0)
      taken = await this.#judgeTokens(this.#waitingTokens.splice(0, TOGETHER))
    if (!taken.ok) return taken
    return ok({
      accounts: this.#accounts,
      tokens: this.#tokens,
      apps: [...this.#apps.values()],
      skipped: this.#skipped,
      present: this.#present,
    })
  }

  async #judgeAccounts(): Promise<Result<null, Problem>> {
    if (this.#waiting.length === 0) return ok(null)
    const { userIds, usernameKeys } = keysOf(this.#waiting)
    const taken = await this.#services.store.taken(userIds, usernameKeys, [])
    const { accounts, skipped, present } = judgeAccounts(this.#waiting, taken, this.#used)
    this.#waiting = []
    this.#skipped.push(...skipped)
    this.#accounts += accounts.length
    this.#present += present
    return accounts.length === 0 ? ok(null) : this.#take({ accounts, tokens: [] })
  }

  async #addApp(app: MovedApp): Promise<void> {
    const { clientId } = app
    const { judged, skipped } = judgeApp(this.#services.catalog, app)
    const found = await this.#appHere(clientId)
    if (judged.ok && found !== null && isSameApp(found, judged.value)) {
      this.#present++
      this.#presentApps.add(clientId)
      return
    }
    const skip = (reason: string) => this.#skipped.push({ what: "app", name: clientId, reason })
    if (found !== null) {
      this.#otherApps.add(clientId)
      return void skip(`An app of another name or type has this client_id: ${JSON.stringify(found.name)}.`)
    }
    this.#skipped.push(...skipped)
    if (!judged.ok) return
    const first = this.#apps.get(clientId)
    if (first === undefined) this.#apps.set(clientId, judged.value)
    else {
      skip("The file has this client_id twice.")
      if (!isSameApp(first.registration, judged.value)) this.#otherApps.add(clientId)
    }
    if (this.#apps.size > APPS_AT_MOST) throw new NotTheFile(`it has more than ${APPS_AT_MOST} apps`)
  }

  async #appHere(clientId: string): Promise<Client | null> {
    return (await this.#services.store.read({ client: clientId as ClientId })).client
  }

  async #matchApp(clientId: string): Promise<Match> {
    if (this.#otherApps.has(clientId)) return "other"
    const isHere = this.#apps.has(clientId) || this.#presentApps.has(clientId)
    return isHere || (await this.#appHere(clientId)) !== null ? "same" : "missing"
  }

  /** An id that the file does not name means the account that has it here. */
  #matchAccount(userId: string, here: ReadonlySet<string>): Match {
    const { userIds, knownIds, ambiguousIds } = this.#used
    if (ambiguousIds.has(userId)) return "other"
    if (userIds.has(userId)) return knownIds.has(userId) ? "same" : "other"
    return here.has(userId) ? "same" : "missing"
  }

  async #judgeTokens(moved: readonly MovedToken[]): Promise<Result<null, Problem>> {
    const { store, catalog, clock } = this.#services
    const hashes = moved.map(hashOfToken)
    const userIds = moved.map(({ userId }) => userId)
    const taken = await store.taken(userIds, [], hashes)
    const accounts = new Set(taken.accounts.map(({ userId }) => userId))
    const present = new Set(taken.tokens)
    const tokens: JudgedToken[] = []
    for (const [at, token] of moved.entries()) {
      const hash = hashes[at] ?? ""
      if (present.has(hash) || this.#hashes.has(hash)) {
        this.#present++
        continue
      }
      const { userId, clientId } = token
      const judged = judgeToken(catalog, token, {
        account: this.#matchAccount(userId, accounts),
        app: await this.#matchApp(clientId),
        now: clock.now(),
      })
      if (!judged.ok) this.#skipped.push(judged.error)
      else {
        this.#hashes.add(hash)
        tokens.push({ token, scope: judged.value.scope })
        this.#skipped.push(...judged.value.skipped)
      }
    }
    this.#tokens += tokens.length
    return tokens.length === 0 ? ok(null) : this.#take({ accounts: [], tokens })
  }
}

/** Two sources may use one `client_id` for different apps, as they may use one number for different people. */
function isSameApp({ name, type }: Pick<Client, "name" | "type">, { registration }: JudgedApp): boolean {
  return name === registration.name && type === registration.type
}
