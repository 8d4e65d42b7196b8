/**
 * Reads the part `resource_servers` of the configuration file. Interface RES-1, JWT-1.
 *
 * - { resource: https://api.example/, name: API, tokens: jwt, algorithm: ES256, seconds: 300 }
 */
import type { Node } from "yaml"
import { isResource, resourceKey } from "../../kernel/resource.ts"
import { JWT_SECONDS } from "../../kernel/limits.ts"
import type { ResourceServer } from "../../model/known-resources.rules.ts"
import { SIGNATURE_ALGORITHMS } from "../../model/signing-key.rules.ts"
import { type Entry, isEmpty, type YamlReader } from "./yaml-reader.ts"

const KEYS = ["resource", "name", "tokens", "algorithm", "seconds"]
const WHAT = "resource_servers"

/** Returns the resource servers by their `resource`. Returns null without a list. */
export function readResourceServers(
  file: YamlReader,
  node: Node | null | undefined,
): ReadonlyMap<string, ResourceServer> | null {
  if (isEmpty(node)) return null
  const keys = new Set<string>()
  const servers = file.items(node, WHAT, "a list").flatMap((item) => {
    const entries = file.entries(item, KEYS, WHAT)
    const name = file.localText(entries.get("name"), `${WHAT}: name`)
    const jwt = jwtOf(file, entries)
    const entry = entries.get("resource")
    const resource = file.text(entry, `${WHAT}: resource`) ?? ""
    const key = resourceKey(resource)
    if (isResource(resource) && !keys.has(key)) {
      keys.add(key)
      return [[resource, { name: name ?? resource, jwt }] as const]
    }
    const expected = keys.has(key) ? "each resource only once" : "an absolute URL without a fragment"
    file.say(entry?.line ?? file.lineOf(item) ?? 1, `${WHAT}: resource: expected ${expected}`)
    return []
  })
  return new Map(servers)
}

/** Algorithm and lifetime belong to JWTs alone, so that neither is set without effect. */
function jwtOf(file: YamlReader, entries: ReadonlyMap<string, Entry>): ResourceServer["jwt"] {
  const tokens = file.choice(entries.get("tokens"), `${WHAT}: tokens`, ["opaque", "jwt"] as const)
  const algorithm = file.choice(entries.get("algorithm"), `${WHAT}: algorithm`, SIGNATURE_ALGORITHMS)
  const seconds = file.number(entries.get("seconds"), `${WHAT}: seconds`, JWT_SECONDS)
  if (tokens === "jwt") return { algorithm: algorithm ?? "RS256", seconds }
  for (const name of ["algorithm", "seconds"]) {
    const entry = entries.get(name)
    if (entry !== undefined) file.say(entry.line, `${WHAT}: ${name}: expected only with tokens: jwt`)
  }
  return null
}
