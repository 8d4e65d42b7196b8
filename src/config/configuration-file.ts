/**
 * Parses the configuration file, which is YAML and is read once at the start. Every problem names its line and the
 * expected value.
 *
 * trusted_proxies: [10.0.0.0/8]
 * outgoing: { allowed_ranges: [10.0.0.0/8], ca_file: internal-ca.pem }
 * resource_servers: [{ resource: https://files.example/, name: Files }]
 * permissions: { files:read: { title: Read your files, implies: [worker:read], hub_administration: false } }
 */
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from "yaml"
import { ADDRESS_RANGE_EXPECTED, parseAddressRange } from "./address-range.ts"
import type { PermissionDefinition } from "../permissions/permission-catalogue.rules.ts"
import { isResource } from "../kernel/resource.ts"
import { didYouMean } from "../kernel/suggest.ts"

/** A permission from the file. `line` is the line of its name. */
export type AddedPermission = {
  readonly name: string
  readonly line: number
  readonly definition: PermissionDefinition
}

/** Additional address ranges and certificate authorities for outgoing requests, for the operator's own hosts. */
export type OutgoingEntry = {
  readonly allowedRanges: readonly string[]
  readonly caFile: { readonly path: string; readonly line: number } | null
}

export type FileProblem = { readonly line: number; readonly problem: string }

export type ConfigurationFile = {
  readonly trustedProxies: readonly string[]
  readonly outgoing: OutgoingEntry
  /**
   * The `resource` values (RFC 8707) that clients may name, each with its name for people. It is null if the file has no
   * such list.
   */
  readonly resourceServers: ReadonlyMap<string, string> | null
  readonly permissions: readonly AddedPermission[]
  readonly problems: readonly FileProblem[]
}

const TOP_KEYS = ["trusted_proxies", "outgoing", "resource_servers", "permissions"]
const RESOURCE_SERVER_KEYS = ["resource", "name"]
const OUTGOING_KEYS = ["allowed_ranges", "ca_file"]
const PERMISSION_KEYS = ["title", "description", "implies", "hub_administration", "group"]

/** Parses the file. If it has problems, the result may be incomplete. */
export function readConfigurationFile(text: string): ConfigurationFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" })
  const syntax = document.errors.map(({ message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    problem: message.split("\n")[0] ?? message,
  }))
  const file = new Reader(lines)
  const nothing = {
    trustedProxies: [],
    outgoing: { allowedRanges: [], caFile: null },
    resourceServers: null,
    permissions: [],
  }
  if (syntax.length > 0) return { ...nothing, problems: syntax }
  const top = file.entries(document.contents, TOP_KEYS, "The file")
  const read = {
    trustedProxies: file.ranges(top.get("trusted_proxies")?.value, "trusted_proxies"),
    outgoing: file.outgoing(top.get("outgoing")?.value),
    resourceServers: file.resourceServers(top.get("resource_servers")?.value),
    permissions: file.permissions(top.get("permissions")?.value),
  }
  return { ...read, problems: file.problems }
}

type Entry = { readonly value: Node | null; readonly line: number }

/** Reads YAML nodes and collects the problems in them. */
class Reader {
  readonly problems: FileProblem[] = []
  readonly #lines: LineCounter

  constructor(lines: LineCounter) {
    this.#lines = lines
  }

