/**
 * Keys for the successors of refresh tokens, and no nonces any more: with a retired token, a row yields nothing. CRED-6.
 *
 * Not logged: the log, its archive and replicas never hold a key. A server that crashed begins with none, and the nodes
 * put back those that they hold.
 */
export const rotationKeys = `
CREATE UNLOGGED TABLE rotation_key (
  half_minute bigint PRIMARY KEY,
  key         text NOT NULL
);

-- The bytes of a counted text in a packed family: its length is in the upper six bits of its first byte.
CREATE FUNCTION pg_temp.counted_bytes(family bytea, place integer) RETURNS integer LANGUAGE sql IMMUTABLE AS
  'SELECT (((get_byte(family, place) >> 2) + 4) & ~3) * 3 / 4';
CREATE FUNCTION pg_temp.without_nonce(family bytea, place integer) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT overlay(family PLACING
    set_byte(decode(repeat('00', pg_temp.counted_bytes(family, place)), 'hex'), 0, get_byte(family, place) & 252)
    FROM place + 1 FOR pg_temp.counted_bytes(family, place))
$$;
-- Head (3 bytes), digest (33), key, digest of the retired token (33), nonce. docs/storage.md
UPDATE credential SET version = version + 1,
  family = pg_temp.without_nonce(family, 36 + pg_temp.counted_bytes(family, 36) + 33)
WHERE family IS NOT NULL AND length(family) > 36 AND get_byte(family, 0) = 4 AND get_byte(family, 2) & 1 = 1;
`
