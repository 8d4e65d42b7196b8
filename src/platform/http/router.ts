/** Finds the route of a path. Paths are compared exactly. `:name` matches one segment, and `*` matches the rest. */
export type Found<T> = { readonly place: T; readonly params: Readonly<Record<string, string>> | null }

type Pattern<T> = { readonly segments: readonly string[]; readonly found: Found<T> }

export class Router<T> {
  readonly #exact = new Map<string, Found<T>>()
  /** The paths with parameters. The paths with a `*` come last. */
  readonly #patterns: Pattern<T>[] = []
  #depth = 0

  add(path: string, place: T): void {
    const found = { place, params: null }
    this.#depth = Math.max(this.#depth, path.split("/").length)
    if (!/[:*]/.test(path)) return void this.#exact.set(path, found)
    this.#patterns.push({ segments: path.split("/"), found })
    this.#patterns.sort((a, b) => Number(a.segments.includes("*")) - Number(b.segments.includes("*")))
  }

  /** Takes a path with or without a query. Returns null for an unknown path and undefined for a malformed one. */
  find(url: string): Found<T> | null | undefined {
    const known = this.#exact.get(url)
    if (known !== undefined) return known
    // A target has no fragment (RFC 9112 §3.2). With a fragment, a proxy could see another path than this service.
    if (url.includes("#")) return undefined
    const path = pathOf(url)
    const isEscaped = path.includes("%")
    if (isEscaped && !isDecodable(path)) return undefined
    const plain = this.#exact.get(path)
    if (plain !== undefined) return plain
    // A path may contain thousands of segments. The split stops after one segment more than any route has.
    const written = path.split("/", this.#depth + 1)
    if (!isEscaped) return this.#match(written)
    const segments = written.map((segment) => decodeURIComponent(segment))
    // A decoded slash belongs to its segment. No exact path contains such a slash.
    const isPath = segments.length <= this.#depth && !segments.some((segment) => segment.includes("/"))
    const exact = isPath ? this.#exact.get(segments.join("/")) : undefined
    return exact ?? this.#match(segments)
  }

  #match(segments: readonly string[]): Found<T> | null {
    for (const { segments: wanted, found } of this.#patterns) {
      const params = paramsOf(wanted, segments)
      if (params !== null) return { place: found.place, params }
    }
    return null
  }
}

function pathOf(url: string): string {
  const end = url.indexOf("?")
  return end < 0 ? url : url.slice(0, end)
}

/** Whether all percent escapes are valid. No escape contains a slash, so each segment can then be decoded too. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function paramsOf(
  wanted: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  const params = Object.create(null) as Record<string, string>
  for (const [at, want] of wanted.entries()) {
    const segment = segments[at]
    if (want === "*") return segment === undefined ? null : params
    if (segment === undefined) return null
    if (!want.startsWith(":")) {
      if (segment !== want) return null
    } else {
      if (segment === "") return null
      params[want.slice(1)] = segment
    }
  }
  return wanted.length === segments.length ? params : null
}
