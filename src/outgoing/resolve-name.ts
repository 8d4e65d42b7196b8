/** Resolves a host name to all its addresses. */
import { lookup, Resolver } from "node:dns/promises"

/**
 * Resolves a name. Rejects or returns no address if the name cannot be resolved. Returns `busy` if too many lookups are
 * active.
 */
export type ResolveName = (host: string, of: NameOptions) => Promise<readonly string[] | "busy">

export type NameOptions = {
  /** Whether the operator named the host. The hosts file is used only for such a host. */
  readonly isHostNamed: boolean
  /**
   * Whether the lookup is for the keys of an app that an administrator registered. Such lookups have their own limit.
   */
  readonly isForRegisteredKeys: boolean
  readonly signal: AbortSignal
}

/**
 * A lookup by the operating system cannot be canceled. It occupies one of the few threads that also hash passwords.
 * Only hosts that the operator named are therefore looked up in this way, two at a time. The keys of apps that an
 * administrator registered may use one more. All other names are sent to the name servers.
 */
export const resolveName: ResolveName = async (host, { isHostNamed, isForRegisteredKeys, signal }) => {
  if (!isHostNamed) return byNameServers(host, signal)
  return bySystem(host, isForRegisteredKeys ? registeredKeyLookups : otherLookups)
}

const registeredKeyLookups = { active: 0, atMost: 1 }
const otherLookups = { active: 0, atMost: 2 }

async function bySystem(host: string, lookups: typeof otherLookups): Promise<readonly string[] | "busy"> {
  if (lookups.active >= lookups.atMost) return "busy"
  lookups.active += 1
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } finally {
    lookups.active -= 1
  }
}

async function byNameServers(host: string, signal: AbortSignal): Promise<readonly string[]> {
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
