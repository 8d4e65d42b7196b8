/** Adds the `resource` values of a device grant. */
export const deviceResources = `
ALTER TABLE device_grant ADD COLUMN resources text CHECK (purpose = 'access' OR resources IS NULL);
`
