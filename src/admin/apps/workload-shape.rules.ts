/** The workload of an app in JSON: in the API, and in the file of `apply`. */
import { URL_BYTES_AT_MOST } from "../../kernel/https-url.ts"
import { type WorkloadMember, workloadMembers } from "../../model/clients/workload.rules.ts"
import { record, type Shape, text } from "../../platform/json/shape.rules.ts"

const workloadTexts = Object.fromEntries(
  workloadMembers.map(({ member, meaning, example }) => [
    member,
    text(`It is ${meaning}.`, example, { most: URL_BYTES_AT_MOST }),
  ]),
) as { readonly [M in WorkloadMember]: Shape<string> }
export const workloadShape = record("Workload", workloadTexts)
