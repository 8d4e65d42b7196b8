/** A remark about permissions that are not in the catalog of a command. */
import { isOpenidName } from "../../model/permissions/openid-permissions.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import type { Answer } from "./command.ts"

/** OpenID Connect may be off, or the command may have read another configuration file than the service. */
export function catalogRemarks(catalog: Catalog, names: readonly string[]): readonly string[] {
  const unknown = [...new Set(names)].filter((name) => !catalog.has(name as Permission))
  const ofFile = unknown.filter((name) => !isOpenidName(name))
  const ofOpenid = unknown.filter(isOpenidName)
  return [
    ...(ofFile.length === 0
      ? []
      : [
          `Not defined for this command: ${ofFile.join(" ")}. If the service defines it, give the same --config FILE here.`,
        ]),
    ...(ofOpenid.length === 0
      ? []
      : [`Only with OpenID Connect: ${ofOpenid.join(" ")}. Turn it on with: setting set openid.enabled on`]),
  ]
}

export function withRemarks(answer: Answer, remarks: readonly string[]): Answer {
  return { ...answer, remarks: [...answer.remarks, ...remarks] }
}
