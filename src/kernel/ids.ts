/** Branded string types: the compiler rejects one kind of id or digest in place of another. */

declare const brand: unique symbol
type Branded<T, B extends string> = T & { readonly [brand]: B }

/**
 * SHA-256 of a whole secret, base64url without padding (43 characters). The compiler rejects an unhashed secret here.
 */
export type Hash = Branded<string, "Hash">

/** An identifier (`identifier.ts`), or the URL of a client's document. */
export type ClientId = Branded<string, "ClientId">
export type UserId = Branded<string, "UserId">
export type TokenId = Branded<string, "TokenId">
export type GrantId = Branded<string, "GrantId">
export type FactorId = Branded<string, "FactorId">

/** A redirect URI that matched the registration of its client. Only `redirect-uri.rules.ts` makes this type. */
export type MatchedRedirectUri = Branded<string, "MatchedRedirectUri">

/** A permission name. A stored name may have left the catalogue since. */
export type Permission = Branded<string, "Permission">
