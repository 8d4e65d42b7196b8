/** A git server on loopback. It accepts a token that the service reports as active. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { leaveOut } from "./leave-out.ts"
import type { Span } from "./spawn.ts"
import { environmentWith } from "./spawn.ts"

/**
 * The options of a test that needs the helper. If it is missing, the test fails under CI=true. Otherwise it is skipped
 * with a message.
 */
export const needsGitCredentialOauth = isInstalled("git-credential-oauth")
  ? {}
  : { skip: "git-credential-oauth is not installed" }

/** Decides who may read, by the password of HTTP Basic. A result of null refuses. */
export type Gatekeeper = (token: string) => Promise<string | null>

/**
 * Creates a repository with one commit in `dir` and serves it until `span` ends. Returns the URL to clone. Requests
 * below /oauth/ are passed on to `service`, as on a host that has both.
 */
export async function openGitServer(
  span: Span,
  dir: string,
  service: string,
  lets: Gatekeeper,
): Promise<string> {
  const repository = join(dir, "hello.git")
  git(dir, "init", "--quiet", "--bare", repository)
  const tree = git(dir, "--git-dir", repository, "mktree", "--missing")
  const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example", ...committer }
  const commit = gitWith(
    identity,
    dir,
    "--git-dir",
    repository,
    "commit-tree",
    "-m",
    "hello from the server",
    tree,
  )
  git(dir, "--git-dir", repository, "update-ref", "HEAD", commit)
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/oauth/") === true)
      return void response.writeHead(307, { location: service + request.url }).end()
    answer(request, response, dir, lets).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  span.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hello.git`
}

const committer = { GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example" }

function git(dir: string, ...args: readonly string[]): string {
  return gitWith({}, dir, ...args)
}

function gitWith(environment: Record<string, string>, dir: string, ...args: readonly string[]): string {
  const env = { ...environmentWith(environment), HOME: dir }
  const said = spawnSync("git", args, { cwd: dir, env, encoding: "utf8", input: "" })
  if (said.status !== 0) throw new Error(`git ${args.join(" ")}: ${said.stderr}`)
  return said.stdout.trim()
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  dir: string,
  lets: Gatekeeper,
): Promise<void> {
  const token = passwordOf(request.headers.authorization)
  const username = token === null ? null : await lets(token)
  if (username === null) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end()
    return
  }
  const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1")
  const cgi = spawn("git", ["http-backend"], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: dir,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: username,
      REQUEST_METHOD: request.method ?? "GET",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "inherit"],
  })
  request.pipe(cgi.stdin)
  const parts: Buffer[] = []
  cgi.stdout.on("data", (part: Buffer) => parts.push(part))
  await once(cgi, "close")
  sendCgi(response, Buffer.concat(parts))
}

/** Sends a CGI response. It consists of a head, an empty line and a body. RFC 3875 §6. */
function sendCgi(response: ServerResponse, said: Buffer): void {
  const end = said.indexOf("\r\n\r\n")
  for (const line of said.subarray(0, end).toString().split("\r\n")) {
    const [name = "", value = ""] = line.split(": ")
    if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.end(said.subarray(end + 4))
}

function passwordOf(authorization: string | undefined): string | null {
  const [, encoded] = /^Basic (\S+)$/.exec(authorization ?? "") ?? []
  if (encoded === undefined) return null
  const decoded = Buffer.from(encoded, "base64").toString()
  return decoded.slice(decoded.indexOf(":") + 1)
}

function isInstalled(program: string): boolean {
  if (spawnSync("sh", ["-c", `command -v ${program}`]).status === 0) return true
  leaveOut(`${program} is not installed`, "its tests")
  return false
}
