/** The port is ignored: proxies choose a site by its name alone, and a client can send any port. */

const HOST = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Returns the name in lower case without the port, or null for any other text. */
export function hostName(text: string): string | null {
  return HOST.exec(text)?.[1]?.toLowerCase() ?? null
}
