/**
 * The kind of caller of an endpoint. It decides the form of errors: an HTML page for `page` (browsers), JSON of RFC
 * 6749 §5.2 for `oauth` (apps), JSON of the API for `api` (apps with an access token).
 */
export type Family = "page" | "oauth" | "api"
