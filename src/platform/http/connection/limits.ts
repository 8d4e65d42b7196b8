/** Limits of the HTTP server on the memory and time that one client can take. */

/** The timeouts for a whole request and for its head. */
export const REQUEST_TIMEOUT_MS = 30_000
export const HEAD_TIMEOUT_MS = 15_000
/** Timeouts are checked at this interval. */
export const TIMEOUT_CHECK_MS = 5_000

/** An idle connection is closed after this time. */
export const KEEP_ALIVE_MS = 75_000

/** A connection that transfers nothing during a request is closed after this time. */
export const INACTIVITY_MS = 120_000

/** The maximum number of connections. An idle connection takes about 17 KB of memory and a file descriptor. */
export const CONNECTIONS_AT_MOST = 10_000

/** While the service stops, idle connections are closed at this interval. */
export const CLOSE_IDLE_MS = 50

/** Before a connection closes, up to this much of an unneeded body is read and discarded. */
export const DISCARDED_BYTES_AT_MOST = 4 * 1024 * 1024
export const DISCARDING_MS = 5_000

/** The maximum number of bytes that are kept before the endpoint reads the body. At this limit, reading stops. */
export const EARLY_BODY_BYTES_AT_MOST = 64 * 1024

/** For all incomplete bodies. Above it a request is refused, but small bodies are exempt, as of token requests. */
export const HELD_BODY_BYTES_AT_MOST = 64 * 1024 * 1024
export const SMALL_BODY_BYTES = 4 * 1024

/**
 * A piece of a body below this size counts as small. Each piece costs a callback, and 64 KB can consist of eleven
 * thousand pieces. After 1,000 small pieces, a connection waits for its turn. One connection continues every 30 ms.
 */
export const SMALL_PIECE_BYTES = 64
export const SMALL_PIECES_A_TURN = 1_000
/**
 * Each request lowers the count by this number, so that a connection does not wait because of its earlier requests. A
 * full reset would let every request send 999 small pieces without waiting.
 */
export const SMALL_PIECES_A_REQUEST = 100
export const TURN_MS = 30

/** The maximum number of requests of a connection whose response is not sent yet. */
export const REQUESTS_IN_FLIGHT = 32

/** A connection with more unsent bytes than this begins no further request. */
export const UNSENT_BYTES_AT_MOST = 256 * 1024

/** A connection is closed if its client accepts no byte of its answers in four checks, which is one minute. */
export const STALL_CHECK_MS = 15_000
export const STALLED_CHECKS = 4
