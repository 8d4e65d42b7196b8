/** The redirect URIs of apps. The last one is of an origin that no other has, and comes and goes. */
export const REDIRECT_URIS: readonly string[] = [
  "https://app.example/callback",
  "http://127.0.0.1:4711/callback",
  "https://app.example/other",
  "https://other.example/callback",
]

/** The origin of a web app of its own. Null for a loopback address. */
export function originOf(redirectUri: string): string | null {
  const { protocol, origin } = new URL(redirectUri)
  return protocol === "https:" ? origin : null
}
