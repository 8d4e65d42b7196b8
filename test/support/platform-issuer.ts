/** A platform that issues tokens to what runs there, in the forms of GitHub Actions and Kubernetes. */
import { ASSERTION_TYPE, randomId, type Signer } from "./signer.ts"
import type { DocumentServer } from "./document-server.ts"

/** The header and the claims of an id-token of GitHub Actions. `sub` says what runs. */
export function githubToken(
  signer: Signer,
  issuer: string,
  now: number,
  claims: Claims = {},
): Promise<string> {
  const run = {
    jti: randomId(),
    sub: "repo:acme/app:ref:refs/heads/main",
    aud: "https://github.com/acme",
    ref: "refs/heads/main",
    sha: "1f0e3dad99908345f7439f8ffabdffc4dc2c8b5b",
    repository: "acme/app",
    repository_owner: "acme",
    repository_visibility: "private",
    actor: "octocat",
    workflow: "deploy",
    event_name: "push",
    ref_type: "branch",
    job_workflow_ref: "acme/app/.github/workflows/deploy.yml@refs/heads/main",
    runner_environment: "github-hosted",
    iss: issuer,
    nbf: now - 10,
    iat: now,
    exp: now + 300,
  }
  const header = { typ: "JWT", x5t: "eyt7XA_yKZ9Gs2Wm5-hs1jQnEp8" }
  return signer.sign({ ...run, ...claims }, header)
}

/** A projected token of a service account in Kubernetes. Its header has no `typ`, and `aud` is a list. */
export function podToken(signer: Signer, issuer: string, now: number, claims: Claims = {}): Promise<string> {
  const pod = {
    aud: ["https://auth.example.com"],
    exp: now + 3607,
    iat: now,
    iss: issuer,
    jti: "4c2d1d1c-9a8e-4f0e-9c7a-0c8f3e1d2b4a",
    "kubernetes.io": {
      namespace: "ns",
      node: { name: "node-1", uid: "646e7c5e-32d6-4d42-9dbd-e504e6cbe6b1" },
      pod: { name: "name-7d9f", uid: "5e0bd49b-f040-43b0-99b7-22765a53f7f3" },
      serviceaccount: { name: "name", uid: "14ee3fa4-a7e2-420f-9f9a-dbc4507c3798" },
    },
    nbf: now,
    sub: "system:serviceaccount:ns:name",
  }
  return signer.sign({ ...pod, ...claims })
}

type Claims = Readonly<Record<string, unknown>>

/** Publishes keys by discovery. Returns the issuer. */
export function publishIssuer(
  documents: DocumentServer,
  signers: readonly Signer[],
  { path = "", slash = "" } = {},
): string {
  const issuer = documents.url(`${path}${slash}`)
  const jwks_uri = documents.serve(`${path}/jwks`, { keys: signers.map(({ publicJwk }) => publicJwk) })
  documents.serve(`${path}/.well-known/openid-configuration`, {
    issuer,
    jwks_uri,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  })
  return issuer
}

/** The form members with which what runs on a platform authenticates. */
export const asWorkload = (clientId: string, token: string) => ({
  client_id: clientId,
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: token,
})
