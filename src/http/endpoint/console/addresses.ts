/** Every address of the console, with what it answers. */
import type { Endpoint } from "../endpoint.ts"
import { showOverview } from "./overview.ts"

type Methods = { readonly get: Endpoint; readonly post?: Endpoint; readonly bodyBytes?: number }

export const consoleAddresses: readonly (readonly [path: string, methods: Methods])[] = [
  ["/console", { get: showOverview }],
]