  ranges(node: Node | null | undefined, what: string): readonly string[] {
    return this.#items(node, what, "a list of address ranges").flatMap((item) => {
      const range = isScalar(item) && typeof item.value === "string" ? parseAddressRange(item.value) : null
      if (range === null) this.#problem(item, `${what}: ${shown(item)}: ${ADDRESS_RANGE_EXPECTED}`)
      return range ?? []
    })
  }

  outgoing(node: Node | null | undefined): OutgoingEntry {
    if (isEmpty(node)) return { allowedRanges: [], caFile: null }
    const entries = this.entries(node, OUTGOING_KEYS, "outgoing")
    const caFile = entries.get("ca_file")
    const path = this.#text(caFile, "outgoing: ca_file")
    return {
      allowedRanges: this.ranges(entries.get("allowed_ranges")?.value, "outgoing: allowed_ranges"),
      caFile: path === undefined || caFile === undefined ? null : { path, line: caFile.line },
    }
  }

  resourceServers(node: Node | null | undefined): ReadonlyMap<string, string> | null {
    if (isEmpty(node)) return null
    const named = this.#items(node, "resource_servers", "a list").flatMap((item) => {
      const entries = this.entries(item, RESOURCE_SERVER_KEYS, "resource_servers")
      const name = this.#text(entries.get("name"), "resource_servers: name")
      const entry = entries.get("resource")
      const resource = this.#text(entry, "resource_servers: resource") ?? ""
      if (isResource(resource)) return [[resource, name ?? resource] as const]
      const problem = "resource_servers: resource: expected an absolute URL without a fragment"
      this.problems.push({ line: entry?.line ?? this.#lineOf(item) ?? 1, problem })
      return []
    })
    return new Map(named)
  }

  permissions(node: Node | null | undefined): readonly AddedPermission[] {
    if (isEmpty(node)) return []
    const entries = this.entries(node, null, "permissions")
    return [...entries].map(([name, entry]) => this.#permission(name, entry))
  }

  #permission(name: string, { value, line }: Entry): AddedPermission {
    const facts = this.entries(value, PERMISSION_KEYS, name, line)
    const implies = this.#items(facts.get("implies")?.value, `${name}: implies`, "a list of permission names")
    const title = facts.get("title")
    if (title === undefined) this.problems.push({ line, problem: `${name}: expected a title` })
    const definition = {
      title: this.#text(title, `${name}: title`) ?? "",
      description: this.#text(facts.get("description"), `${name}: description`),
      group: this.#text(facts.get("group"), `${name}: group`),
      implies: implies.flatMap((item) => this.#name(item, name)),
      hub_administration: this.#truth(facts.get("hub_administration"), `${name}: hub_administration`),
    }
    return { name, line, definition }
  }

  #name(item: Node, name: string): string | readonly [] {
    if (isScalar(item) && typeof item.value === "string") return item.value
    this.#problem(item, `${name}: implies: ${shown(item)}: expected a permission name`)
    return []
  }

  #text(entry: Entry | undefined, what: string): string | undefined {
    if (entry === undefined) return undefined
    const value = isScalar(entry.value) ? entry.value.value : undefined
    if (typeof value === "string" && value.trim() !== "") return value.trim()
    this.problems.push({ line: entry.line, problem: `${what}: expected a text` })
    return undefined
  }

  #truth(entry: Entry | undefined, what: string): boolean {
    if (entry === undefined) return false
    const value = isScalar(entry.value) ? entry.value.value : undefined
    if (typeof value === "boolean") return value
    this.problems.push({ line: entry.line, problem: `${what}: expected true or false` })
    return false
  }

  #items(node: Node | null | undefined, what: string, expected: string): readonly Node[] {
    if (isEmpty(node)) return []
    if (isSeq<Node>(node)) return node.items
    this.#problem(node, `${what}: expected ${expected}`)
    return []
  }

  /** Returns the entries of a map by name. `known` lists the allowed names. Null allows every name. */
  entries(
    node: Node | null | undefined,
    known: readonly string[] | null,
    what: string,
    line = 1,
  ): ReadonlyMap<string, Entry> {
    if (isEmpty(node) && known === TOP_KEYS) return new Map()
    if (!isMap(node)) {
      this.problems.push({ line: this.#lineOf(node) ?? line, problem: `${what}: expected names with values` })
      return new Map()
    }
    return new Map(
      (node as YAMLMap<Node, Node | null>).items.flatMap((pair) => this.#entry(pair, known, what)),
    )
  }

  #entry(
    { key, value }: Pair<Node, Node | null>,
    known: readonly string[] | null,
    what: string,
  ): readonly (readonly [string, Entry])[] {
    const name = isScalar(key) ? String(key.value) : ""
    const line = this.#lineOf(key) ?? 1
    if (known === null || known.includes(name)) return [[name, { value, line }]]
    const expected = `expected ${known.join(", ")}.${didYouMean(name, known)}`
    this.problems.push({ line, problem: `${what}: "${name}" is not known; ${expected}` })
    return []
  }

  #problem(node: Node | null | undefined, problem: string): void {
    this.problems.push({ line: this.#lineOf(node) ?? 1, problem })
  }

  #lineOf(node: Node | null | undefined): number | null {
    const start = node?.range?.[0]
    return start === undefined ? null : this.#lines.linePos(start).line
  }
}

function isEmpty(node: Node | null | undefined): node is null | undefined {
  return node === null || node === undefined || (isScalar(node) && node.value === null)
}

function shown(node: Node): string {
  return isScalar(node) ? JSON.stringify(node.value) : "this"
}
