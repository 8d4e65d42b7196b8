/** Branded string types. The compiler refuses one kind of id or digest where another kind is expected. */

declare const brand: unique symbol
type Branded<T, B extends string> = T & { readonly [brand]: B }

/** The SHA-256 of a whole secret in base64url without padding, 43 characters. An unhashed secret does not compile. */
export type Hash = Branded<string, "Hash">

/** An identifier (`identifier.ts`), or the URL of a client's document. */
export type ClientId = Branded<string, "ClientId">
/** An identifier, or the id that another service gave the account. */
export type UserId = Branded<string, "UserId">
export type TokenId = Branded<string, "TokenId">
export type GrantId = Branded<string, "GrantId">
export type FactorId = Branded<string, "FactorId">
/** The `kid` of a signing key of this service. */
export type KeyId = Branded<string, "KeyId">
export type MailId = Branded<string, "MailId">
export type InvitationId = Branded<string, "InvitationId">

/** It matched the registration of its client. Only `redirect-uri.rules.ts` creates values of this type. */
export type MatchedRedirectUri = Branded<string, "MatchedRedirectUri">

/** The name of a permission. A stored name may no longer be in the catalog. */
export type Permission = Branded<string, "Permission">
