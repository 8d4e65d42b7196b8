/** The response with the protected-resource metadata. It is public, and any origin may read it. RFC 9728 §3. */
import type { ResourceServer } from "./resource-server.ts"

export type MetadataAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body may be empty. */
  readonly body: string
}

const OPEN = { "access-control-allow-origin": "*" }
const ALLOWED = "GET, HEAD, OPTIONS"

export function metadataAnswer({ metadata }: ResourceServer, method: string): MetadataAnswer {
  switch (method) {
    case "GET":
    case "HEAD":
      return {
        status: 200,
        headers: { ...OPEN, "content-type": "application/json", "cache-control": "max-age=300" },
        body: method === "HEAD" ? "" : JSON.stringify(metadata),
      }
    case "OPTIONS":
      return {
        status: 204,
        headers: {
          ...OPEN,
          "access-control-allow-methods": ALLOWED,
          "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
          "access-control-max-age": "600",
        },
        body: "",
      }
  }
  return { status: 405, headers: { ...OPEN, allow: ALLOWED }, body: "" }
}
