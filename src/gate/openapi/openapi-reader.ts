/** Reads the part of an OpenAPI document that the gate needs, from YAML or JSON. Every problem names its line. */
import { isAlias, isScalar, type Document, type LineCounter, type Node } from "yaml"
import { requirePermission } from "#resource-server/requirement.ts"
import {
  type Entry,
  type FileProblem,
  isEmpty,
  parseYaml,
  shown,
  YamlReader,
} from "../../platform/config/yaml-reader.ts"
import { err, ok, type Result } from "../../kernel/result.ts"
import {
  OPENAPI_METHODS,
  type OpenApiDocument,
  type OpenApiVersion,
  type Operation,
  type PathItem,
  type Security,
  type SecurityRequirement,
  type SecurityScheme,
  type Servers,
} from "./document.rules.ts"

type Entries = ReadonlyMap<string, Entry>

const ITEM_KEYS = ["$ref", "summary", "description", "servers", "parameters"]
const VERSION = /^3\.([01])(?:\.|$)/

export function readOpenApi(text: string): Result<OpenApiDocument, readonly FileProblem[]> {
  const { document, root, lines, problems } = parseYaml(text)
  if (problems.length > 0) return err(problems)
  const reader = new Reader(document, lines)
  const read = reader.document(root)
  return reader.problems.length > 0 ? err(reader.problems) : ok(read)
}

class Reader extends YamlReader {
  readonly #document: Document
  #schemes: ReadonlyMap<string, SecurityScheme> = new Map()

  constructor(document: Document, lines: LineCounter) {
    super(lines)
    this.#document = document
  }

  document(root: Node | null): OpenApiDocument {
    const top = this.#map({ value: root, line: 1 }, "the document")
    const version = this.#version(top)
    const components = this.#optional(top.get("components"), "components")
    this.#schemes = this.#schemesIn(components.get("securitySchemes"))
    if (!top.has("paths")) this.say(1, "expected paths")
    return {
      version,
      servers: this.#servers(top.get("servers")),
      security: this.#security(top.get("security")),
      schemes: this.#schemes,
      paths: [...this.#optional(top.get("paths"), "paths")].flatMap(([path, entry]) =>
        path.startsWith("x-") ? [] : this.#pathItem(path, entry),
      ),
    }
  }

  #version(top: Entries): OpenApiVersion {
    const entry = top.get("openapi")
    // Without quotes, 3.0 is a number.
    const text = isScalar(entry?.value) ? (entry.value.source ?? "") : ""
    const minor = VERSION.exec(text)?.[1]
    if (minor === undefined) this.say(entry?.line ?? 1, "openapi: expected version 3.0 or 3.1")
    return minor === "0" ? "3.0" : "3.1"
  }

  #schemesIn(entry: Entry | undefined): ReadonlyMap<string, SecurityScheme> {
    const entries = this.#optional(entry, "securitySchemes")
    return new Map([...entries].map(([name, one]) => [name, this.#scheme(name, one)]))
  }

  #scheme(name: string, entry: Entry): SecurityScheme {
    const entries = this.#map(entry, `securitySchemes: ${name}`)
    if (entries.has("$ref")) return { type: null, scheme: null }
    const type = this.text(entries.get("type"), `securitySchemes: ${name}: type`)
    const scheme = this.text(entries.get("scheme"), `securitySchemes: ${name}: scheme`)
    if (!entries.has("type")) this.say(entry.line, `securitySchemes: ${name}: expected type`)
    return { type: type ?? "", scheme: scheme?.toLowerCase() ?? null }
  }

  #pathItem(path: string, entry: Entry): PathItem {
    const { line } = entry
    if (!path.startsWith("/")) this.say(line, `paths: "${path}": expected a path that begins with /`)
    const entries = this.#optional(entry, path)
    const operations: Operation[] = []
    for (const [name, one] of entries) {
      const method = OPENAPI_METHODS.find((known) => known.toLowerCase() === name)
      if (method !== undefined) operations.push(this.#operation(method, path, one))
      else if (!ITEM_KEYS.includes(name) && !name.startsWith("x-"))
        this.say(one.line, `${path}: "${name}" is not known`)
    }
    const servers = this.#servers(entries.get("servers"))
    return { path, line, isReference: entries.has("$ref"), servers, operations }
  }

  #operation(method: string, path: string, entry: Entry): Operation {
    const entries = this.#map(entry, `${method} ${path}`)
    const security = this.#security(entries.get("security"))
    return { method, line: entry.line, security, servers: this.#servers(entries.get("servers")) }
  }

  #servers(entry: Entry | undefined): Servers {
    if (entry === undefined) return null
    return this.#list(entry, "servers").map((one) => {
      const url = this.#map(one, "servers").get("url")
      if (isScalar(url?.value) && typeof url.value.value === "string") return url.value.value
      this.say(one.line, "servers: expected url")
      return ""
    })
  }

  #security(entry: Entry | undefined): Security {
    return entry === undefined ? null : this.#list(entry, "security").map((one) => this.#requirement(one))
  }

  #requirement(entry: Entry): SecurityRequirement {
    return [...this.#map(entry, "security")].map(([scheme, scopes]) => {
      if (!this.#schemes.has(scheme))
        this.say(scopes.line, `security: "${scheme}" is not in components: securitySchemes`)
      return { scheme, scopes: this.#list(scopes, `security: ${scheme}`).map((one) => this.#scope(one)) }
    })
  }

  #scope({ value, line }: Entry): string {
    const name = isScalar(value) && typeof value.value === "string" ? value.value : ""
    try {
      requirePermission(name)
    } catch {
      const what = value === null ? "nothing" : shown(value)
      this.say(line, `security: ${what}: expected the name of one permission`)
    }
    return name
  }

  /** Reads a list that must be there. An empty one may mean that everyone has access, so nothing else counts as one. */
  #list(entry: Entry, what: string): readonly Entry[] {
    if (isEmpty(entry.value)) {
      this.say(entry.line, `${what}: expected a list`)
      return []
    }
    return this.items(entry.value, what, "a list").map((item) => ({
      value: this.#followed(item),
      line: this.lineOf(item) ?? entry.line,
    }))
  }

  #optional(entry: Entry | undefined, what: string): Entries {
    return entry === undefined || isEmpty(entry.value) ? new Map() : this.#map(entry, what)
  }

  #map({ value, line }: Entry, what: string): Entries {
    const entries = this.entries(value, null, what, line)
    // A merge key could bring a "security" that the gate would not see.
    if (entries.has("<<")) this.say(line, `${what}: "<<" is not read: YAML 1.2 has no merge keys`)
    if (entries.has("")) this.say(line, `${what}: expected names with values`)
    return new Map(
      [...entries].map(([name, one]) => [name, { value: this.#followed(one.value), line: one.line }]),
    )
  }

  #followed(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.#document) ?? null) : node
  }
}
