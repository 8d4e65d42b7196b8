/** GET /assets/passkey.js: the only script. Its address holds its digest, so a browser may keep it for good. */
import { passkeyScript } from "./passkey-script.ts"
import { digest } from "../../kernel/hash.ts"
import type { Endpoint } from "../../http/endpoint.ts"

/** The path below the base path, as pages name it. */
export const PASSKEY_SCRIPT = `/assets/passkey.js?v=${digest(passkeyScript).slice(0, 16)}`

export const passkeyScriptFile: Endpoint = (_, __, reply) =>
  reply
    .code(200)
    .header("content-type", "text/javascript; charset=utf-8")
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("cross-origin-resource-policy", "same-origin")
    .send(passkeyScript)
