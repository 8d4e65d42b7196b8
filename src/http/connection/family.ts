/**
 * Who an address is for, which decides the shape of its errors:
 * `page` a browser, `oauth` an app (RFC 6749 §5.2), `api` an app with a credential.
 */
export type Family = "page" | "oauth" | "api"
