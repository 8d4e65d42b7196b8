/** The flags that give an app keys in place of a secret. */
import { parseJson } from "../../kernel/json.ts"
import { readText } from "../../platform/cli/read-text.ts"
import { type Problem, type Result, err } from "../../kernel/result.ts"
import type { ClientKeys } from "../../model/clients/client.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { type WorkloadMember, workloadFrom, workloadMembers } from "../../model/clients/workload.rules.ts"

const workloadFlags = Object.fromEntries(
  workloadMembers.map(({ member, value, meaning: summary }) => [`workload-${member}`, { value, summary }]),
) as {
  readonly [M in WorkloadMember as `workload-${M}`]: { readonly value: string; readonly summary: string }
}

export const keyFlags = {
  jwks: { value: "FILE", summary: "the app's public keys, as a JWK set" },
  "jwks-uri": { value: "URL", summary: "where the app publishes its public keys" },
  ...workloadFlags,
  "workload-jwks": { value: "FILE", summary: "the platform's public keys, in place of its discovery" },
} as const

/** Reads the keys from the flags. Returns null if no flag is set. */
export function keysIn(
  flags: Readonly<Record<keyof typeof keyFlags, string | null>>,
): Result<ClientKeys | null, Problem> {
  const workload = workloadFrom((member) => flags[`workload-${member}`] ?? "")
  const named = flags["workload-jwks"]
  if (named !== null && (workload === undefined || flags.jwks !== null))
    return err("--workload-jwks FILE is for a workload, in place of --jwks.")
  const file = named ?? flags.jwks
  const read = file === null ? null : readText(file)
  if (read?.ok === false) return err(`The keys ${file} cannot be used: ${read.error}.`)
  return parseClientKeys({
    jwks: read === null ? undefined : (parseJson(read.value) ?? null),
    jwksUri: flags["jwks-uri"] ?? undefined,
    workload,
  })
}
