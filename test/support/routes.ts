/** Every route of the service. */
import type { Route } from "../../src/platform/http/route.ts"
import { lazyRoutes, routes } from "../../src/routes.ts"

/** Returns the routes without a base path, also those that are loaded with the first request to them. */
export async function loadAllRoutes(): Promise<readonly Route[]> {
  return [...routes(""), ...(await Promise.all(lazyRoutes.map(({ load }) => load()))).flat()]
}
