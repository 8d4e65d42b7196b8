/** The rules for client authentication: docs/interface.md AUTH-2, AUTH-3 and "Client authentication". */
import type { Caller } from "./operation.ts"
import type { Expected } from "./expected.ts"
import { type App, appOf, type World } from "./world.ts"

export const refused = (status: number, error: string): Expected => ({ status, error })

export const INVALID_CLIENT = refused(401, "invalid_client")
export const INVALID_GRANT = refused(400, "invalid_grant")
export const INVALID_REQUEST = refused(400, "invalid_request")
export const INVALID_TARGET = refused(400, "invalid_target")
export const INVALID_SCOPE = refused(400, "invalid_scope")

/** Returns the app, or the error that it receives. */
export function authenticated(world: World, { app: name, secret, nth }: Caller): App | Expected {
  if (name === null) return INVALID_REQUEST
  const app = appOf(world, name)
  const isRight = app.type === "public" ? secret === "none" : secret !== "none" && nth === app.secrets
  return app.state === "enabled" && isRight ? app : INVALID_CLIENT
}

export const isExpected = (one: App | Expected): one is Expected => "status" in one
