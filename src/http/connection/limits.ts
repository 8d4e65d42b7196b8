/** Bounds of the HTTP server. What one client can make it hold or wait for is bounded here. */

/** How long a whole request, and its head, may take to arrive. */
export const REQUEST_TIMEOUT_MS = 30_000
export const HEAD_TIMEOUT_MS = 15_000
/** How often those two are checked. */
export const TIMEOUT_CHECK_MS = 5_000

/** How long a connection without a request is kept open. */
export const KEEP_ALIVE_MS = 75_000

/** How long a connection may pass no bytes while a request is in flight. */
export const INACTIVITY_MS = 120_000

/** Connections at once; a further one is closed. An idle one takes about 10 KB and a descriptor. */
export const CONNECTIONS_AT_MOST = 10_000

/** How often connections that became idle are closed while the service stops. */
export const CLOSE_IDLE_MS = 50

/** What is read and thrown away of a body that nothing needs, before its connection is closed. */
export const DISCARDED_BYTES_AT_MOST = 4 * 1024 * 1024
export const DISCARDING_MS = 5_000

/** What is held of a body before its endpoint takes it; beyond it, reading stops. */
export const EARLY_BODY_BYTES_AT_MOST = 64 * 1024

/**
 * What is held of all bodies together that are not whole yet. A request that does not fit is refused; one whose body is
 * small is not, so that a crowd of large ones keeps no token request out.
 */
export const HELD_BODY_BYTES_AT_MOST = 64 * 1024 * 1024
export const SMALL_BODY_BYTES = 4 * 1024

/**
 * Pieces of a body shorter than this are counted for each connection: each costs a callback, and 64 KB on the wire can
 * hold eleven thousand of them. After that number the connection waits for its turn, one connection each 30 ms.
 */
export const SMALL_PIECE_BYTES = 64
export const SMALL_PIECES_A_TURN = 1_000
/**
 * Each request takes this many off the count, so that a connection that stays open does not wait for what its earlier
 * requests left. With all of them taken off, requests of 999 pieces each would never wait.
 */
export const SMALL_PIECES_A_REQUEST = 100
export const TURN_MS = 30

/** Requests of one connection that are in flight: begun, with an answer that has not left. */
export const REQUESTS_IN_FLIGHT = 32

/** While more than this of its answers has not left, no further request of a connection begins. */
export const UNSENT_BYTES_AT_MOST = 256 * 1024

/** A connection is closed that has answers to take and took not a byte of them in four checks: in a minute. */
export const STALL_CHECK_MS = 15_000
export const STALLED_CHECKS = 4
