/** A remark about permissions that are not in the catalogue of a command. */
import type { Catalogue } from "../../permissions/permission-catalogue.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import type { Answer } from "./command.ts"

/** The command may have read another configuration file than the service. */
export function catalogueRemarks(catalogue: Catalogue, names: readonly string[]): readonly string[] {
  const unknown = [...new Set(names)].filter((name) => !catalogue.has(name as Permission))
  return unknown.length === 0
    ? []
    : [
        `Not defined for this command: ${unknown.join(" ")}. If the service defines it, give the same --config FILE here.`,
      ]
}

export function withRemarks(answer: Answer, remarks: readonly string[]): Answer {
  return { ...answer, remarks: [...answer.remarks, ...remarks] }
}
