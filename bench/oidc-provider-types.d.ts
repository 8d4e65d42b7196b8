/** The types of `oidc-provider` that the benchmark and the tests need. The package itself has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  interface Model {
    jti: string
    save(ttl?: number): Promise<string>
  }
  interface GrantModel extends Model {
    addOIDCScope(scope: string): void
  }
  interface SessionModel extends Model {
    loginAccount(details: { accountId: string }): void
  }
  interface ClientModel {
    readonly clientId: string
  }
  type Made<M> = new (input?: Readonly<Record<string, unknown>>) => M

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: Made<GrantModel>
    readonly RefreshToken: Made<Model>
    readonly AccessToken: Made<Model>
    readonly AuthorizationCode: Made<Model>
    readonly DeviceCode: Made<Model>
    readonly Session: Made<SessionModel>
    readonly Client: { find(id: string): Promise<ClientModel | undefined> }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
