/** A remark about permissions that are not in the catalog of a command. */
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import type { Answer } from "./command.ts"

/** The command may have read another configuration file than the service. */
export function catalogRemarks(catalog: Catalog, names: readonly string[]): readonly string[] {
  const unknown = [...new Set(names)].filter((name) => !catalog.has(name as Permission))
  return unknown.length === 0
    ? []
    : [
        `Not defined for this command: ${unknown.join(" ")}. If the service defines it, give the same --config FILE here.`,
      ]
}

export function withRemarks(answer: Answer, remarks: readonly string[]): Answer {
  return { ...answer, remarks: [...answer.remarks, ...remarks] }
}
