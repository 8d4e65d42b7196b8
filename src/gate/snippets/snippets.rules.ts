import { caddySnippet } from "./caddy.rules.ts"
import { envoySnippet } from "./envoy.rules.ts"
import { gatewayApiSnippet } from "./gateway-api.rules.ts"
import { haproxySnippet } from "./haproxy.rules.ts"
import { nginxSnippet } from "./nginx.rules.ts"
import type { SnippetFile, SnippetOptions } from "./snippet.rules.ts"
import { traefikSnippet } from "./traefik.rules.ts"

export const snippets = {
  nginx: nginxSnippet,
  caddy: caddySnippet,
  traefik: traefikSnippet,
  envoy: envoySnippet,
  haproxy: haproxySnippet,
  "gateway-api": gatewayApiSnippet,
} as const satisfies Readonly<Record<string, (options: SnippetOptions) => readonly SnippetFile[]>>

export type ProxyName = keyof typeof snippets

/** No test runs these proxies. Their configuration is tested against what their documents say. */
const UNTRIED: ReadonlySet<ProxyName> = new Set(["traefik", "gateway-api"])

export function snippetFor(name: ProxyName, options: SnippetOptions): readonly SnippetFile[] {
  const [first, ...others] = snippets[name](options)
  if (first === undefined) return []
  const remark = UNTRIED.has(name)
    ? "# Tested against the documented contract of this proxy, not with the proxy itself.\n"
    : ""
  const head = `# ${options.host}, guarded by the Latchkey gate at ${options.gate}. From: latchkey gate snippet ${name}\n${remark}`
  return [{ ...first, text: head + first.text }, ...others]
}
