/**
 * Reads the file of `latchkey apply`. Every problem has its line. A path in it starts at the directory of the file.
 *
 * set: production
 * groups: { sales: { title: Sales team } }
 * service_accounts: { ci: { owner: ada, groups: [sales] } }
 * apps: { notes: { client_id: notes, name: Notes, type: confidential, redirects: [https://notes.example/done],
 *   permissions: [account:read], client_secret_file: notes.secret } }
 * settings: { token.access_seconds: 600 }
 * appearance: { name: Acme, logo: acme.png }
 */
import { dirname, resolve } from "node:path"
import { iconIn } from "../../apps/icon/icon-flag.ts"
import type { Hash } from "../../kernel/ids.ts"
import { digest } from "../../kernel/hash.ts"
import { type Json, parseJson } from "../../kernel/json.ts"
import { KEY_SET_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { readText } from "../../platform/cli/read-text.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { isLogo, memberNames } from "../../model/appearance.rules.ts"
import { chosenSecretProblem } from "../../model/clients/chosen-client.rules.ts"
import { keysProblem } from "../../platform/statements/verification-key.ts"
import { type Entry, isEmpty, parseYaml, YamlReader } from "../../platform/config/yaml-reader.ts"
import type { Shape } from "../../platform/json/shape.rules.ts"
import {
  appearanceWord,
  type FileProblem,
  type FileParsers,
  type MembersOf,
  type NamedApp,
  type NamedLook,
  type NamedSetting,
  parsers,
  type Parsers,
  type SetUp,
} from "./set-up.rules.ts"

export const TOP_KEYS: readonly string[] = ["set", ...Object.keys(parsers), "settings", "appearance"]
const SET = /^[A-Za-z0-9._-]{1,64}$/

export type ReadSetUp = { readonly setUp: SetUp; readonly problems: readonly FileProblem[] }

/**
 * Reads the text of the file at `path`, and the files that it names. A plan over the API needs no secret, which the check
 * of a pull request does not have: `readsSecrets` is false then.
 */
export async function readSetUp(text: string, path: string, readsSecrets: boolean): Promise<ReadSetUp> {
  const parsed = parseYaml(text)
  const reader = new Reader(parsed, dirname(path))
  const setUp = await reader.setUp(readsSecrets)
  return { setUp, problems: [...parsed.problems, ...reader.problems] }
}

class Reader extends YamlReader {
  readonly #document: ReturnType<typeof parseYaml>["document"]
  readonly #directory: string
  readonly #top: ReadonlyMap<string, Entry>

  constructor({ lines, document, root, problems }: ReturnType<typeof parseYaml>, directory: string) {
    super(lines)
    this.#document = document
    this.#directory = directory
    const isNothing = problems.length > 0 || isEmpty(root)
    this.#top = isNothing ? new Map() : this.entries(root, TOP_KEYS, "The file")
  }

  async setUp(readsSecrets: boolean): Promise<SetUp> {
    const set = this.text(this.#top.get("set"), "set") ?? "default"
    if (!SET.test(set))
      this.say(this.#top.get("set")?.line ?? 1, "set: expected 1 to 64 of A-Z a-z 0-9 . _ -")
    const ofApps = { ...parsers.apps, ...fileParsers(this.#directory, readsSecrets) }
    const apps = this.#all("apps").map((entry) => this.#named(entry, ofApps))
    for (const app of apps) await this.#checkKeys(app)
    return {
      set,
      groups: this.#all("groups").map((entry) => this.#named(entry, parsers.groups)),
      serviceAccounts: this.#all("service_accounts").map((entry) =>
        this.#named(entry, parsers.service_accounts),
      ),
      apps,
      settings: this.#all("settings").map((entry) => this.#setting(entry)),
      appearance: await Promise.all(
        this.#all("appearance", memberNames.map(appearanceWord)).map((entry) => this.#look(entry)),
      ),
    }
  }

  #all(part: string, known: readonly string[] | null = null): readonly PartEntry[] {
    const { value = null, line: first = 1 } = this.#top.get(part) ?? {}
    const entries = isEmpty(value) ? [] : [...this.entries(value, known, part, first)]
    return entries.map(([key, entry]) => ({
      key,
      ...entry,
      what: `${part}: ${key}`,
      lines: new Map([["value", entry.line]]),
    }))
  }

  #named<P extends Parsers>({ value, ...entry }: PartEntry, of: P) {
    const { what, line } = entry
    const entries = isEmpty(value) ? [] : [...this.entries(value, Object.keys(of), what, line)]
    const members = entries.map(([name, one]) => {
      const json = one.value?.toJS(this.#document, { mapAsMap: true }) as Json | undefined
      return [name, this.#good(of[name]?.(json ?? null, `${what}: ${name}`), one.line)]
    })
    const lines = new Map(entries.map(([name, one]) => [name, one.line]))
    return { ...entry, lines, members: Object.fromEntries(members) as MembersOf<P> }
  }

  async #checkKeys({ key, line, members: { jwks, jwks_file: inFile } }: NamedApp): Promise<void> {
    const problem = await keysProblem(jwks ?? inFile ?? null)
    if (problem !== null) this.say(line, `apps: ${key}: ${problem}`)
  }

  #setting({ value, ...entry }: PartEntry): NamedSetting {
    const typed = value?.toJS(this.#document) as unknown
    if (!["boolean", "number", "string"].includes(typeof typed))
      this.say(entry.line, `${entry.what}: expected a value`)
    // In YAML 1.1, which a chart is, on and off are read as truth values.
    return { ...entry, members: typeof typed === "boolean" ? (typed ? "on" : "off") : String(typed) }
  }

  async #look({ value, ...entry }: PartEntry): Promise<NamedLook> {
    const { key, line, what } = entry
    const members = isEmpty(value) ? null : (this.text({ value, line }, what) ?? null)
    const logo = memberNames.filter(isLogo).find((member) => appearanceWord(member) === key)
    if (logo === undefined || members === null) return { ...entry, members }
    const drawn = await iconIn(resolve(this.#directory, members), logo)
    return { ...entry, members: this.#good(drawn.ok ? drawn : err(`${what}: ${drawn.error}`), line) ?? null }
  }

  #good<T>(result: Result<T, Problem> | undefined, line: number): T | undefined {
    if (result?.ok === false) this.say(line, result.error)
    return result?.ok === true ? result.value : undefined
  }
}

type PartEntry = Entry & {
  readonly key: string
  readonly what: string
  readonly lines: ReadonlyMap<string, number>
}

function fileParsers(directory: string, readsSecrets: boolean): FileParsers {
  const inFile =
    <T>(parse: (text: string, at: string) => Result<T, Problem>): Shape<T>["parse"] =>
    (json, at) => {
      const named = parsers.apps.name(json, at)
      if (!named.ok) return named
      const read = readText(resolve(directory, named.value), KEY_SET_BYTES_AT_MOST)
      return read.ok ? parse(read.value, at) : err(`${at}: ${named.value}: ${read.error}`)
    }
  return {
    // No secret has the digest of an empty text.
    client_secret_file: readsSecrets ? inFile(parseSecret) : () => ok(digest("")),
    jwks_file: inFile((read, at) => parsers.apps.jwks(parseJson(read) ?? null, at)),
  }
}

function parseSecret(read: string, at: string): Result<Hash, Problem> {
  const secret = read.replace(/\r?\n$/, "")
  const problem = chosenSecretProblem(secret)
  return problem === null ? ok(digest(secret)) : err(`${at}: ${problem}`)
}
