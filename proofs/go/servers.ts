/** The Go servers of the proof, and how they are called. */
import { isDeepStrictEqual } from "node:util"
import { freePort } from "../../test/support/free-port.ts"
import type { Span } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { GoProgram } from "./program.ts"
import type { Binaries } from "./tools.ts"
import type { World } from "./world.ts"

export type Server = {
  readonly url: string
  readonly program: GoProgram
  readonly call: (token: string | null, path?: string, method?: string) => Promise<Response>
}

/** Starts a server and waits until it says that it listens. */
export async function serve(
  span: Span,
  world: World,
  file: string,
  args: readonly string[] = [],
): Promise<Server> {
  const port = await freePort()
  const program = new GoProgram(span, file, args, world.environment(port))
  await program.line()
  const url = `http://localhost:${port}`
  world.serves(url)
  return {
    url,
    program,
    call: async (token, path = "/notes", method = "GET") => {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(url + path, { method, headers })
      await response.clone().text()
      return response
    },
  }
}

export type Servers = {
  readonly http: Server
  readonly chi: Server
  readonly grpc: GoProgram
}

/** Starts net/http, chi, and grpc-go with a client that holds one connection. */
export async function serveAll(span: Span, world: World, binaries: Binaries): Promise<Servers> {
  const http = await serve(span, world, binaries["go-http"])
  const chi = await serve(span, world, binaries.program, ["chi"])
  const { url } = await serve(span, world, binaries["go-grpc"])
  const client = new GoProgram(span, binaries.program, ["grpc"], { PORT: new URL(url).port })
  const token = await world.token()
  await until(async () => (await http.call(token)).status === 200, "net/http answers")
  await until(async () => (await chi.call(token, "/notes/7")).status === 200, "chi answers")
  await until(async () => (await client.asked(`list ${token}`)) === "OK", "grpc-go answers")
  return { http, chi, grpc: client }
}

export function expect(what: string, got: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(got, expected))
    throw new Error(`${what}: ${JSON.stringify(got)} in place of ${JSON.stringify(expected)}`)
}
