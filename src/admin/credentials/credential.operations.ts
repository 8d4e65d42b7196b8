/** Operations on credentials: of an access token on its own, of account holders, and of administrators. */
import { lazyHandlers, type Operation, operation } from "../api/operation.ts"
import { pageOf } from "../api/paging.ts"
import { credentialShape } from "../../oauth/credential/credential-record.rules.ts"
import { explanationShape } from "../../oauth/explain/explanation-record.ts"
import { unlessOwnCredential } from "./credential-elevation.ts"
import {
  ownCredentialShape,
  heldCredentials,
  ownCredentialQuery,
  credentialQuery,
} from "./credential.shapes.ts"

const handlers = lazyHandlers(() => import("./credential.handlers.ts"))

export const ownCredentialOperations: readonly Operation[] = [
  operation("GET", "/api/credential", "getOwnCredential", {
    summary: "Get the credential of this access token",
    needs: [],
    answers: ownCredentialShape,
    run: handlers((of) => of.getOwnCredential),
  }),
  operation("GET", "/api/credentials", "listCredentials", {
    summary: "List the active credentials, newest first",
    needs: ["credentials:read"],
    query: ownCredentialQuery,
    answers: heldCredentials,
    run: handlers((of) => of.listOwnCredentials),
  }),
  operation("DELETE", "/api/credentials/{token_id}", "revokeCredential", {
    summary: "Revoke a credential",
    needs: ["credentials:write"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.deleteOwnCredential),
  }),
  operation("GET", "/api/credentials/{token_id}/explanation", "explainCredential", {
    summary: "Explain what a credential reaches",
    needs: ["credentials:read"],
    answers: explanationShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.getOwnExplanation),
  }),
]

export const credentialOperations: readonly Operation[] = [
  operation("GET", "/api/admin/credentials", "adminListCredentials", {
    summary: "List the credentials, newest first",
    needs: ["admin:credentials"],
    query: credentialQuery,
    answers: pageOf("CredentialPage", credentialShape),
    run: handlers((of) => of.listCredentials),
  }),
  operation("GET", "/api/admin/credentials/{token_id}", "adminGetCredential", {
    summary: "Get a credential",
    needs: ["admin:credentials"],
    answers: credentialShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.getCredential),
  }),
  operation("DELETE", "/api/admin/credentials/{token_id}", "adminRevokeCredential", {
    summary: "Revoke a credential",
    needs: ["admin:credentials"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.deleteCredential),
  }),
  operation("GET", "/api/admin/credentials/{token_id}/explanation", "adminExplainCredential", {
    summary: "Explain what a credential reaches",
    needs: ["admin:credentials"],
    answers: explanationShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.getExplanation),
  }),
]
