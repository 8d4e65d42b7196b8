/** A page of the console, as a row of its thing's `pages.ts`. */
import type { Endpoint } from "../../platform/http/endpoint.ts"

export type ConsoleRoute = {
  readonly path: string
  readonly get: Endpoint
  readonly post?: Endpoint
  readonly takesPicture: boolean
}

export function page(path: string, get: Endpoint): ConsoleRoute {
  return { path, get, takesPicture: false }
}

/** A page whose form is sent to the path of the page. */
export function form(path: string, get: Endpoint, post: Endpoint): ConsoleRoute {
  return { ...page(path, get), post }
}
