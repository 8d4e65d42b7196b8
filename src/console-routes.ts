/**
 * Every address of the console. What answers there is read after the start, or with the first visit: a start is waited for, and
 * the console is a fifth of what there is to read.
 */
import type { Endpoint } from "./http/endpoint.ts"

/** `form`: it takes a POST as well. `picture`: one with a file. */
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

/** Below the console, where nothing is. */
export const consoleNotFound: Endpoint = async (...visit) =>
  (await import("./console/console-page.ts")).showNotFound(...visit)

/** Reads what answers; once. */
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
