/** GET /assets/passkey.js: the only script. Its URL contains its digest, so browsers may cache it forever. */
import { passkeyScript } from "./passkey-script.ts"
import { digest } from "../../kernel/hash.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

/** The URL of the script, relative to the base path. */
export const PASSKEY_SCRIPT = `/assets/passkey.js?v=${digest(passkeyScript).slice(0, 16)}`

export const passkeyScriptFile: Endpoint = (_, __, reply) =>
  reply
    .code(200)
    .header("content-type", "text/javascript; charset=utf-8")
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("cross-origin-resource-policy", "same-origin")
    .send(passkeyScript)
