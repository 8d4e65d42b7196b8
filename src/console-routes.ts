/**
 * Every route of the console. Its handlers are a fifth of the code, so they are loaded after the start, or with the
 * first visit.
 */
import type { Endpoint } from "./http/endpoint.ts"

/** `form`: takes a POST too. `picture`: takes a POST with a file. */
const kinds = {
  "/console": "page",
  "/console/accounts": "page",
  "/console/account": "page",
  "/console/account/new": "form",
  "/console/account/rename": "form",
  "/console/account/password": "form",
  "/console/account/act": "form",
  "/console/apps": "page",
  "/console/app": "page",
  "/console/app/new": "form",
  "/console/app/edit": "form",
  "/console/app/icon": "picture",
  "/console/app/act": "form",
  "/console/credentials": "page",
  "/console/credential": "page",
  "/console/credential/revoke": "form",
  "/console/events": "page",
  "/console/events/export": "page",
  "/console/health": "page",
  "/console/settings": "page",
  "/console/setting": "form",
} as const

export type ConsolePath = keyof typeof kinds

type MethodsOf<P extends ConsolePath> = (typeof kinds)[P] extends "page"
  ? { readonly get: Endpoint }
  : { readonly get: Endpoint; readonly post: Endpoint }

export type Answers = { readonly [P in ConsolePath]: MethodsOf<P> }

export type ConsoleAddress = {
  readonly path: ConsolePath
  readonly get: Endpoint
  readonly post?: Endpoint
  readonly takesPicture: boolean
}

export const consoleAddresses: readonly ConsoleAddress[] = Object.entries(kinds).map(([name, kind]) => {
  const path = name as ConsolePath
  return {
    path,
    get: late(path, "get"),
    ...(kind !== "page" && { post: late(path, "post") }),
    takesPicture: kind === "picture",
  }
})

/** Any unknown path below the console. */
export const consoleNotFound: Endpoint = async (...visit) =>
  (await import("./console/console-page.ts")).showNotFound(...visit)

/** Loads the handlers, once. */
export function readConsole() {
  return import("./console-handlers.ts")
}

function late(path: ConsolePath, method: "get" | "post"): Endpoint {
  return async (...visit) => {
    const { answers } = await readConsole()
    const methods: { readonly get: Endpoint; readonly post?: Endpoint } = answers[path]
    const answer = methods[method]
    if (answer === undefined) throw new Error(`${path} takes no ${method}`)
    return answer(...visit)
  }
}
