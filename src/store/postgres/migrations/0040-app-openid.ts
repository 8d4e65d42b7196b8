/** Adds what an app has for OpenID Connect, and whether the consent to it is remembered. */
export const appOpenid = `
ALTER TABLE client ADD COLUMN id_token_signed_response_alg text NOT NULL DEFAULT 'RS256'
  CHECK (id_token_signed_response_alg IN ('RS256', 'ES256'));
ALTER TABLE client ADD COLUMN post_logout_redirect_uris text NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN remember_consent smallint NOT NULL DEFAULT 0 CHECK (remember_consent IN (0, 1));
`
