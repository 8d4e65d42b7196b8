/** Adds two settings of an app: its access ends with a sign-in session, and it may use the device flow. */
export const appSwitches = `
ALTER TABLE client ADD COLUMN ends_with_session INTEGER NOT NULL DEFAULT 0 CHECK (ends_with_session IN (0, 1));
ALTER TABLE client ADD COLUMN device_flow INTEGER NOT NULL DEFAULT 1 CHECK (device_flow IN (0, 1));
`
