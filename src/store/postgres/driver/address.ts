/** Parses a database URL. The URL may contain a password, so messages contain only host, port and database name. */

export type DatabaseAddress = {
  readonly url: string
  /** `name at host:port`, as messages show it. */
  readonly shown: string
  readonly poolSize: number | null
}

const POOL_SIZE = { least: 2, most: 500 } as const

function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

const LIKE_VERIFY_FULL: ReadonlySet<string> = new Set(["prefer", "require", "verify-ca"])

const DATABASE_URL = "The database URL"

/** Returns the problem of a URL as a sentence that begins with its source. Returns null if the URL is valid. */
export function addressProblem(text: string, source = DATABASE_URL): string | null {
  if (!isPostgresUrl(text))
    return `${source} is not understood: it must begin with postgres://, as in postgres://USER:PASSWORD@HOST/NAME.`
  const url = read(text)
  if (url === null)
    return (
      `${source} is not understood. In a password @ : / ? # and % are written as %40 %3A %2F %3F %23 and %25; a ` +
      "socket is postgres:///NAME?host=/run/postgresql&user=USER."
    )
  const size = url.searchParams.get("pool")
  if (size !== null && poolSizeOf(size) === null)
    return `The parameter pool of ${source === DATABASE_URL ? "the database URL" : source} must be a number from ${POOL_SIZE.least} to ${POOL_SIZE.most}.`
  return null
}

/**
 * Parses the text. Returns null if an unescaped character splits the password, because part of it would look like the
 * host name.
 */
function read(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || text.includes("#") || `${url.pathname}${url.search}`.includes("@")) return null
  try {
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part)
  } catch {
    return null
  }
  return url
}

/** Parses a URL. If it is not valid, throws an error with the text of `addressProblem`. */
export function parseAddress(text: string): DatabaseAddress {
  const problem = addressProblem(text)
  if (problem !== null) throw new Error(problem)
  const url = new URL(text)
  const size = url.searchParams.get("pool")
  url.searchParams.delete("pool")
  // The driver treats these as verify-full, and prints a warning of its own.
  if (LIKE_VERIFY_FULL.has(url.searchParams.get("sslmode") ?? ""))
    url.searchParams.set("sslmode", "verify-full")
  const host = url.searchParams.get("host") ?? (url.hostname === "" ? "localhost" : url.hostname)
  const port = url.searchParams.get("port") ?? (url.port === "" ? "5432" : url.port)
  const name = decodeURIComponent(url.pathname.slice(1))
  return {
    url: url.href,
    shown: `${name === "" ? "the database" : name} at ${host}:${port}`,
    poolSize: size === null ? null : poolSizeOf(size),
  }
}

export function poolSizeOf(text: string): number | null {
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return size >= POOL_SIZE.least && size <= POOL_SIZE.most ? size : null
}
