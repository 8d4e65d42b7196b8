/** The proof: foreign test suites find only known failures. They are installed for the proof, by name and version. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { within } from "../../test/support/spawn.ts"
import type { Proof } from "../proof.ts"
import { authlab } from "./authlab.ts"
import { conformance } from "./conformance.ts"
import { install, versions } from "./install.ts"
import type { Judge } from "./judge.ts"
import { oauthProbe } from "./oauth-probe.ts"
import { schemathesis } from "./schemathesis.ts"
import { openSubject } from "./subject.ts"

const all: Readonly<Record<string, Judge>> = { conformance, authlab, oauthProbe, schemathesis }

export const judges: Proof = {
  name: "judges",
  promise: "test suites by others find nothing but what is listed with its reason",
  engines: ["sqlite"],
  prove: async ({ work, say }) => {
    const installed = await install(work)
    if (typeof installed === "string") {
      say(`left out: ${installed}`)
      return { "left out": installed }
    }
    const figures: Record<string, number | string> = {
      "@modelcontextprotocol/conformance": versions["@modelcontextprotocol/conformance"],
    }
    const broken: string[] = []
    for (const [name, judge] of Object.entries(all)) {
      say(name)
      const own = join(work, name)
      mkdirSync(own)
      // Each judge has its own service, which it may fill and change.
      const verdict = await within(async (span) => judge(await openSubject(span), installed, own))
      Object.assign(figures, verdict.figures)
      broken.push(...verdict.broken)
    }
    if (broken.length > 0) throw new Error(`${broken.join("\n")}\n${JSON.stringify(figures, null, 1)}`)
    return figures
  },
}
