/**
 * Ends the credentials and the approved device grants that end with a sign-in session. Grants come first. If a device
 * redeems a grant at the same time, the second statement then sees the new credential.
 */
import type { Session } from "../../../model/account.rules.ts"
import { denyApprovals } from "../../codecs/device-grant-row.ts"
import { endedCredentialDeleteAfter, refusedDeleteAfter } from "../../codecs/retention.ts"
import {
  END_SURPLUS_SESSIONS,
  INSERT_SESSION,
  sessionValues,
  surplusValues,
} from "../../codecs/session-row.ts"
import type { Parameter } from "../driver/parameter.ts"

type Run = (sql: string, ...values: Parameter[]) => Promise<number>

/**
 * `condition` selects rows of `session_credential`. The promises resolve with the number of denied grants and the
 * number of revoked credentials.
 */
export function endWithSessions(
  run: Run,
  at: number,
  condition: string,
  ...values: Parameter[]
): readonly Promise<number>[] {
  return [
    run(
      denyApprovals(`grant_id IN (SELECT token_id FROM session_credential WHERE ${condition})`),
      at,
      refusedDeleteAfter(at),
      ...values,
    ),
    run(revoke(condition), ...values, at, endedCredentialDeleteAfter(at)),
  ]
}

/** Adds a session, and ends those of its account that are then too many. */
export async function addSession(run: Run, session: Session): Promise<void> {
  const [, ended] = await Promise.all([
    run(INSERT_SESSION, ...sessionValues(session)),
    run(END_SURPLUS_SESSIONS, ...surplusValues(session)),
  ])
  if (ended > 0) await Promise.all(endWithSessions(run, session.createdAt, WITHOUT_SESSION, session.userId))
}

/** What ended sessions of an account left. The parameter is the account. */
const WITHOUT_SESSION = `user_id = ? AND NOT EXISTS
  (SELECT 1 FROM session WHERE session.session_hash = session_credential.session_hash)`

/**
 * Revokes the credentials that end with the sessions, and stores an event and an invalidation for each. Invalidations
 * get consecutive ids, as in `invalidate.ts`.
 */
const revoke = (condition: string) => `
  WITH bound AS (
    DELETE FROM session_credential WHERE ${condition} RETURNING token_id
  ), ended AS (
    UPDATE credential SET state = 'revoked', over_at = ?, because = 'session-ended', elevated_until = NULL,
      gone_at = ?, version = version + 1
    WHERE token_id IN (SELECT token_id FROM bound) AND state IN ('issued', 'active')
    RETURNING token_id, user_id, client_id, over_at
  ), recorded AS (
    INSERT INTO event (at, kind, user_id, client_id, token_id, detail)
    SELECT over_at, 'credential-revoked', user_id, client_id, token_id, 'session-ended' FROM ended
  ), stale AS (
    SELECT token_id, row_number() OVER (ORDER BY token_id) AS place FROM ended
  ), newest AS (
    UPDATE invalidation_last SET id = id + (SELECT count(*) FROM stale) WHERE EXISTS (SELECT 1 FROM stale)
    RETURNING id
  )
  INSERT INTO invalidation (id, of, key)
  SELECT newest.id - (SELECT count(*) FROM stale) + stale.place, 'credential', stale.token_id
  FROM newest CROSS JOIN stale`
