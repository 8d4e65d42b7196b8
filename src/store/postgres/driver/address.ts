/** The address of a database. It may hold a password: no message repeats more of it than host and name. */

export type DatabaseAddress = {
  /** As the driver takes it. */
  readonly url: string
  /** `name at host:port`, for people. */
  readonly shown: string
  readonly poolSize: number | null
}

const POOL_SIZE = { least: 2, most: 500 } as const

function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

/** What is wrong with an address, as a sentence; null where nothing is. */
export function addressProblem(text: string): string | null {
  if (!isPostgresUrl(text))
    return "The database URL is not understood: it must begin with postgres://, as in postgres://USER:PASSWORD@HOST/NAME."
  const url = read(text)
  if (url === null)
    return (
      "The database URL is not understood. In a password @ : / ? # and % are written as %40 %3A %2F %3F %23 and %25; a " +
      "socket is postgres:///NAME?host=/run/postgresql&user=USER."
    )
  const size = url.searchParams.get("pool")
  if (size !== null && poolSizeOf(size) === null)
    return `The parameter pool of the database URL is a number from ${POOL_SIZE.least} to ${POOL_SIZE.most}.`
  return null
}

/** Null if an unescaped character splits the password: the rest of it would be shown as the host name. */
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

/** Throws where `addressProblem` has something to say. */
export function parseAddress(text: string): DatabaseAddress {
  const problem = addressProblem(text)
  if (problem !== null) throw new Error(problem)
  const url = new URL(text)
  const size = url.searchParams.get("pool")
  url.searchParams.delete("pool")
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
