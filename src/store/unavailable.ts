/** Why the database cannot answer. */

/** The database cannot answer now, but the request can be tried again. Endpoints respond with 503 and `Retry-After`. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable"
}

/**
 * Another process has locked the database or one of its tables. Nothing was written, and nothing will be written later.
 */
export class StoreLocked extends StoreUnavailable {}

/** The disk of the database is full. Nothing was written. Reads still work. */
export class StoreFull extends StoreUnavailable {}
