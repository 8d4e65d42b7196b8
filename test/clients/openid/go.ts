/** Sites in Go. Their modules are those of the folder "go", which `.ci/run` fetches. */
import { join } from "node:path"
import { go, needsGo } from "../../support/go.ts"
import { leaveOut } from "../../support/leave-out.ts"
import { newDirectory, type Span } from "../../support/spawn.ts"
import type { SiteProgram } from "./site.ts"

const SOURCES = join(import.meta.dirname, "go")

export const needsGoModules = "skip" in needsGo ? needsGo : findModules()

/** Builds the program when a test first needs it. */
export function goPrograms(span: Span): readonly SiteProgram[] {
  let built: string | null = null
  const command = (site: string) => () => [(built ??= build(span)), site]
  return [
    { name: "go-oidc", command: command("go-oidc"), callback: "/callback" },
    { name: "zitadel/oidc", command: command("zitadel"), callback: "/callback" },
  ]
}

function build(span: Span): string {
  const program = join(newDirectory(span), "sites")
  const { status, output } = go(SOURCES, "build", "-o", program, ".")
  if (status !== 0) throw new Error(output)
  return program
}

function findModules(): { skip?: string } {
  if (go(SOURCES, "list", "-deps", ".").status === 0) return {}
  const remedy = `To fetch them: go -C test/clients/openid/go mod download`
  return {
    skip: leaveOut("the modules of the OpenID Connect clients in Go are not here", "their tests", remedy),
  }
}
