/** What a set has made, for a plan over the API. */
import { choice, optional, record, text } from "../../platform/json/shape.rules.ts"
import { success } from "../api/call.ts"
import { type Operation, operation } from "../api/operation.ts"
import { pageOf } from "../api/paging.ts"

const kinds = ["app", "group", "service_account", "setting", "appearance"] as const

export const appliedShape = record("Applied", {
  what: choice("What it is.", kinds),
  key: text("Its key in the file.", "notes"),
  made: text("Its id.", "01k3v7m2q8xj5c9d4e6f7g8h9j"),
})

export const appliedOperations: readonly Operation[] = [
  operation("GET", "/api/admin/applied", "adminListApplied", {
    summary: "List what `latchkey apply` made for a set",
    needs: ["admin:apps"],
    query: record(null, { set: optional(text("The set of the file.", "default", { most: 64 })) }),
    answers: pageOf("AppliedPage", appliedShape),
    run: async ({ services, query }) => {
      const { applied } = await services.store.read({ applied: query.set ?? "default" })
      return success({ items: (applied ?? []).map(({ set: _, ...row }) => row), next: null })
    },
  }),
]
