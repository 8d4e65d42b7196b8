/** Adds two settings of an app: its access ends with a sign-in session, and it may use the device flow. */
export const appSwitches = `
ALTER TABLE client
  ADD COLUMN ends_with_session smallint NOT NULL DEFAULT 0,
  ADD COLUMN device_flow smallint NOT NULL DEFAULT 1,
  ADD CHECK (ends_with_session IN (0, 1) AND device_flow IN (0, 1));
`
