/** Reads the imports of the sources, including types, as paths from the root of the project. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"

export const root = join(import.meta.dirname, "../..")

export type Import = { readonly file: string; readonly target: string }

export function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8")
}

export function filesUnder(folder: string, ending: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => posix(relative(root, join(entry.parentPath, entry.name))))
}

/** Returns what a file imports as it is written: names of packages and relative paths. */
export function specifiersOf(source: string): readonly string[] {
  const statement = /^(?:import|export)\s+(?:[\w*{}\s,]+\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"/gm
  return [...source.matchAll(statement)].map((match) => match[1] ?? match[2] ?? "")
}

/** Returns what a file imports when it runs. Types and late imports are left out. */
export function loadedBy(file: string): readonly string[] {
  const statement = /^import\s+(?!type\b)(?:(\{[^}]*\}|[\w*\s]+)\s+from\s+)?"(\.[^"]+)"/gm
  return [...textOf(file).matchAll(statement)]
    .filter(([, names]) => names === undefined || /\{\s*(?!type\b)\w|,\s*(?!type\b)\w|^[^{]/.test(names))
    .map(([, , name = ""]) => posix(join(dirname(file), name)))
}

export function importsOf(file: string): readonly Import[] {
  return specifiersOf(textOf(file))
    .filter((name) => name.startsWith("."))
    .map((name) => ({ file, target: posix(join(dirname(file), name)) }))
}

/** Returns the folder of a file. `src/kernel/time.ts` is in `kernel`, and `src/main.ts` is in `src`. */
export function folderOf(file: string): string {
  const folder = posix(dirname(relative("src", file)))
  return folder === "." ? "src" : folder
}

/** Returns groups of nodes that can reach one another, largest first. */
export function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const reached = new Map([...edges.keys()].map((node) => [node, reachableFrom(edges, node)]))
  const circles = new Map<string, readonly string[]>()
  for (const [node, others] of reached) {
    const circle = [...others].filter((other) => reached.get(other)?.has(node)).toSorted()
    if (circle.length > 1) circles.set(circle.join(), circle)
  }
  return [...circles.values()].toSorted((one, other) => other.length - one.length)
}

function reachableFrom(edges: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of edges.get(node) ?? [])
      if (!seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
  return seen
}

/** Builds a graph from pairs. An edge from a node to itself is left out. */
export function graphOf(
  pairs: Iterable<readonly [string, string]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of pairs) {
    const targets = graph.get(from) ?? new Set()
    if (from !== to) targets.add(to)
    graph.set(from, targets)
  }
  return graph
}

export function posix(path: string): string {
  return path.split(sep).join("/")
}
