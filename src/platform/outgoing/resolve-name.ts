/** Resolves a host name to all its addresses. The module of Node is loaded with the first name. */

/** Rejects or returns no address if the name cannot be resolved. Returns `busy` above the limit of lookups. */
export type ResolveName = (host: string, of: NameOptions) => Promise<readonly string[] | "busy">

export type NameOptions = {
  /** Whether the operator named the host. The hosts file is used only for such a host. */
  readonly isHostNamed: boolean
  /** What the lookup is for. The keys of registered apps and sign-in providers have their own limits. */
  readonly lookups: "registered-keys" | "sign-in" | "other"
  readonly signal: AbortSignal
}

/**
 * A lookup by the operating system cannot be canceled. It occupies one of the few threads that also hash passwords.
 * Only hosts that the operator named are therefore looked up in this way, two at a time. The keys of apps that an
 * administrator registered may use one more, and sign-in providers two. All other names are sent to the name servers.
 * Concurrent lookups of one name share one answer.
 */
export const resolveName: ResolveName = async (host, { isHostNamed, lookups, signal }) => {
  if (!isHostNamed) return byNameServers(host, signal)
  return bySystem(host, limits[lookups])
}

type Lookups = { readonly atMost: number; readonly active: Map<string, Promise<readonly string[]>> }

const limits: Readonly<Record<NameOptions["lookups"], Lookups>> = {
  "registered-keys": { atMost: 1, active: new Map() },
  "sign-in": { atMost: 2, active: new Map() },
  other: { atMost: 2, active: new Map() },
}

async function bySystem(host: string, { atMost, active }: Lookups): Promise<readonly string[] | "busy"> {
  const same = active.get(host)
  if (same !== undefined) return same
  if (active.size >= atMost) return "busy"
  const { lookup } = process.getBuiltinModule("node:dns/promises")
  const found = lookup(host, { all: true })
    .then((addresses) => addresses.map(({ address }) => address))
    .finally(() => active.delete(host))
  active.set(host, found)
  return found
}

async function byNameServers(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const { Resolver } = process.getBuiltinModule("node:dns/promises")
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener("abort", cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  } finally {
    signal.removeEventListener("abort", cancel)
  }
}
