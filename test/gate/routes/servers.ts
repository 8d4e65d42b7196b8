import type { Route } from "./routes.ts"

/** How servers read a path. They return null if they refuse it. */
export const SERVERS: Readonly<Record<string, (target: string) => readonly string[] | null>> = {
  strict: (target) => decodedOnce(pathOf(target)),
  "without case or trailing slash": (target) => decodedOnce(pathOf(target).toLowerCase().replace(/\/$/, "")),
  "with case folded after decoding": (target) =>
    decodedOnce(pathOf(target))?.map((segment) => segment.normalize("NFKC").toLowerCase()) ?? null,
  "decoded first, dots resolved, slashes merged": (target) => resolved(decode(pathOf(target))?.split("/")),
  "without parameters": (target) => resolved(decodedOnce(pathOf(target).replace(/;[^/]*/g, ""))),
  "decoded twice": (target) => {
    const once = decode(pathOf(target))
    return resolved(once === null ? undefined : decode(once)?.split("/"))
  },
  "backslash as slash": (target) => resolved(decode(pathOf(target))?.replaceAll("\\", "/").split("/")),
  "as a URL": (target) => resolved(decodedOnce(new URL(`http://x${target}`).pathname)),
  "decoded before its query": (target) => resolved(decode(pathOf(target))?.split("?", 1)[0]?.split("/")),
  "without a format": (target) => withoutFormat(resolved(decodedOnce(pathOf(target))), /\.[^.]*$/),
  "without all formats": (target) => withoutFormat(resolved(decodedOnce(pathOf(target))), /\..*$/),
  "decoded, then read as a URL": (target) => asUrl(decode(pathOf(target))),
  "decoded twice, then read as a URL": (target) => asUrl(decode(decode(pathOf(target)) ?? "%")),
  "decoded before its fragment": (target) => resolved(decode(pathOf(target))?.split("#", 1)[0]?.split("/")),
  "decoded as a form": (target) => resolved(decode(pathOf(target).replaceAll("+", " "))?.split("/")),
  trimmed: (target) => resolved(decodedOnce(pathOf(target))?.map((segment) => segment.trim())),
  "decoded as a form, and trimmed": (target) =>
    resolved(decodedOnce(pathOf(target).replaceAll("+", " "))?.map((segment) => segment.trim())),
  "as names of files on Windows": (target) =>
    resolved(
      decodedOnce(pathOf(target))?.map((one) =>
        one === ".." ? one : one.replace(/[. ]+$/, "").toLowerCase(),
      ),
    ),
  "in upper case": (target) =>
    decodedOnce(pathOf(target))?.map((one) => one.toUpperCase().toLowerCase()) ?? null,
  "without characters that are not shown": (target) =>
    resolved(decodedOnce(pathOf(target))?.map((one) => one.replace(/[\u00ad\u200b]/g, ""))),
  "decoded, cut at ?, # or ;, trimmed and folded": (target) =>
    resolved(
      decode(pathOf(target))
        ?.split(/[?#;]/, 1)[0]
        ?.split("/")
        .map((one) => one.normalize("NFKC").trim().toLowerCase()),
    ),
  "decoded twice, each escape by itself": (target) => resolved(leniently(decode(pathOf(target)))?.split("/")),
  "decoded, cut at ?, and decoded": (target) =>
    resolved(leniently(decode(pathOf(target))?.split("?", 1)[0])?.split("/")),
  "decoded, cut at #, and decoded": (target) =>
    resolved(leniently(decode(pathOf(target))?.split("#", 1)[0])?.split("/")),
  "decoded twice, and cut": (target) =>
    resolved(
      leniently(decode(pathOf(target)))
        ?.split(/[?#]/, 1)[0]
        ?.split("/"),
    ),
  "decoded, split, and each segment decoded where it can be": (target) =>
    resolved(
      decode(pathOf(target))
        ?.split("?", 1)[0]
        ?.split("/")
        .map((one) => decode(one) ?? one),
    ),
  "decoded, made compatible, and decoded": (target) =>
    resolved(leniently(decode(pathOf(target))?.normalize("NFKC"))?.split("/")),
  "decoded, made compatible, cut, and decoded": (target) =>
    resolved(leniently(decode(pathOf(target))?.normalize("NFKC").split("?", 1)[0])?.split("/")),
  "decoded, cut, decoded, made compatible, and cut": (target) =>
    resolved(
      leniently(decode(pathOf(target))?.split("?", 1)[0])
        ?.normalize("NFKC")
        .split(/[?#]/, 1)[0]
        ?.split("/"),
    ),
  "decoded twice, made compatible, and decoded": (target) =>
    resolved(leniently(leniently(decode(pathOf(target)))?.normalize("NFKC"))?.split("/")),
  "decoded by unescape": (target) => {
    const text = decode(pathOf(target))?.replaceAll(/%u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    )
    return resolved(leniently(text)?.split("/"))
  },
  "ended by NUL": (target) => resolved(decode(pathOf(target))?.split("\0", 1)[0]?.split("/")),
}

/** The host of the URL is not the path's. Like most programs, this one resolves dot segments and drops the fragment. */
function asUrl(path: string | null): readonly string[] | null {
  if (path === null || !path.startsWith("/") || !URL.canParse(`http://x${path}`)) return null
  return resolved(decodedOnce(new URL(`http://x${path}`).pathname))
}

function withoutFormat(segments: readonly string[] | null, format: RegExp): readonly string[] | null {
  return segments && [...segments.slice(0, -1), segments.at(-1)?.replace(format, "") ?? ""]
}

function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? ""
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** As Python and PHP do: what is no escape stays as it is. */
function leniently(text: string | null | undefined): string | null {
  return (
    text?.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
      Buffer.from(escapes.replaceAll("%", ""), "hex").toString(),
    ) ?? null
  )
}

function decodedOnce(path: string): readonly string[] | null {
  const segments = path.split("/").map(decode)
  return segments.every((segment) => segment !== null) ? segments : null
}

function resolved(segments: readonly string[] | null | undefined): readonly string[] | null {
  if (segments === null || segments === undefined) return null
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === "..") kept.pop()
    else if (segment !== "." && segment !== "") kept.push(segment)
  }
  return ["", ...kept]
}

/** The route that a server chooses for these segments. The first one is empty. */
export function routeOf(segments: readonly string[] | null, routes: readonly Route[]): string | null {
  if (segments === null) return null
  const [, ...rest] = segments
  const chosen = routes.find(({ text }) => {
    const expected = text.slice(1).split("/")
    const takesRest = text.endsWith("*}")
    if (takesRest ? rest.length < expected.length : rest.length !== expected.length) return false
    return expected.every((part, at) => (part.startsWith("{") ? rest[at] !== "" : part === rest[at]))
  })
  return chosen?.text ?? null
}
