/** Types that the same string cannot satisfy by accident. */

declare const brand: unique symbol
type Branded<T, B extends string> = T & { readonly [brand]: B }

/** SHA-256 of a whole secret, base64url without padding (43 characters). A secret is not assignable to it. */
export type Hash = Branded<string, "Hash">

/** Time-ordered identifiers: 26 characters of lower-case Crockford base32, 48 bits of time and 80 random bits. */
export type ClientId = Branded<string, "ClientId">
export type UserId = Branded<string, "UserId">
export type TokenId = Branded<string, "TokenId">
export type GrantId = Branded<string, "GrantId">
export type FactorId = Branded<string, "FactorId">

/** A redirect address that the matching rule accepted for this client. Only `redirect-uri.ts` makes one. */
export type MatchedRedirectUri = Branded<string, "MatchedRedirectUri">

/** A name of the permission catalogue. Only `permission-catalogue.ts` and `scope.ts` make one. */
export type Permission = Branded<string, "Permission">
