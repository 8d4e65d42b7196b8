/**
 * Runs a real `git clone` with the git-credential-oauth of Debian, an app by other authors that uses the browser flow.
 */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Terminal } from "../flow/terminal.ts"
import { decide } from "../support/connect.ts"
import { needsGitCredentialOauth, openGitServer } from "../support/git-server.ts"
import { environmentWith, newDirectory } from "../support/spawn.ts"
import { type App, type Client, type Decision, Refused } from "./client.ts"
import { commands } from "./documented.ts"
import type { Deployment } from "./deployment.ts"

export const gitCredentialOauth: Client = {
  name: "git-credential-oauth",
  needs: needsGitCredentialOauth,
  ways: ["public"],
  can: [],
  // The helper ignores the error and requests tokens without a code.
  hears: "invalid_request",
  open: (deployment) => opened(deployment),
}

async function opened(deployment: Deployment): Promise<App> {
  const { clientId } = deployment.app("public")
  const tokens: string[] = []
  const repository = await openGitServer(
    deployment.span,
    newDirectory(deployment.span),
    deployment.url,
    async (token) => {
      tokens.push(token)
      const { active, username, scope } = await deployment.introspected(token)
      const mayRead = active === true && String(scope).split(" ").includes("account:read")
      return mayRead ? String(username) : null
    },
  )
  return {
    clientId,
    connect: async (decision: Decision) => {
      const { terminal, target } = clone(deployment, clientId, repository)
      const returned = await consentIn(deployment, terminal, decision)
      assert.equal(returned.hostname, "127.0.0.1")
      await fetch(returned)
      const { code, stderr } = await terminal.ended
      const [, refusal] = /"error":"(\w+)"/.exec(stderr) ?? []
      assert.equal(existsSync(join(target, ".git", "HEAD")), code === 0)
      if (code !== 0) throw refusal === undefined ? new Error(stderr) : new Refused(refusal)
      return { accessToken: tokens.at(-1) ?? "", refreshToken: "" }
    },
  }
}

/** Clones with only the configuration from docs/clients.md. Returns the terminal and the target directory. */
function clone(deployment: Deployment, clientId: string, repository: string) {
  const home = newDirectory(deployment.span)
  // The test itself is the browser that the helper opens.
  for (const opener of ["open", "xdg-open"]) writeFileSync(join(home, opener), "#!/bin/sh\n", { mode: 0o755 })
  const environment = {
    ...deployment.environment,
    HOME: home,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    PATH: `${home}:${process.env["PATH"]}`,
  }
  const variables = { git: new URL(repository).origin, client: clientId }
  const env = environmentWith({ ...environment, ...variables })
  const { status, stderr } = spawnSync("sh", ["-eu", "-c", commands("git")], { env, encoding: "utf8" })
  assert.equal(status, 0, stderr)
  const target = join(home, "hello")
  return {
    terminal: new Terminal(deployment.span, "git", ["clone", repository, target], { environment }),
    target,
  }
}

/** Does what a person does in the browser that the helper opens. */
async function consentIn(deployment: Deployment, terminal: Terminal, decision: Decision): Promise<URL> {
  const printedUrl = await terminal.says(/(http:\S*\/oauth\/authorize\?\S+)/)
  const address = (await fetch(printedUrl, { redirect: "manual" })).headers.get("location") ?? ""
  return decide(deployment.alice, new URL(address), decision)
}
