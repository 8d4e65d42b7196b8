/** Parses the file of the gate. Every problem names its line. */
import { isScalar, type LineCounter, type Node } from "yaml"
import { addressOf } from "#resource-server/resource.ts"
import { requirePermission } from "#resource-server/requirement.ts"
import {
  type Entry,
  type FileName,
  type FileProblem,
  isEmpty,
  parseYaml,
  shown,
  YamlReader,
} from "../../platform/config/yaml-reader.ts"
import type { GateRoute } from "../routes/route.rules.ts"
import { hostName } from "../routes/host.rules.ts"
import { PATH_FEATURES, type PathFeature } from "../routes/path.rules.ts"
import { readTemplate, type Template } from "../routes/template.rules.ts"

export type HostEntry = {
  readonly name: string
  readonly resource: string
  readonly requireAudience: boolean
  readonly line: number
  readonly routes: readonly GateRoute[]
  readonly openapi: FileName | null
}

export const ALGORITHMS = ["EdDSA", "RS256"] as const
export type Algorithm = (typeof ALGORITHMS)[number]

export type AssertionEntry = {
  readonly issuer: string
  readonly keys: FileName
  readonly algorithm: Algorithm
  readonly rotateDays: number
}

export type GateFile = {
  readonly service: string
  readonly clientId: string
  readonly clientSecretFile: FileName
  readonly trusted: readonly string[]
  readonly sharedSecretFile: FileName | null
  readonly hosts: readonly HostEntry[]
  readonly assertion: AssertionEntry | null
}

type Entries = ReadonlyMap<string, Entry>

export type ReadGateFile =
  { readonly file: GateFile } | { readonly file: null; readonly problems: readonly FileProblem[] }

const TOP_KEYS = ["service", "client_id", "client_secret_file", "proxies", "hosts", "assertion"]
const PROXY_KEYS = ["trusted", "shared_secret_file"]
const HOST_KEYS = ["host", "resource", "require_audience", "routes", "openapi"]
const ROUTE_KEYS = ["methods", "path", "permission", "public", "elevation", "paths"]
const ASSERTION_KEYS = ["issuer", "keys", "algorithm", "rotate_days"]

const METHOD = /^[A-Z][A-Z-]*$/
const ROTATE_DAYS = { least: 1, most: 3650, usual: 30 }

/** `path` is for the sources of routes. */
export function readGateFile(text: string, path: string): ReadGateFile {
  const { root, lines, problems } = parseYaml(text)
  if (problems.length > 0) return { file: null, problems }
  const reader = new Reader(lines, path)
  const file = reader.gate(root)
  return reader.problems.length > 0 ? { file: null, problems: reader.problems } : { file }
}

class Reader extends YamlReader {
  readonly #path: string

  constructor(lines: LineCounter, path: string) {
    super(lines)
    this.#path = path
  }

  gate(root: Node | null): GateFile {
    const top = this.entries(root, TOP_KEYS, "The file")
    const proxies = this.#optional(top.get("proxies"), PROXY_KEYS, "proxies")
    const file = {
      service: this.#url(this.#required(top, "service", "", 1), "service"),
      clientId: this.text(this.#required(top, "client_id", "", 1), "client_id") ?? "",
      clientSecretFile: this.#requiredFile(top, "client_secret_file", "", 1),
      trusted: this.ranges(proxies.get("trusted")?.value, "proxies: trusted"),
      sharedSecretFile: this.file(proxies.get("shared_secret_file"), "proxies: shared_secret_file"),
      hosts: this.#hosts(this.#required(top, "hosts", "", 1)),
      assertion: this.#assertion(top.get("assertion")),
    }
    if (file.trusted.length === 0 && file.sharedSecretFile === null)
      this.say(top.get("proxies")?.line ?? 1, "proxies: expected trusted, shared_secret_file or both")
    return file
  }

  #hosts(entry: Entry | undefined): readonly HostEntry[] {
    const items = this.items(entry?.value, "hosts", "a list")
    if (entry !== undefined && items.length === 0) this.say(entry.line, "hosts: expected at least one host")
    const names = new Set<string>()
    return items.map((item) => {
      const host = this.#host(item)
      if (names.has(host.name)) this.say(host.line, `hosts: ${host.name} is listed twice`)
      names.add(host.name)
      return host
    })
  }

  #host(item: Node): HostEntry {
    const line = this.lineOf(item) ?? 1
    const entries = this.entries(item, HOST_KEYS, "hosts")
    const openapi = this.file(entries.get("openapi"), "hosts: openapi")
    const routes = this.items(entries.get("routes")?.value, "hosts: routes", "a list")
    if (routes.length === 0 && openapi === null) this.say(line, "hosts: expected routes, openapi or both")
    return {
      name: this.#hostName(this.#required(entries, "host", "hosts: ", line)),
      resource: this.#url(this.#required(entries, "resource", "hosts: ", line), "hosts: resource"),
      requireAudience: this.truth(entries.get("require_audience"), "hosts: require_audience"),
      line,
      routes: routes.flatMap((route) => this.#route(route) ?? []),
      openapi,
    }
  }

