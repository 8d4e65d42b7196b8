/** The routes of a server, with the gate of each. A group of routes may be loaded with the first request to it. */
import { BODY_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Gate, gate } from "./gate.ts"
import type { HttpContext } from "./http-context.ts"
import { loadOnce } from "./lazy-module.ts"
import type { LazyRoutes, Route } from "./route.ts"
import { type Found, Router } from "./router.ts"

export type Place = { readonly route: Route; readonly enter: Gate; readonly bodyBytes: number }

/** A group of routes with a router of its own. */
type LazyPlace = { readonly router: () => Promise<Router<Place>> }

/** Null for an unknown path, and undefined for a malformed one. */
export type FoundPlace = Found<Place> | null | undefined

export class RouteTable {
  readonly #context: HttpContext
  readonly #router = new Router<Place | LazyPlace>()

  constructor(context: HttpContext) {
    this.#context = context
  }

  add(route: Route): void {
    this.#router.add(route.path, this.#placeOf(route))
  }

  addLazily({ below, load }: LazyRoutes): void {
    const router = loadOnce(async () => {
      const loaded = new Router<Place>()
      for (const route of await load()) loaded.add(route.path, this.#placeOf(route))
      return loaded
    })
    this.#router.add(below, { router })
    this.#router.add(`${below}/*`, { router })
  }

  /** A promise only for a group of routes. */
  find(url: string): FoundPlace | Promise<FoundPlace> {
    const found = this.#router.find(url)
    if (found === null || found === undefined) return found
    if ("router" in found.place) return found.place.router().then((loaded) => loaded.find(url))
    return found as Found<Place>
  }

  #placeOf(route: Route): Place {
    const bodyBytes = route.bodyBytes ?? BODY_BYTES_AT_MOST
    return { route, enter: gate(this.#context, route), bodyBytes }
  }
}
