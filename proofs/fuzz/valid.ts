/**
 * Valid requests from which the others are derived. They cover every route of the service with each of its methods and
 * each kind of caller. URLs and forms of the pages are added.
 */
import { Browser } from "../../test/support/browser.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import { loadAllRoutes } from "../../test/support/routes.ts"
import { bodyOf } from "./bodies.ts"
import { crawl } from "./crawl.ts"
import { jwtRequests } from "./jwt.ts"
import { openidRequests } from "./openid.ts"
import { type Body, type Draft, escaped, FORM, pairsOf, type Pair, utf8 } from "./draft.ts"
import type { Person, World } from "./world.ts"

const METHODS = ["get", "post", "put", "patch", "delete"] as const

/**
 * Each of these requests costs as much as hundreds of others. They hash a password, encode a picture or send a whole
 * table.
 */
const DEAR = /\/(?:icon|export|password|register|stream|new|sign-in)$|^\/setup$|accounts$/

/** These requests destroy what later requests need, such as sessions and apps. */
const FATAL = /sign-out|act$|remove|end-access|disable|revoke$|browsers$|accounts\/|settings?\b/

/** Returns the requests. `pages` limits how many pages are read. */
export async function validRequests(world: World, pages: number): Promise<readonly Draft[]> {
  const own = (await loadAllRoutes()).flatMap((route) =>
    METHODS.filter((method) => route[method] !== undefined).flatMap((method) =>
      route.family === "page"
        ? [world.root, world.ada, null].map((who) =>
            pageRequest(world, route.path, method.toUpperCase(), who),
          )
        : callers(world, route.family, route.path).map(([name, headers]) =>
            appRequest(world, route.path, method.toUpperCase(), name, headers),
          ),
    ),
  )
  const stranger = new Browser(world.server.url)
  const crawled = [
    ...(await crawl(
      world.root.browser,
      ["/console", "/account", "/console/settings"],
      pages,
      dressed(world, world.root),
    )),
    ...(await crawl(
      world.ada.browser,
      [`/oauth/device?user_code=${world.userCode}`, world.authorizeUrl, "/account"],
      pages,
      dressed(world, world.ada),
    )),
    ...(await crawl(stranger, ["/sign-in"], 4, (parts) =>
      signingIn(world, stranger, dressed(world, null)(parts)),
    )),
  ]
  const openid = openidRequests(world).flatMap((parts) =>
    [world.root, world.ada, null].map((who) => dressed(world, who)(parts)),
  )
  return [...own, ...crawled, ...openid, ...jwtRequests(world), ...unknown(world)]
}

/** Returns the sign-in form with a correct name and password. */
function signingIn({ ada }: World, browser: Browser, draft: Draft): Draft {
  const { body } = draft
  const cookies: readonly Pair[] = [["latchkey_browser", browser.cookie("latchkey_browser") ?? ""]]
  if (body.kind !== "form") return { ...draft, cookies }
  const typed: Readonly<Record<string, string>> = { username: ada.username, password: escaped(PASSWORD) }
  return {
    ...draft,
    cookies,
    body: { kind: "form", pairs: body.pairs.map(([name, value]): Pair => [name, typed[name] ?? value]) },
  }
}

export type Parts = Pick<Draft, "name" | "method" | "path" | "query" | "body">

/** Returns the request as the browser of `who` sends it. Without `who`, the browser has never signed in. */
function dressed(world: World, who: Person | null): (parts: Parts) => Draft {
  return (parts) => ({
    ...parts,
    name: `${who?.username ?? "anonymous"}: ${parts.name}`,
    cookies: who?.cookies ?? [],
    headers: [
      ["User-Agent", "Mozilla/5.0"],
      ...(parts.method === "GET"
        ? []
        : ([
            ["Origin", world.origin],
            ["Sec-Fetch-Site", "same-origin"],
          ] as const)),
      ...typeOf(parts.body),
    ],
    isChunked: false,
    version: "1.1",
    weight: weightOf(parts),
  })
}

export function typeOf(body: Body): readonly Pair[] {
  switch (body.kind) {
    case "none":
      return []
    case "form":
      return [["Content-Type", FORM]]
    case "json":
      return [["Content-Type", "application/json"]]
    case "parts":
      return [["Content-Type", `multipart/form-data; boundary=${body.boundary}`]]
    case "bytes":
      return [["Content-Type", "image/png"]]
  }
}

