/** Which route a request matches. The gate must never choose another route than the app behind it. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { findRoute, routeTable } from "../../../src/gate/routes/match.rules.ts"
import type { PathFeature } from "../../../src/gate/routes/path.rules.ts"
import { type Route, route } from "./routes.ts"

function found(routes: readonly Route[], target: string, method = "GET"): string {
  const result = findRoute(routeTable(routes), method, target)
  if (result.found === "route") return result.route.text
  return result.found === "refusedPath" ? result.problem : result.found
}

describe("GATE-3 the most specific path comes first, then the order of the file", () => {
  const routes = [
    "/{any*}",
    "/users/{id}",
    "/users/me",
    "/{kind}/list",
    "/users/{id}/keys",
    "/users/{name}",
    "/",
    "/files/",
  ].map((text) => route(text))

  const cases = {
    "/": "/",
    "/users/me": "/users/me",
    "/users/42": "/users/{id}",
    "/users/42?as=/users/me": "/users/{id}",
    "/users/list": "/users/{id}",
    "/teams/list": "/{kind}/list",
    "/users/42/keys": "/users/{id}/keys",
    "/users/42/keys/7": "/{any*}",
    "/users/%6de": "/users/me",
    "/files/": "/files/",
    "/.well-known/x": "/{any*}",
  }
  for (const [target, expected] of Object.entries(cases))
    test(target, () => assert.equal(found(routes, target), expected))
})

test("GATE-3 a method matches as it is written, and GET serves HEAD", () => {
  const routes = [route("/a", ["GET"]), route("/b", ["POST"])]
  assert.equal(found(routes, "/a", "HEAD"), "/a")
  for (const method of ["get", "POST", "OPTIONS", "", "GET "])
    assert.equal(found(routes, "/a", method), "undeclared")
  assert.equal(found(routes, "/b", "HEAD"), "undeclared")
})

test("GATE-3 a route for HEAD comes before a route for GET of the same path, wherever it is in the file", () => {
  const routes = [route("/a/{id}", ["GET"]), route("/a/{name}", ["HEAD"]), route("/a/me", ["GET"])]
  assert.equal(found(routes, "/a/1", "HEAD"), "/a/{name}")
  assert.equal(found(routes, "/a/1", "GET"), "/a/{id}")
  assert.equal(found(routes, "/a/me", "HEAD"), "/a/me")
})

describe("GATE-4 a path that servers read in different ways is refused", () => {
  const routes = [route("/admin"), route("/{page}"), route("/users/{id}/keys"), route("/{all*}")]
  const cases: Readonly<Record<string, string>> = {
    "/../admin": "a dot segment",
    "/x/%2e%2E/admin": "a dot segment",
    "/x/.%2e/admin": "a dot segment",
    "/./admin": "a dot segment",
    "/x/..": "a dot segment",
    "/..;x/admin": "a dot segment",
    "/..%2fadmin": "a dot segment",
    "/x/..%3badmin": "a dot segment",
    "/%ef%bc%8e%ef%bc%8e/admin": "a dot segment",
    "/%25ef%25bc%258e%25ef%25bc%258e/admin": "a dot segment",
    "/x%252e%252e/admin": "double percent-encoding",
    "/%252fadmin": "double percent-encoding",
    "/%25252fadmin": "double percent-encoding",
    "/x\\admin": "a backslash",
    "/x%5cadmin": "a backslash",
    "/admin%00": "a control character",
    "/admin%0d%0ax": "a control character",
    "/admin\u0000": "a control character",
    "/admin%7f": "a control character",
    "/adm%": "invalid percent-encoding",
    "/adm%2": "invalid percent-encoding",
    "/adm%zz": "invalid percent-encoding",
    "/%u0061dmin": "invalid percent-encoding",
    "/%c0%aeadmin": "invalid percent-encoding",
    "/%ff": "invalid percent-encoding",
    "/admin#x": "a fragment",
    "/admin x": "a character that must be percent-encoded",
    "/é": "a character that must be percent-encoded",
    "/{id}": "a character that must be percent-encoded",
    "https://api.example/admin": "not a path",
    "*": "not a path",
    "": "not a path",
    [`/${"x".repeat(8191)}`]: "/{page}",
    [`/${"x".repeat(8192)}`]: "more than 8192 characters",
    "?x": "not a path",
    "/%61dmin": "/admin",
    "/%41dmin": "ambiguous",
    "/Admin": "ambiguous",
    "/ADMIN/": "ambiguous",
    "/admin/": "ambiguous",
    "/admin//": "ambiguous",
    "/%ef%bd%81dmin": "ambiguous",
    "/admin;x=1": "notAllowed",
    "/Users/1/keys": "ambiguous",
    "//admin": "notAllowed",
    "/page%2fx": "notAllowed",
    "/a//b": "notAllowed",
    "/page;x": "notAllowed",
    "/page%3bx": "notAllowed",
    "/page": "/{page}",
    "/p%C3%A4ge": "/{page}",
    "/100%25": "/{page}",
    "/a%252520b": "double percent-encoding",
    "/a%2520b": "/{page}",
    "/%2561dmin": "ambiguous",
    "/admin%3Fx": "ambiguous",
    "/admin%EF%BC%9Fx": "ambiguous",
    "/users/1%EF%BC%8Fkeys": "ambiguous",
    "/adm%C4%B0n": "ambiguous",
    "/adm%C4%B1n": "ambiguous",
    "/admin.json": "ambiguous",
    "/Admin.json/": "ambiguous",
    "/admin.tar.gz": "ambiguous",
    "/what%3F": "/{page}",
    "/c%23": "/{page}",
    "/admin%23": "ambiguous",
    "/admin%EF%BC%83x": "ambiguous",
    "/users/1/keys%23x/y": "ambiguous",
    "/users/1%23/keys": "ambiguous",
    "/admin%20": "ambiguous",
    "/%20admin": "ambiguous",
    "/admin%C2%A0": "ambiguous",
    "/admin%E2%80%83/": "ambiguous",
    "/admin+": "ambiguous",
    "/admin.": "ambiguous",
    "/admin.%20.": "ambiguous",
    "/ad%C2%ADmin": "ambiguous",
    "/ad%E2%80%8Bmin": "ambiguous",
    "/%C5%BFa": "/{page}",
    "/x%20y": "/{page}",
    "/x+y": "/{page}",
    "/.%3f": "a dot segment",
    "/x/..%3f": "a dot segment",
    "/x/..%23": "a dot segment",
    "/x/%20..": "a dot segment",
    "/x/..%20/admin": "a dot segment",
    "/x/..+": "a dot segment",
    "/x/.%C2%AD.": "a dot segment",
    "/x/..%20.": "a dot segment",
    "/x%ef%bc%bcadmin": "a backslash",
    "/%ef%bc%852e%ef%bc%852e": "double percent-encoding",
    "/admin%2523": "double percent-encoding",
    "/admin%253F": "double percent-encoding",
    "/adm%2569n%3f%25ff": "double percent-encoding",
    "/adm%2569n%23%25ff": "double percent-encoding",
    "/adm%2569n%3f%25zz": "double percent-encoding",
    "/adm%2569n%3f%25": "double percent-encoding",
    "/adm%2569n%23%25": "double percent-encoding",
    "/%25%25361dmin": "double percent-encoding",
    "/adm%256%2539n": "double percent-encoding",
    "/%25u0061dmin": "double percent-encoding",
    "/%EF%BC%8561dmin": "double percent-encoding",
    "/%EF%B9%AA61dmin": "double percent-encoding",
    "/%25%EF%BC%96%EF%BC%91dmin": "double percent-encoding",
    "/%256%C2%AD1dmin": "double percent-encoding",
    "/%25EF%25BC%258561dmin": "double percent-encoding",
    "/x%25c0%25afadmin": "double percent-encoding",
    "/adm%2569n%3fx": "ambiguous",
    "/50%25off": "/{page}",
    "/100%25%20sure%3f": "/{page}",
    "/%E4%BD%95%EF%BC%9F": "/{page}",
    "/.admin": "/{page}",
    "/file.txt": "/{page}",
    "/...": "/{page}",
  }
  test("/accounts/%23 and its kind, where the collection is a route too", () => {
    const accounts = [route("/accounts"), route("/accounts/{id}"), route("/"), route("/static/{file}")]
    for (const target of ["/accounts/%23", "/accounts/%23x", "/accounts/%3f", "/accounts/%20", "/accounts/+"])
      assert.equal(found(accounts, target), "ambiguous", target)
    for (const target of ["/accounts/.%3f", "/static/..%3f", "/static/..%23", "/static/.%23"])
      assert.equal(found(accounts, target), "a dot segment", target)
    for (const target of ["/accounts/a%23", "/accounts/a%20b", "/static/a+b.css"])
      assert.notEqual(found(accounts, target), "ambiguous", target)
  })
  for (const [target, expected] of Object.entries(cases))
    test(JSON.stringify(target), () => assert.equal(found(routes, target), expected))
})

test("GATE-4 a suffix is refused only where another route could need more", () => {
  const open = { isPublic: true, permissions: [], elevation: false, closed: null }
  const needs = (...permissions: readonly string[]) => ({ ...open, isPublic: false, permissions })
  const routes = [
    { ...route("/login"), ...open },
    { ...route("/notes"), ...needs("notes:read") },
    { ...route("/keys"), ...needs("notes:read"), elevation: true },
    { ...route("/closed"), ...open, closed: "two alternatives" },
    { ...route("/report.v1"), ...needs("notes:read") },
    { ...route("/report"), ...needs("reports:read") },
    { ...route("/assets/{file*}"), ...open },
    { ...route("/assets/a/list"), ...needs("notes:read") },
    { ...route("/any-token"), ...needs() },
    { ...route("/public/any-token"), ...needs() },
    { ...route("/public/{file}"), ...open },
    { ...route("/{page}"), ...needs("notes:read") },
  ]
  const cases: Readonly<Record<string, string>> = {
    "/login.js": "/{page}",
    "/notes.json": "/{page}",
    "/keys.json": "ambiguous",
    "/closed.json": "ambiguous",
    "/any-token.json": "/{page}",
    "/public/any-token.json": "ambiguous",
    "/report.json": "ambiguous",
    "/report.v1": "/report.v1",
    "/assets/a/b.css": "/assets/{file*}",
    "/assets/a/list.css": "ambiguous",
  }
  for (const [target, expected] of Object.entries(cases))
    assert.equal(found(routes, target), expected, target)
})

test("GATE-4 what follows a script, as in PHP, is refused only where its route could need more", () => {
  const open = { isPublic: true, permissions: [], elevation: false, closed: null }
  const needs = { ...open, isPublic: false, permissions: ["app:admin"] }
  const routes = [
    { ...route("/admin.php"), ...needs },
    { ...route("/a/{b}/tool.php"), ...needs },
    { ...route("/login.php"), ...open },
    { ...route("/v1.0"), ...needs },
    { ...route("/v1.0/{rest*}"), ...open },
    { ...route("/files/{name}"), ...needs },
    { ...route("/{rest*}"), ...open },
  ]
  const cases: Readonly<Record<string, string>> = {
    "/admin.php/x": "ambiguous",
    "/Admin.PHP/x/y.css": "ambiguous",
    "/admin%2ephp/": "ambiguous",
    "/a/b/tool.php/c": "ambiguous",
    "/login.php/x": "/{rest*}",
    "/v1.0/users": "/v1.0/{rest*}",
    "/files/a.txt/b": "/{rest*}",
    "/x/admin.php/y": "/{rest*}",
  }
  for (const [target, expected] of Object.entries(cases))
    assert.equal(found(routes, target), expected, target)
})

test("GATE-4 a path with many readings, made of letters that expand, takes little time", () => {
  const expanding = "%EF%B7%BA"
  const all: readonly PathFeature[] = ["encoded_slash", "double_slash", "semicolon"]
  const versions = Array.from({ length: 30 }, (_, at) => route(`/api/v${at}/{a}/{b}`))
  const table = routeTable([route("/static/{rest*}", ["GET"], all), route("/admin/{rest*}"), ...versions])
  const scripts = `/a.b${expanding}`.repeat(8)
  const tail = "/%20/a%3bx/%EF%BC%8Fc%3f%23.x.y"
  const paths = [
    `/static${scripts}${`/${expanding.repeat(3)}%25EF%25B7%25BA`.repeat(100)}${tail}`,
    `/static${scripts}${`/${expanding}%25EF%25B7%25BA`.repeat(17)}${tail}`,
    `/static/%2541${expanding.repeat(900)}%EF%BC%9F%3b%3f%23`,
  ]
  const begun = process.cpuUsage()
  for (let round = 0; round < 100; round++) for (const path of paths) findRoute(table, "GET", path)
  const { user, system } = process.cpuUsage(begun)
  assert.ok(user + system < 1_500_000, `${(user + system) / 300_000} ms for each`)
})

test("GATE-4 a route that is declared in both cases, or with and without a slash, matches as it is written", () => {
  const routes = [route("/Admin"), route("/b"), route("/admin"), route("/b/")]
  for (const target of ["/Admin", "/admin", "/b", "/b/"]) assert.equal(found(routes, target), target)
  assert.equal(found(routes, "/ADMIN"), "ambiguous")
})

test("GATE-4 another reading is refused only where its route could need more", () => {
  const needs = (...permissions: readonly string[]) => ({
    isPublic: false,
    permissions,
    elevation: false,
    closed: null,
  })
  const routes = [
    { ...route("/rooms"), ...needs("rooms:read") },
    { ...route("/rooms/{alias}"), ...needs("rooms:read") },
    { ...route("/users"), ...needs("users:list") },
    { ...route("/users/{id}"), ...needs("users:read") },
  ]
  assert.equal(found(routes, "/rooms/%23general"), "/rooms/{alias}")
  assert.equal(found(routes, "/users/%23general"), "ambiguous")
})

describe("GATE-4 encoded slash, // and ; only where the route allows it", () => {
  const all: readonly PathFeature[] = ["encoded_slash", "double_slash", "semicolon"]
  const routes = [route("/files/{name}", ["GET"], all), route("/files/secret/key"), route("/{x}/{y}")]
  const cases: Readonly<Record<string, string>> = {
    "/files/a%2fb": "/files/{name}",
    "/files//a": "/files/{name}",
    "/files/a;b": "/files/{name}",
    "/files;v=1/a": "ambiguous",
    "/x/a%2Fb": "notAllowed",
    "/x//a": "notAllowed",
    "/x/a;b": "notAllowed",
    "/files/secret%2fkey": "ambiguous",
    "/files%2fsecret/key": "notAllowed",
    "/files/secret;x%2fkey": "ambiguous",
    "/files/..;x%2fkey": "a dot segment",
  }
  for (const [target, expected] of Object.entries(cases))
    test(target, () => assert.equal(found(routes, target), expected))
})
