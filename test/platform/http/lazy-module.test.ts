/** Tests endpoints and routes whose code the first request loads. */
import { after, before, test } from "node:test"
import assert from "node:assert/strict"
import { trustedRanges } from "../../../src/platform/http/connection/client-address.ts"
import type { Endpoint } from "../../../src/platform/http/endpoint.ts"
import { httpContextOf } from "../../../src/platform/http/http-context.ts"
import { lazyModule } from "../../../src/platform/http/lazy-module.ts"
import { sendJson } from "../../../src/platform/http/respond.ts"
import type { Route } from "../../../src/platform/http/route.ts"
import { HttpServer } from "../../../src/platform/http/server.ts"
import { TestServer } from "../../support/test-server.ts"
import { freePort } from "../../support/free-port.ts"

const works: Endpoint = (_, request, reply) => sendJson(reply, 200, { id: request.params["id"] ?? null })
const row = { family: "page", hasCors: false, isRateLimited: false } as const

/** A load that waits until the test ends it. */
class Load<T> {
  #begun = Promise.withResolvers<PromiseWithResolvers<T>>()
  count = 0

  readonly begin = (): Promise<T> => {
    const load = Promise.withResolvers<T>()
    this.count++
    this.#begun.resolve(load)
    return load.promise
  }

  async end(result: T | Error): Promise<void> {
    const { resolve, reject } = await this.#begun.promise
    this.#begun = Promise.withResolvers()
    if (result instanceof Error) reject(result)
    else resolve(result)
  }
}

const endpoints = new Load<{ works: Endpoint }>()
const routes = new Load<readonly Route[]>()
let testServer: TestServer
let server: HttpServer
let url: string

before(async () => {
  testServer = await TestServer.open()
  server = new HttpServer(httpContextOf(testServer.latchkey, trustedRanges([])))
  const lazy = lazyModule(endpoints.begin)
  server.routes.add({ ...row, path: "/one", get: lazy("works") })
  server.routes.addLazily({ below: "/group", load: routes.begin })
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  await server.listen({ host: "127.0.0.1", port })
})

after(async () => {
  await server.close()
  await testServer.close()
})

const ask = async (path: string, method = "GET") => {
  const response = await fetch(url + path, { method, headers: { connection: "close" } })
  return { status: response.status, text: (await response.text()).trim() }
}

test("a module that cannot be loaded fails its request only, and the next request loads it", async () => {
  const failed = ask("/one")
  await endpoints.end(new Error("a file is missing"))
  assert.equal((await failed).status, 500)
  const both = [ask("/one"), ask("/one")]
  await endpoints.end({ works })
  for (const served of both) assert.equal((await served).status, 200)
  assert.equal((await ask("/one")).status, 200)
  assert.equal(endpoints.count, 2)
})

test("routes that cannot be loaded fail their request only, and the next request loads them", async () => {
  const failed = ask("/group/a")
  await routes.end(new Error("a file is missing"))
  assert.equal((await failed).status, 500)

  const both = [ask("/group"), ask("/group/a?x=1")]
  await routes.end([
    { ...row, path: "/group", get: works },
    { ...row, path: "/group/:id", get: works },
  ])
  assert.deepEqual(await Promise.all(both), [
    { status: 200, text: '{"id":null}' },
    { status: 200, text: '{"id":"a"}' },
  ])
  assert.equal((await ask("/group/b")).text, '{"id":"b"}')
  assert.equal((await ask("/group/b", "POST")).status, 405)
  assert.equal((await ask("/group/b/c")).status, 404)
  assert.equal((await ask("/groups")).status, 404)
  assert.equal(routes.count, 2)
})