function weightOf({ path, method }: Parts): number {
  // With the right hint, it signs the person out at once.
  if (path === "/oauth/end-session") return 0.02
  if (DEAR.test(path))
    return method === "GET" && !path.endsWith("/export") && !path.endsWith("/stream") ? 0.3 : 0.03
  return method !== "GET" && FATAL.test(path) ? 0.2 : 1
}

function pageRequest(world: World, route: string, method: string, who: Person | null): Draft {
  const path = filled(world, route)
  const asked = { client_id: world.ownedAppId, user_id: world.userId, token_id: world.own.token_id }
  const query =
    path === "/oauth/authorize" ? queryOf(world.authorizeUrl) : method === "GET" ? pairsOf(asked) : []
  const fields = {
    csrf: who?.csrf ?? "",
    ...asked,
    key: "token.access_seconds",
    value: "3600",
    decision: "authorize",
  }
  const body: Body =
    method === "GET" ? { kind: "none" } : { kind: "form", pairs: pairsOf({ ...fields, ...typed }) }
  return dressed(world, who)({ name: `${method} ${route}`, method, path, query, body })
}

/** Values that forms of pages ask for. */
const typed = {
  username: "unknown",
  password: "not the password",
  code: "123456",
  name: "Paper",
  user_code: "BCDF-GHJK",
}

function queryOf(url: string): readonly Pair[] {
  return pairsOf(Object.fromEntries(new URL(url, "http://localhost").searchParams))
}

/** Returns the callers of an endpoint for apps, with their authentication headers. */
function callers(
  world: World,
  family: "oauth" | "api",
  path: string,
): readonly (readonly [string, readonly Pair[]])[] {
  const bearer = ({ access_token }: { access_token: string }): Pair => [
    "Authorization",
    `Bearer ${access_token}`,
  ]
  const anonymous = ["anonymous", []] as const
  if (family === "api")
    return [
      ["full", [bearer(world.full)]],
      ["full", [bearer(world.full)]],
      ["own", [bearer(world.own)]],
      anonymous,
    ]
  if (path.endsWith("/userinfo")) return [["own", [bearer(world.own)]], anonymous]
  const { clientId, secret } = path.includes("introspect") ? world.resourceServer : world.web
  const basic = ["web", [["Authorization", `Basic ${btoa(`${clientId}:${secret}`)}`]]] as const
  return path.endsWith("/step-up") ? [["own", [bearer(world.own)]], anonymous] : [basic, anonymous]
}

function appRequest(
  world: World,
  route: string,
  method: string,
  who: string,
  headers: readonly Pair[],
): Draft {
  const body: Body = method === "GET" ? { kind: "none" } : bodyOf(world, route, method, headers.length > 0)
  const path = filled(world, route)
  return {
    name: `${who}: ${method} ${route}`,
    method,
    path,
    query: method === "GET" && route.startsWith("/api/") ? pairsOf({ limit: "3" }) : [],
    cookies: [],
    headers: [...headers, ...typeOf(body)],
    body,
    isChunked: false,
    version: "1.1",
    weight: weightOf({ name: "", method, path, query: [], body }) * (route.startsWith("/oauth/") ? 4 : 1),
  }
}

/** Returns the route with values of the world in place of its `:names`. */
function filled(world: World, route: string): string {
  const places: Readonly<Record<string, string>> = {
    client_id: world.ownedAppId,
    token_id: world.own.token_id,
    user_id: world.userId,
    key: "token.access_seconds",
    id: world.userId,
  }
  return route
    .replaceAll(/:(\w+)/g, (_, name: string) => escaped(utf8(places[name] ?? name)))
    .replace("*", "nowhere")
}

/** URLs that do not exist, both inside and outside of each family of paths. */
function unknown(world: World): readonly Draft[] {
  const paths = [
    "/nothing",
    "/oauth/nothing",
    "/api/nothing",
    "/.well-known/nothing",
    "/assets/x",
    "/console/x/y",
    "/metrics",
  ]
  return paths.flatMap((path) =>
    ["GET", "POST"].map((method) => {
      const body: Body = method === "GET" ? { kind: "none" } : { kind: "form", pairs: pairsOf(typed) }
      return dressed(world, world.ada)({ name: `${method} ${path}`, method, path, query: [], body })
    }),
  )
}
