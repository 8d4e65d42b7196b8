/** Adds the platform whose tokens authenticate an app: issuer, audience and subject, as JSON. */
export const workloads = `
ALTER TABLE client ADD COLUMN workload text CHECK (workload IS NULL OR jwks IS NOT NULL OR jwks_uri IS NOT NULL);
`
