/** What everyone may read. A proxy passes the path of the metadata on with the client's Host header. */
import type { ResourceServer } from "#resource-server/resource-server.ts"
import { type MetadataAnswer, metadataAnswer } from "#resource-server/metadata-answer.ts"
import { hostName } from "./routes/host.rules.ts"

export const HEALTH_PATH = "/health"
export const KEYS_PATH = "/.well-known/jwks.json"

export type Published = (method: string, path: string, host: string) => MetadataAnswer

type PublishedOptions = {
  readonly kits: readonly { readonly name: string; readonly kit: ResourceServer }[]
  /** Returns the public keys as JSON, or null without an assertion. */
  readonly keys: () => string | null
  readonly isLive: () => boolean
}

export function publishedBy({ kits, keys, isLive }: PublishedOptions): Published {
  const metadata = new Map(
    kits.flatMap(({ name, kit }) => {
      const hosts = new Set([name, new URL(kit.metadataUrl).hostname])
      return [...hosts].map((host) => [host + kit.metadataPath, kit] as const)
    }),
  )
  return (method, path, host) => {
    if (path === HEALTH_PATH) return json(method, "no-store", JSON.stringify({ live: isLive() }))
    if (path === KEYS_PATH) {
      const text = keys()
      return text === null ? NOT_FOUND : json(method, "max-age=300", text)
    }
    const kit = metadata.get((hostName(host) ?? "") + path)
    return kit === undefined ? NOT_FOUND : metadataAnswer(kit, method)
  }
}

const NOT_FOUND: MetadataAnswer = {
  status: 404,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify({ error: { code: 404, status: "NOT_FOUND", message: "There is nothing here." } }),
}

function json(method: string, caching: string, text: string): MetadataAnswer {
  if (method !== "GET" && method !== "HEAD") return { status: 405, headers: { allow: "GET, HEAD" }, body: "" }
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": caching },
    body: method === "HEAD" ? "" : text,
  }
}
