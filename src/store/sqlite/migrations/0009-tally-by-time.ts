/**
 * Counts in the order of time, so that a span of them is read in one piece: those of every app for the list of their
 * health, those of the service for the plots. What is counted now is written at the end.
 */
export const tallyByTime = `
CREATE TABLE tally_by_time (
  grain     TEXT NOT NULL,
  at        INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  name      TEXT NOT NULL,
  count     INTEGER NOT NULL,
  PRIMARY KEY (grain, at, client_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO tally_by_time (grain, at, client_id, name, count)
  SELECT grain, at, client_id, name, count FROM tally ORDER BY grain, at, client_id, name;
DROP TABLE tally;
ALTER TABLE tally_by_time RENAME TO tally;
CREATE INDEX tally_of_app ON tally (client_id, at) WHERE client_id <> '';
`
