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
import { readFileSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { isScalar, type Node } from "yaml"
import { iconIn } from "../../apps/icon/icon-flag.ts"
import { digest } from "../../kernel/hash.ts"
import { parseJson } from "../../kernel/json.ts"
import { KEY_SET_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { isLogo, memberNames } from "../../model/appearance.rules.ts"
import { appSwitches, switchesFrom } from "../../model/clients/app-switches.rules.ts"
import { chosenSecretProblem } from "../../model/clients/chosen-client.rules.ts"
import type { ClientKeys, ClientType } from "../../model/clients/client.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import { keysProblem } from "../../oauth/clients/verification-key.ts"
import { type Entry, isEmpty, parseYaml, YamlReader } from "../../platform/config/yaml-reader.ts"
import {
  type AppearanceValue,
  appearanceWord,
  type FileProblem,
  type NamedApp,
  type NamedValue,
  type SetUp,
} from "./set-up.rules.ts"

export const TOP_KEYS: readonly string[] = [
  "set",
  "groups",
  "service_accounts",
  "apps",
  "settings",
  "appearance",
]
const APP_KEYS = [
  ...[
    "client_id",
    "name",
    "type",
    "redirects",
    "permissions",
    "groups",
    ...appSwitches.map(({ name }) => name),
  ],
  ...["enabled", "owner", "service_account", "client_secret_file", "jwks", "jwks_file", "jwks_uri"],
]
const SET = /^[A-Za-z0-9._-]{1,64}$/

export type ReadSetUp = { readonly setUp: SetUp; readonly problems: readonly FileProblem[] }

/**
 * Reads the text of the file at `path`, and the files that it names. A plan over the API needs no secret, which the check
 * of a pull request does not have: `readsSecrets` is false then.
 */
export async function readSetUp(text: string, path: string, readsSecrets: boolean): Promise<ReadSetUp> {
  const { root, lines, problems } = parseYaml(text)
  const reader = new Reader(lines, dirname(path), readsSecrets)
  const setUp = await reader.finish(reader.setUp(problems.length > 0 ? null : root))
  return { setUp, problems: [...problems, ...reader.problems] }
}

/** Stands in for the digest of a secret that was not read. No secret has it. */
const UNREAD_SECRET = digest("")

/** A member of the appearance whose picture is not drawn yet. */
type Unread = NamedValue<AppearanceValue & { readonly value: string | null }>

class Reader extends YamlReader {
  readonly #directory: string
  readonly #readsSecrets: boolean

  constructor(lines: ConstructorParameters<typeof YamlReader>[0], directory: string, readsSecrets: boolean) {
    super(lines)
    this.#directory = directory
    this.#readsSecrets = readsSecrets
  }

  setUp(root: Node | null) {
    const top = isEmpty(root) ? new Map<string, Entry>() : this.entries(root, TOP_KEYS, "The file")
    const set = this.text(top.get("set"), "set") ?? "default"
    if (!SET.test(set)) this.say(top.get("set")?.line ?? 1, "set: expected 1 to 64 of A-Z a-z 0-9 . _ -")
    const names = new Set<string>()
    return {
      set,
      groups: this.#all(top, "groups").map(([name, entry]) => {
        const what = `groups: ${name}`
        const members = isEmpty(entry.value) ? new Map() : this.entries(entry.value, ["title"], what)
        return { name, line: entry.line, title: this.#nullable(members.get("title"), `${what}: title`) }
      }),
      serviceAccounts: this.#all(top, "service_accounts").map(([name, entry]) => {
        const what = `service_accounts: ${name}`
        if (names.has(usernameKey(name))) this.say(entry.line, `${what}: expected each account only once`)
        names.add(usernameKey(name))
        const members = isEmpty(entry.value)
          ? new Map()
          : this.entries(entry.value, ["owner", "groups"], what)
        const groups = members.get("groups")
        return {
          name,
          line: entry.line,
          owner: this.#nullable(members.get("owner"), `${what}: owner`),
          groups: groups && this.texts(groups, `${what}: groups`),
        }
      }),
      apps: this.#all(top, "apps").map(([key, entry]) => this.#app(key, entry)),
      settings: this.#all(top, "settings").map(([key, { value, line }]) => {
        const typed = isScalar(value) ? value.value : null
        if (typed === null) this.say(line, `settings: ${key}: expected a value`)
        // In YAML 1.1, which a chart is, on and off are read as truth values.
        const isSwitch = typeof typed === "boolean"
        return { key, line, value: isSwitch ? (typed ? "on" : "off") : String(typed ?? "") }
      }),
      appearance: this.#all(top, "appearance").flatMap(([key, entry]) => this.#member(key, entry)),
    }
  }

  #all(top: ReadonlyMap<string, Entry>, part: string): readonly (readonly [string, Entry])[] {
    const entry = top.get(part)
    return entry === undefined || isEmpty(entry.value)
      ? []
      : [...this.entries(entry.value, null, part, entry.line)]
  }

  #app(key: string, { value, line }: Entry): NamedApp {
    const what = `apps: ${key}`
    const entries = this.entries(value, APP_KEYS, what, line)
    const of = (name: string) => [entries.get(name), `${what}: ${name}`] as const
    const list = (name: string) => (entries.has(name) ? this.texts(...of(name)) : undefined)
    const flag = (name: string) => (entries.has(name) ? this.truth(...of(name)) : undefined)
    return {
      key,
      line,
      members: new Map([...entries].map(([name, entry]) => [name, entry.line])),
      clientId: this.text(...of("client_id")),
      type: this.#type(...of("type")),
      update: {
        name: this.text(...of("name")),
        redirectUris: list("redirects"),
        permissions: list("permissions"),
        groups: list("groups"),
        keys: this.#keys(entries, what),
        ...switchesFrom(({ name }) => flag(name)),
      },
      enabled: flag("enabled"),
      secretHash: this.#secret(...of("client_secret_file")),
      owner: this.#nullable(...of("owner")),
      serviceAccount: this.#nullable(...of("service_account")),
    }
  }

  #type(entry: Entry | undefined, what: string): ClientType | undefined {
    const text = this.text(entry, what)
    if (text === undefined || text === "public" || text === "confidential") return text
    this.say(entry?.line ?? 1, `${what}: expected public or confidential`)
    return undefined
  }

  #nullable(entry: Entry | undefined, what: string): string | null | undefined {
    return entry !== undefined && isEmpty(entry.value) ? null : this.text(entry, what)
  }

  #keys(entries: ReadonlyMap<string, Entry>, what: string): ClientKeys | undefined {
    const file = entries.get("jwks_file")
    const inline = entries.get("jwks")
    const read = this.#file(file, `${what}: jwks_file`)
    if (file !== undefined && read === undefined) return undefined
    const text = inline === undefined ? read : JSON.stringify(inline.value)
    const keys = parseClientKeys({
      jwks: text === undefined ? undefined : (parseJson(text) ?? null),
      jwksUri: this.text(entries.get("jwks_uri"), `${what}: jwks_uri`),
    })
    if (keys.ok) return keys.value ?? undefined
    this.say((inline ?? file ?? entries.get("jwks_uri"))?.line ?? 1, `${what}: ${keys.error}`)
    return undefined
  }

  #secret(entry: Entry | undefined, what: string) {
    if (!this.#readsSecrets) return this.text(entry, what) === undefined ? undefined : UNREAD_SECRET
    const secret = this.#file(entry, what)?.replace(/\r?\n$/, "")
    if (secret === undefined || entry === undefined) return undefined
    const problem = chosenSecretProblem(secret)
    if (problem === null) return digest(secret)
    this.say(entry.line, `${what}: ${problem}`)
    return undefined
  }

  /** Reads the file that an entry names. */
  #file(entry: Entry | undefined, what: string): string | undefined {
    const path = this.text(entry, what)
    if (path === undefined || entry === undefined) return undefined
    const at = resolve(this.#directory, path)
    try {
      const facts = statSync(at)
      if (facts.isFile() && facts.size <= KEY_SET_BYTES_AT_MOST) return readFileSync(at, "utf8")
      if (!facts.isFile()) this.say(entry.line, `${what}: ${path}: it is not a file`)
      else this.say(entry.line, `${what}: ${path}: it has more than ${KEY_SET_BYTES_AT_MOST / 1024} KiB`)
    } catch (error) {
      this.say(entry.line, `${what}: ${path}: ${causeOf(error)}`)
    }
    return undefined
  }

  #member(key: string, entry: Entry): readonly Unread[] {
    const known = memberNames.map(appearanceWord)
    const member = memberNames[known.indexOf(key)]
    if (member === undefined) {
      this.say(entry.line, `appearance: "${key}" is not known; expected ${known.join(", ")}`)
      return []
    }
    const value = this.#nullable(entry, `appearance: ${key}`)
    return value === undefined ? [] : [{ key, line: entry.line, value: { member, value } }]
  }

  /** Draws the logos and checks the keys, which takes other processes and libraries. */
  async finish(read: Omit<SetUp, "appearance"> & { readonly appearance: readonly Unread[] }): Promise<SetUp> {
    for (const { key, line, update } of read.apps) {
      const problem = await keysProblem(update.keys ?? null)
      if (problem !== null) this.say(line, `apps: ${key}: ${problem}`)
    }
    const appearance: NamedValue<AppearanceValue>[] = []
    for (const one of read.appearance) {
      const { member, value } = one.value
      if (value === null || !isLogo(member)) appearance.push(one)
      else {
        const logo = await iconIn(resolve(this.#directory, value), member)
        if (logo.ok) appearance.push({ ...one, value: { member, value: logo.value } })
        else this.say(one.line, `appearance: ${one.key}: ${logo.error}`)
      }
    }
    return { ...read, appearance }
  }
}
