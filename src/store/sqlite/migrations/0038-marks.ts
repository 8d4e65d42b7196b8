/** Lists memberships in the order of their providers and groups, so that each such pair is found without the others. */
export const marks = `
DROP INDEX membership_of_provider;
CREATE INDEX membership_of_provider ON membership (provider, group_name, user_id) WHERE provider <> '';
`
