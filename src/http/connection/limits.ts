/** Limits of the HTTP server on the memory and time that one client can take. */

/** Timeouts for a whole request and for its head. */
export const REQUEST_TIMEOUT_MS = 30_000
export const HEAD_TIMEOUT_MS = 15_000
/** The interval of the timeout checks. */
export const TIMEOUT_CHECK_MS = 5_000

/** An idle connection is closed after this time. */
export const KEEP_ALIVE_MS = 75_000

/** A connection that transfers nothing during a request is closed after this time. */
export const INACTIVITY_MS = 120_000

/** The maximum number of connections. An idle connection takes about 10 KB and a file descriptor. */
export const CONNECTIONS_AT_MOST = 10_000

/** While the service stops, idle connections are closed at this interval. */
export const CLOSE_IDLE_MS = 50

/** Limits on the part of an unneeded body that is read and discarded before its connection is closed. */
export const DISCARDED_BYTES_AT_MOST = 4 * 1024 * 1024
export const DISCARDING_MS = 5_000

/** The maximum bytes of a body that are held before its endpoint reads it. At this limit, reading stops. */
export const EARLY_BODY_BYTES_AT_MOST = 64 * 1024

/**
 * The maximum bytes of all incomplete bodies in memory. A request above this limit is refused. Small bodies are exempt,
 * so that many large bodies do not block token requests.
 */
export const HELD_BODY_BYTES_AT_MOST = 64 * 1024 * 1024
export const SMALL_BODY_BYTES = 4 * 1024

/**
 * Shorter pieces of a body are counted for each connection. Each piece costs a callback, and 64 KB can hold eleven
 * thousand of them. After 1,000 the connection waits for its turn; one connection continues every 30 ms.
 */
export const SMALL_PIECE_BYTES = 64
export const SMALL_PIECES_A_TURN = 1_000
/**
 * Each request subtracts this many from the count, so that a kept-alive connection does not wait for its earlier
 * requests. A full reset would let requests of 999 pieces pass without a wait.
 */
export const SMALL_PIECES_A_REQUEST = 100
export const TURN_MS = 30

/** The maximum number of requests of a connection that are in flight: their answer is not sent yet. */
export const REQUESTS_IN_FLIGHT = 32

/** A connection begins no further request while it has more unsent bytes of answers than this. */
export const UNSENT_BYTES_AT_MOST = 256 * 1024

/** A connection is closed if its client accepts no byte of its answers in four checks, which is one minute. */
export const STALL_CHECK_MS = 15_000
export const STALLED_CHECKS = 4