  #hostName(entry: Entry | undefined): string {
    const text = this.text(entry, "hosts: host")
    if (entry === undefined || text === undefined) return ""
    const name = hostName(text)
    if (name !== null && name === text.toLowerCase()) return name
    this.say(entry.line, `hosts: host: "${text}": expected a host name without a port`)
    return ""
  }

  #route(item: Node): GateRoute | null {
    const line = this.lineOf(item) ?? 1
    const entries = this.entries(item, ROUTE_KEYS, "routes")
    const template = this.#template(this.#required(entries, "path", "routes: ", line))
    const permission = this.#permission(entries.get("permission"))
    const isPublic = this.truth(entries.get("public"), "routes: public")
    const elevation = this.truth(entries.get("elevation"), "routes: elevation")
    if (isPublic && (permission !== undefined || elevation))
      this.say(line, "routes: a public route needs no permission and no elevation")
    if (!isPublic && permission === undefined && !elevation && !entries.has("permission"))
      this.say(line, "routes: expected permission, public: true or elevation: true")
    const route = {
      source: { file: this.#path, line },
      methods: this.#methods(this.#required(entries, "methods", "routes: ", line), line),
      isPublic,
      permissions: permission === undefined ? [] : [permission],
      elevation,
      allow: this.#allowed(entries.get("paths")),
      closed: null,
    }
    return template === null ? null : { ...route, template }
  }

  #methods(entry: Entry | undefined, line: number): readonly string[] {
    const items = this.items(entry?.value, "routes: methods", "a list of methods, such as [GET]")
    if (entry !== undefined && items.length === 0) this.say(line, "routes: methods: expected at least one")
    return items.flatMap((item) => {
      const value = isScalar(item) ? item.value : null
      if (typeof value === "string" && METHOD.test(value)) return value
      this.problem(item, `routes: methods: ${shown(item)}: expected a method in capitals, such as GET`)
      return []
    })
  }

  #template(entry: Entry | undefined): Template | null {
    const text = this.text(entry, "routes: path")
    if (entry === undefined || text === undefined) return null
    const read = readTemplate(text)
    if (!("problem" in read)) return read
    this.say(entry.line, `routes: path: "${text}": ${read.problem}`)
    return null
  }

  #permission(entry: Entry | undefined): string | undefined {
    const name = this.text(entry, "routes: permission")
    if (entry === undefined || name === undefined) return undefined
    try {
      requirePermission(name)
    } catch {
      this.say(entry.line, `routes: permission: "${name}": expected the name of one permission`)
    }
    return name
  }

  #allowed(entry: Entry | undefined): readonly PathFeature[] {
    const entries = this.#optional(entry, ["allow"], "routes: paths")
    const expected = `a list of ${PATH_FEATURES.join(", ")}`
    return this.items(entries.get("allow")?.value, "routes: paths: allow", expected).flatMap((item) => {
      const value = isScalar(item) ? item.value : null
      const feature = PATH_FEATURES.find((one) => one === value)
      if (feature === undefined)
        this.problem(item, `routes: paths: allow: ${shown(item)}: expected ${expected}`)
      return feature ?? []
    })
  }

  #assertion(entry: Entry | undefined): AssertionEntry | null {
    if (entry === undefined || isEmpty(entry.value)) return null
    const { line } = entry
    const entries = this.entries(entry.value, ASSERTION_KEYS, "assertion", line)
    const keys = this.#requiredFile(entries, "keys", "assertion: ", line)
    return {
      issuer: this.#url(this.#required(entries, "issuer", "assertion: ", line), "assertion: issuer"),
      keys,
      algorithm: this.choice(entries.get("algorithm"), "assertion: algorithm", ALGORITHMS) ?? ALGORITHMS[0],
      rotateDays: this.number(entries.get("rotate_days"), "assertion: rotate_days", ROTATE_DAYS),
    }
  }

  /** Reads an absolute https URL. On loopback, http is allowed. */
  #url(entry: Entry | undefined, what: string): string {
    const text = this.text(entry, what)
    if (entry === undefined || text === undefined) return ""
    try {
      addressOf(text, what)
    } catch (error) {
      this.say(entry.line, (error as Error).message)
    }
    return text
  }

  #requiredFile(entries: Entries, name: string, within: string, line: number): FileName {
    return this.file(this.#required(entries, name, within, line), within + name) ?? { path: "", line }
  }

  #required(entries: Entries, name: string, within: string, line: number): Entry | undefined {
    const entry = entries.get(name)
    if (entry === undefined) this.say(line, `${within}expected ${name}`)
    return entry
  }

  #optional(entry: Entry | undefined, known: readonly string[], what: string): Entries {
    if (entry === undefined || isEmpty(entry.value)) return new Map()
    return this.entries(entry.value, known, what, entry.line)
  }
}
